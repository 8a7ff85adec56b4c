import { getRouteApi, Link } from '@tanstack/react-router';
import { useApi } from '../../api/use-api.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { EmptyNote } from '../../parts/empty-note.tsx';
import { FilterField } from '../../parts/filter-field.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Pager } from '../../parts/pager.tsx';
import { Segments } from '../../parts/segments.tsx';
import { feedColumns } from './feed-columns.tsx';
import { messages } from './messages.ts';

const route = getRouteApi('/brands/$brandId/feeds');
const statuses = [undefined, 'queued', 'processing', 'completed', 'failed'] as const;
const refreshMs = 5000;

/** The stock feeds of a brand, newest first. */
export function FeedsPage() {
  const { brandId } = route.useParams();
  const { status, source, page } = route.useSearch();
  const feeds = useApi(
    'listBrandFeeds',
    { path: [brandId], query: { status, source, page, per_page: 50 } },
    { refreshMs },
  );
  const isFiltered = status !== undefined || source !== undefined;
  return (
    <div className="page">
      <PageHead title={messages.title} lead={messages.lead} />
      <div className="section">
        <Segments
          label={messages.status}
          choices={statuses.map((each) => ({
            label: messages.statuses[each ?? 'all'],
            search: { status: each },
            isCurrent: each === status,
          }))}
        />
        <div className="filters">
          <FilterField label={messages.source} name="source" value={source} isFirst />
        </div>
        <Loaded query={feeds}>
          {({ data, meta }) =>
            data.length > 0 ? (
              <>
                <DataTable
                  caption={messages.table}
                  columns={feedColumns}
                  rows={data}
                  rowKey={({ feed_id }) => feed_id}
                />
                <Pager meta={meta} />
              </>
            ) : isFiltered ? (
              <EmptyNote title={messages.noneMatch}>
                <Link to="/brands/$brandId/feeds" params={{ brandId }}>
                  {messages.clear}
                </Link>
              </EmptyNote>
            ) : (
              <EmptyNote title={messages.empty}>
                <p className="soft">{messages.emptyText}</p>
              </EmptyNote>
            )
          }
        </Loaded>
      </div>
    </div>
  );
}
