import type { UseQueryResult } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import type { ApiProblem } from '../../api/api-problem.ts';
import type { ResponseOf } from '../../api/call.ts';
import { useApi } from '../../api/use-api.ts';
import type { Column } from '../../parts/data-table.tsx';
import { EmptyNote } from '../../parts/empty-note.tsx';
import { FilterField } from '../../parts/filter-field.tsx';
import { figure } from '../../parts/messages.ts';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { Segments } from '../../parts/segments.tsx';
import { StateMark, WorkState } from '../../parts/state-mark.tsx';
import { durationOf, progressOf } from './feed-progress.ts';
import { type Feed, failedLines } from './line-results.ts';
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

const feedColumns: readonly Column<Feed>[] = [
  {
    header: messages.batch,
    cell: ({ brand_id, feed_id, batch_id }) => (
      <Link
        to="/brands/$brandId/feeds/$feedId"
        params={{ brandId: String(brand_id), feedId: feed_id }}
        className="mono cut"
        title={batch_id}
        data-row-link
      >
        {batch_id}
      </Link>
    ),
  },
  { header: messages.status, cell: ({ status }) => <WorkState state={status} /> },
  { header: messages.source, isExtra: true, cell: ({ source }) => source },
  { header: messages.received, isExtra: true, cell: ({ received_at }) => <Moment at={received_at} /> },
  {
    header: messages.lines,
    align: 'end',
    isExtra: true,
    cell: ({ received_lines }) => figure(received_lines),
  },
  {
    header: messages.feed.progress,
    isExtra: true,
    cell: (feed) => (feed.finished_at === null ? progressOf(feed) : rateOf(feed)),
  },
  { header: messages.duration, align: 'end', isExtra: true, cell: (feed) => durationOf(feed) },
  {
    header: messages.failedLines,
    align: 'end',
    cell: (feed) => {
      const failed = failedLines(feed);
      return failed === 0 ? '0' : <StateMark tone="bad">{figure(failed)}</StateMark>;
    },
  },
];

/** Returns the columns of a list of several brands. */
function columnsWithBrand(nameOf: (brandId: number) => string): readonly Column<Feed>[] {
  const brand: Column<Feed> = {
    header: messages.brand,
    cell: ({ brand_id }) => (
      <Link to="/brands/$brandId/feeds" params={{ brandId: String(brand_id) }}>
        {nameOf(brand_id)}
      </Link>
    ),
  };
  return feedColumns.toSpliced(1, 0, brand);
}

function rateOf({ lines_per_second: rate }: Feed): string {
  return rate === null ? '' : messages.feed.rate(rate);
}
