import { Link } from '@tanstack/react-router';
import type { ResponseOf } from '../../api/call.ts';
import { figure } from '../../parts/messages.ts';
import { Moment } from '../../parts/moment.tsx';
import { shownName } from '../../parts/shown-name.ts';
import { HttpStatus } from '../../parts/state-mark.tsx';
import type { Column } from '../../parts/table.tsx';

const reasons = {
  revoked: 'the key is revoked',
  expired: 'the key is expired',
  deleted: 'the key is deleted',
  wrong_secret: 'the secret is wrong',
} as Readonly<Record<string, string>>;

/** Returns why a key was refused in words. */
export const reasonText = (reason: string): string => reasons[reason] ?? reason;

export type Refusal = ResponseOf<'listAllRefusals'>['data'][number];

export const rowKeyOf = ({ at, request_id, code }: Refusal) => `${at} ${request_id} ${code}`;

/** The columns of refusals of one key. The first one opens the request. */
export const refusalColumns: readonly Column<Refusal>[] = [
  {
    header: 'When',
    sort: '-at',
    isUsualSort: true,
    at: ({ at }) => at,
    cell: ({ at, request_id }) => (
      <Link to="/requests/$requestId" params={{ requestId: request_id }} title={request_id} data-row-link>
        <Moment at={at} />
      </Link>
    ),
  },
  { header: 'Request id', text: ({ request_id }) => request_id, isInFilesOnly: true },
  { header: 'Requests', align: 'end', sort: '-count', isExtra: true, text: ({ count }) => count },
  {
    header: 'Status',
    sort: 'status',
    phone: 'figure',
    text: ({ status }) => status,
    cell: ({ status, count }) => (
      <>
        {count > 1 && <span className="soft only-phone">{figure(count)} × </span>}
        <HttpStatus status={status} />
      </>
    ),
  },
  {
    header: 'Since',
    isExtra: true,
    at: ({ first_at }) => first_at,
    cell: ({ count, first_at }) => count > 1 && first_at !== undefined && <Moment at={first_at} />,
  },
  {
    header: 'Operation',
    sort: 'operation',
    text: ({ operation, method, path }) => operation ?? `${method} ${path}`,
    cell: ({ operation, method, path }) => (
      <span className="mono" title={`${method} ${path}`}>
        {operation ?? `${method} ${path}`}
      </span>
    ),
  },
  {
    header: 'What the response said',
    phone: 'state',
    text: ({ code, message }) => `${code}: ${message}`,
    cell: ({ code, reason, message, fields }) => (
      <span data-wraps>
        <span className="mono">{code}</span>
        {reason !== null && <> {reasonText(reason)}</>}
        <span className="soft">
          {' '}
          {message} {fields.join(', ')}
        </span>
      </span>
    ),
  },
  {
    header: 'Address',
    text: ({ address }) => address,
    isExtra: true,
    cell: ({ address }) => <span className="mono soft">{address}</span>,
  },
];

const key: Column<Refusal> = {
  header: 'Key',
  text: ({ key_id }) => key_id,
  cell: ({ brand_id, key_id, key_name }) => (
    <Link
      to="/brands/$brandId/keys/$keyId"
      params={{ brandId: String(brand_id), keyId: key_id }}
      title={key_id}
    >
      {shownName(key_name ?? key_id)}
    </Link>
  ),
};

const brand: Column<Refusal> = {
  header: 'Brand',
  text: ({ brand_name }) => brand_name,
  cell: ({ brand_id, brand_name }) => (
    <Link to="/brands/$brandId/refusals" params={{ brandId: String(brand_id) }}>
      {shownName(brand_name)}
    </Link>
  ),
};

/** The columns of a list of a brand, and of all brands. */
export const columnsWithKey = refusalColumns.toSpliced(1, 0, key);
export const columnsWithBrand = refusalColumns.toSpliced(1, 0, brand, key);
