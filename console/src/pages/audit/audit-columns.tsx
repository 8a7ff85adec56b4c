import { Link } from '@tanstack/react-router';
import type { ResponseOf } from '../../api/call.ts';
import { CopyableId } from '../../parts/copyable-id.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Changes } from './changes.tsx';
import { messages } from './messages.ts';

type Entry = ResponseOf<'listAuditEntries'>['data'][number];

export const auditColumns: readonly Column<Entry>[] = [
  { id: 'at', header: messages.at, cell: ({ at }) => <Moment at={at} /> },
  {
    id: 'actor',
    header: messages.actor,
    cell: ({ actor, address }) => (
      <span title={address ?? undefined}>{actor ?? <span className="soft">{messages.nobody}</span>}</span>
    ),
  },
  { id: 'action', header: messages.action, cell: ({ action }) => <strong>{action}</strong> },
  {
    id: 'brand',
    header: messages.brand,
    isExtra: true,
    cell: ({ brand_id }) =>
      brand_id !== null && (
        <Link to="/brands/$brandId" params={{ brandId: String(brand_id) }} className="mono">
          {brand_id}
        </Link>
      ),
  },
  { id: 'resource', header: messages.resource, cell: (entry) => <Resource entry={entry} /> },
  {
    id: 'change',
    header: messages.change,
    isExtra: true,
    cell: ({ details }) => <Changes details={details} />,
  },
  {
    id: 'request',
    header: messages.request,
    isExtra: true,
    cell: ({ request_id }) =>
      request_id !== null && <CopyableId id={request_id} short={`${request_id.slice(0, 8)}…`} />,
  },
];

/** The resource of an entry: a link where the console has a page for it. */
function Resource({ entry: { brand_id, resource_type, resource_id } }: { readonly entry: Entry }) {
  const brandId = String(brand_id);
  if (resource_type === 'api_key' && brand_id !== null) {
    return (
      <Link to="/brands/$brandId/keys/$keyId" params={{ brandId, keyId: resource_id }} className="mono">
        {resource_id.slice(0, 16)}…
      </Link>
    );
  }
  if (resource_type === 'job') {
    return (
      <Link to="/jobs/$jobId" params={{ jobId: resource_id }} className="mono">
        {resource_id.slice(0, 16)}
      </Link>
    );
  }
  return (
    <span className="mono">
      {resource_type} {resource_id.length > 24 ? `${resource_id.slice(0, 24)}…` : resource_id}
    </span>
  );
}
