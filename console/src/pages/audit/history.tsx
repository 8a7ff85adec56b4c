import { Link } from '@tanstack/react-router';
import type { ResponseOf } from '../../api/call.ts';
import { useApi } from '../../api/use-api.ts';
import { RequestLink, ResourceLink } from '../../parts/links.tsx';
import { shownName } from '../../parts/shown-name.ts';
import { type Column, DataTable } from '../../parts/table.tsx';

type Entry = ResponseOf<'listAuditEntries'>['data'][number];

export const auditColumns: readonly Column<Entry>[] = [
  { header: 'When', sort: '-at', isUsualSort: true, at: ({ at }) => at },
  {
    header: 'Who',
    phone: 'figure',
    cell: ({ actor, actor_name, address }) => (
      <span title={[actor_name && actor, address].filter(Boolean).join(', ') || undefined}>
        {actor_name ?? actor ?? <span className="soft">before actors were recorded</span>}
      </span>
    ),
  },
  {
    header: 'Action',
    phone: 'state',
    cell: ({ action }) => <strong title={action}>{verbOf(action)}</strong>,
  },
  {
    header: 'Brand',
    isExtra: true,
    cell: ({ brand_id, brand_name }) =>
      brand_id !== null && (
        <Link to="/brands/$brandId" params={{ brandId: String(brand_id) }} title={String(brand_id)}>
          {shownName(brand_name ?? String(brand_id))}
        </Link>
      ),
  },
  {
    header: 'Resource',
    cell: ({ brand_id, resource_type, resource_id, resource_name }) =>
      resource_name === null || ['brand', 'api_key'].includes(resource_type) ? (
        <ResourceLink brandId={brand_id} type={resource_type} id={resource_id} />
      ) : (
        <span title={resource_id}>
          <span className="named">{shownName(resource_name)}</span> {resource_type}
        </span>
      ),
  },
  { header: 'Change', isExtra: true, cell: ({ details }) => <Changes details={details} /> },
  {
    header: 'Request',
    isExtra: true,
    cell: ({ request_id }) => request_id !== null && <RequestLink id={request_id} />,
  },
];

const things: Readonly<Record<string, string>> = {
  api_key: 'key',
  feed_token: 'feed token',
  point_of_sale: 'point of sale',
  stock_feed: 'feed',
  analytics: 'days',
};

const verbs: Readonly<Record<string, string>> = {
  'session.create': 'signed in',
  'session.delete': 'signed out',
  'doctor.run': 'ran the doctor',
  'learner.opt_out': 'changed the opt-out',
  'brand.limit': 'changed the limits',
  'api_key.limit': 'changed the limits',
  'stock_feed.requeue': 're-queued lines',
  'stock_feed.correct': 'corrected lines',
  'concern.mute': 'muted the concern',
  'concern.unmute': 'unmuted the concern',
  'job.retry': 'retried the job',
};

/** Returns what a person did, such as `revoked the key`. */
function verbOf(action: string): string {
  const [resource = '', verb = ''] = action.split('.');
  const past = verb === 'upsert' ? 'saved' : verb === 'open' ? 'opened' : verb.replace(/e?$/, 'ed');
  return verbs[action] ?? `${past} the ${things[resource] ?? resource}`;
}

/** The details of an entry: what changed from what to what, or what was created with. */
function Changes({ details: { changes, ...others } }: Pick<Entry, 'details'>) {
  const changed = Object.entries((changes ?? {}) as Record<string, Readonly<Record<'from' | 'to', unknown>>>);
  const plain = Object.entries(others).filter(([, value]) => value !== null);
  return (
    <span data-wraps>
      {changed.map(([field, { from, to }]) => (
        <span key={field} className="change" title={`${textOf(from)} → ${textOf(to)}`}>
          <span className="soft">{field}</span> <del>{textOf(from)}</del> <ins>{textOf(to)}</ins>
        </span>
      ))}
      {plain.map(([field, value]) => (
        <span key={field} className="change" title={textOf(value)}>
          <span className="soft">{field}</span> {textOf(value)}
        </span>
      ))}
    </span>
  );
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (Array.isArray(value)) return value.length > 3 ? `${value.length} values` : value.map(textOf).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : shownName(String(value));
}

interface HistoryProps {
  /** The type in the audit, such as `api_key`. */
  readonly type: string;
  readonly id: string;
  /** The brand of an object whose id is unique in its brand only. */
  readonly brandId?: string;
  /** The words for an object without entries; null: nothing is shown. Default: nobody has changed it. */
  readonly none?: string | null;
}

const shown = 10;
const ownColumns = auditColumns.filter(({ header }) => header !== 'Brand' && header !== 'Resource');

/** The last changes of an object, from the audit. */
export function History({ type, id, brandId, none = 'Nobody has changed it.' }: HistoryProps) {
  const query = { resource_type: type, resource_id: id };
  const brand = brandId === undefined ? undefined : Number(brandId);
  const entries = useApi(
    'listAuditEntries',
    { query: { ...query, brand_id: brand, per_page: shown } },
    { refreshMs: 15_000 },
  );
  if (entries.data === undefined) return null;
  const { data, meta } = entries.data;
  if (data.length === 0 && none === null) return null;
  return (
    <section className="section" aria-labelledby="history">
      <h2 id="history">History</h2>
      {data.length === 0 ? (
        <p className="soft">{none}</p>
      ) : (
        <DataTable caption="History" columns={ownColumns} rows={data} rowKey={(entry) => String(entry.id)} />
      )}
      {meta.total > shown && (
        <p>
          <Link to="/audit" search={{ ...query, brand }}>
            All its changes
          </Link>
        </p>
      )}
    </section>
  );
}
