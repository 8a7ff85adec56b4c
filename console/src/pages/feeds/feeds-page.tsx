import type { UseQueryResult } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import type { ApiProblem } from '../../api/api-problem.ts';
import type { ResponseOf } from '../../api/call.ts';
import { useApi } from '../../api/use-api.ts';
import type { Column } from '../../parts/data-table.tsx';
import { EmptyNote } from '../../parts/empty-note.tsx';
import { FilterField } from '../../parts/filter-field.tsx';
import { Page } from '../../parts/page.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { Segments } from '../../parts/segments.tsx';
import { columnsWithBrand, feedColumns } from './feed-columns.tsx';
import type { Feed } from './line-results.ts';
import { messages } from './messages.ts';

const route = getRouteApi('/brands/$brandId/feeds');
const refreshMs = 5000;

/** The stock feeds of a brand, newest first. */
export function FeedsPage() {
  const { brandId } = route.useParams();
  const { page, ...filters } = route.useSearch();
  const feeds = useApi(
    'listBrandFeeds',
    { path: [brandId], query: { ...filters, page, per_page: 50 } },
    { refreshMs },
  );
  return (
    <Page title={messages.title} lead={messages.lead}>
      <FeedList
        feeds={feeds}
        columns={feedColumns}
        filters={filters}
        clear={
          <Link to="/brands/$brandId/feeds" params={{ brandId }}>
            {messages.clear}
          </Link>
        }
      />
    </Page>
  );
}

const allRoute = getRouteApi('/feeds');

/** The stock feeds of all brands, newest first. */
export function AllFeedsPage() {
  const { page, ...filters } = allRoute.useSearch();
  const feeds = useApi('listAllFeeds', { query: { ...filters, page, per_page: 50 } }, { refreshMs });
  const brands = useApi('listBrands', { query: { per_page: 200 } });
  const columns = useMemo(() => {
    const names = new Map(brands.data?.data.map(({ id, name }) => [id, name]));
    return columnsWithBrand((id) => names.get(id) ?? messages.brandWithId(id));
  }, [brands.data]);
  return (
    <Page title={messages.title} tabTitle={messages.allTitle} lead={messages.allLead}>
      <FeedList
        feeds={feeds}
        columns={columns}
        filters={filters}
        clear={<Link to="/feeds">{messages.clear}</Link>}
      />
    </Page>
  );
}

const statuses = [undefined, 'queued', 'processing', 'completed', 'failed'] as const;

/** The filters of both lists of feeds, as the address has them. */
export interface FeedFilters {
  readonly status?: Exclude<(typeof statuses)[number], undefined> | undefined;
  readonly source?: string | undefined;
  readonly refused_lines?: boolean | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

interface Props {
  readonly feeds: UseQueryResult<ResponseOf<'listAllFeeds'>, ApiProblem>;
  readonly columns: readonly Column<Feed>[];
  readonly filters: FeedFilters;
  /** A link to the list without filters. */
  readonly clear: ReactNode;
}

/** A list of feeds with its filters. */
function FeedList({ feeds, columns, filters, clear }: Props) {
  const { status, source, from, to } = filters;
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <div className="section">
      <Segments
        label={messages.status}
        choices={statuses.map((each) => ({
          label: messages.statuses[each ?? 'all'],
          search: { status: each },
          isCurrent: each === status,
        }))}
      />
      <Segments
        label={messages.lines}
        choices={[false, true].map((isOnly) => ({
          label: isOnly ? messages.withFailedLines : messages.anyLines,
          search: { refused_lines: isOnly ? 'true' : undefined },
          isCurrent: isOnly === (filters.refused_lines ?? false),
        }))}
      />
      <div className="filters">
        <FilterField label={messages.source} name="source" value={source} isFirst />
        <FilterField label={messages.from} name="from" value={from} type="date" />
        <FilterField label={messages.to} name="to" value={to} type="date" />
      </div>
      <PagedTable
        query={feeds}
        caption={messages.table}
        columns={columns}
        rowKey={({ feed_id }) => feed_id}
        empty={
          isFiltered ? (
            <EmptyNote title={messages.noneMatch}>{clear}</EmptyNote>
          ) : (
            <EmptyNote title={messages.empty} text={messages.emptyText} />
          )
        }
      />
    </div>
  );
}
