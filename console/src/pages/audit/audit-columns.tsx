import { Link } from '@tanstack/react-router';
import type { ResponseOf } from '../../api/call.ts';
import type { Column } from '../../parts/data-table.tsx';
import { Moment } from '../../parts/moment.tsx';
import { RequestLink } from '../../parts/request-link.tsx';
import { ResourceLink } from '../../parts/resource-link.tsx';
import { shownName } from '../../parts/shown-name.ts';
import { Changes } from './changes.tsx';
import { messages } from './messages.ts';

type Entry = ResponseOf<'listAuditEntries'>['data'][number];

export const auditColumns: readonly Column<Entry>[] = [
  { header: messages.at, cell: ({ at }) => <Moment at={at} /> },
  {
    header: messages.actor,
    cell: ({ actor, actor_name, address }) => (
      <span title={[actor_name && actor, address].filter(Boolean).join(', ') || undefined}>
        {actor_name ?? actor ?? <span className="soft">{messages.nobody}</span>}
      </span>
    ),
  },
  { header: messages.action, cell: ({ action }) => <strong>{action}</strong> },
  {
    header: messages.brand,
    isExtra: true,
    cell: ({ brand_id, brand_name }) =>
      brand_id !== null && (
        <Link to="/brands/$brandId" params={{ brandId: String(brand_id) }} title={String(brand_id)}>
          {shownName(brand_name ?? String(brand_id))}
        </Link>
      ),
  },
  {
    header: messages.resource,
    cell: ({ brand_id, resource_type, resource_id, resource_name }) => (
      <>
        {resource_name !== null && !['brand', 'api_key'].includes(resource_type) && (
          <span className="named">{shownName(resource_name)}</span>
        )}{' '}
        <ResourceLink brandId={brand_id} type={resource_type} id={resource_id} />
      </>
    ),
  },
  { header: messages.change, isExtra: true, cell: ({ details }) => <Changes details={details} /> },
  {
    header: messages.request,
    isExtra: true,
    cell: ({ request_id }) => request_id !== null && <RequestLink id={request_id} />,
  },
];
