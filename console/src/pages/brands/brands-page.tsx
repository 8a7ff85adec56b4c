import { getRouteApi, Link } from '@tanstack/react-router';
import type { ResponseOf } from '../../api/call.ts';
import { useMayChange } from '../../api/session.ts';
import { useApi } from '../../api/use-api.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyNote } from '../../parts/empty-note.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Pager } from '../../parts/pager.tsx';
import { messages } from './messages.ts';

type Brand = ResponseOf<'listBrands'>['data'][number];

const route = getRouteApi('/brands');

const columns: readonly Column<Brand>[] = [
  {
    id: 'name',
    header: messages.name,
    cell: ({ id, name }) => (
      <Link to="/brands/$brandId" params={{ brandId: String(id) }} data-row-link>
        {name}
      </Link>
    ),
  },
  { id: 'id', header: messages.id, align: 'end', cell: ({ id }) => <span className="mono">{id}</span> },
  { id: 'created', header: messages.created, cell: ({ created_at }) => <Moment at={created_at} /> },
];

/** All brands that the user may see. */
export function BrandsPage() {
  const { page } = route.useSearch();
  const brands = useApi('listBrands', { query: { page, per_page: 50 } });
  const mayChange = useMayChange();
  const create = mayChange && (
    <Link to="/brands/new" className="button" data-kind="primary">
      {messages.create}
    </Link>
  );
  return (
    <div className="page">
      <PageHead title={messages.title} lead={messages.lead} actions={create} />
      <Loaded query={brands}>
        {({ data, meta }) =>
          data.length === 0 ? (
            <EmptyNote title={messages.empty}>
              <p className="soft">{messages.emptyText}</p>
              {create}
            </EmptyNote>
          ) : (
            <>
              <DataTable
                caption={messages.table}
                columns={columns}
                rows={data}
                rowKey={({ id }) => String(id)}
              />
              <Pager meta={meta} />
            </>
          )
        }
      </Loaded>
    </div>
  );
}
