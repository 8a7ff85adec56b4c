import type { ResponseOf } from '../../api/call.ts';
import type { Column } from '../../parts/data-table.tsx';
import { KeyLink, RequestLink } from '../../parts/links.tsx';
import { figure } from '../../parts/messages.ts';
import { Moment } from '../../parts/moment.tsx';
import { messages } from './messages.ts';

type Refusal = ResponseOf<'listRefusals'>['data'][number];

/** The columns of refusals of one key. */
export const refusalColumns: readonly Column<Refusal>[] = [
  { header: messages.at, cell: ({ at }) => <Moment at={at} /> },
  {
    header: messages.status,
    cell: ({ status, count }) => (
      <>
        {count > 1 && <span className="soft">{messages.times(figure(count))} </span>}
        <strong>{status}</strong>
      </>
    ),
  },
  {
    header: messages.code,
    cell: ({ code, reason }) => (
      <>
        <span className="mono">{code}</span>
        {reason !== null && <span className="soft"> {messages.reasons[reason] ?? reason}</span>}
      </>
    ),
  },
  {
    header: messages.operation,
    cell: ({ operation, method, path }) => (
      <span className="mono id" title={`${method} ${path}`}>
        {operation ?? `${method} ${path}`}
      </span>
    ),
  },
  {
    header: messages.fields,
    isExtra: true,
    cell: ({ fields }) => <span className="mono id">{fields.join(', ')}</span>,
  },
  {
    header: messages.address,
    isExtra: true,
    cell: ({ address }) => <span className="mono soft">{address}</span>,
  },
  { header: messages.request, cell: ({ request_id }) => <RequestLink id={request_id} /> },
];

/** Adds the key, for a list of a brand. */
export function columnsWithKey(brandId: string): readonly Column<Refusal>[] {
  const [at, ...others] = refusalColumns;
  const key: Column<Refusal> = {
    header: messages.key,
    isExtra: true,
    cell: ({ key_id }) => <KeyLink brandId={brandId} keyId={key_id} />,
  };
  return at === undefined ? others : [at, key, ...others];
}
