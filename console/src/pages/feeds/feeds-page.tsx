import type { UseQueryResult } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ApiProblem } from '../../api/api-problem.ts';
import type { ResponseOf } from '../../api/call.ts';
import { useApi } from '../../api/use-api.ts';
import { ChoiceFilter, FilterBar, TimeRange } from '../../parts/filters.tsx';
import { BrandLink } from '../../parts/links.tsx';
import { EmptyNote } from '../../parts/loaded.tsx';
import { figure } from '../../parts/messages.ts';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { StateMark, WorkState } from '../../parts/state-mark.tsx';
import { type Column, PagedTable } from '../../parts/table.tsx';
import { durationOf, type Feed, failedLines, progressOf } from './line-results.ts';
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
      <FeedList feeds={feeds} columns={feedColumns} filters={filters} />
    </Page>
  );
}

const allRoute = getRouteApi('/feeds');

/** The stock feeds of all brands, newest first. */
export function AllFeedsPage() {
  const { page, ...filters } = allRoute.useSearch();
  const feeds = useApi('listAllFeeds', { query: { ...filters, page, per_page: 50 } }, { refreshMs });
  return (
    <Page title={messages.title} tabTitle={messages.allTitle} lead={messages.allLead}>
      <FeedList feeds={feeds} columns={allFeedColumns} filters={filters} />
    </Page>
  );
}

const statuses = ['queued', 'processing', 'completed', 'failed'] as const;

interface Props {
  readonly feeds: UseQueryResult<ResponseOf<'listAllFeeds'>, ApiProblem>;
  readonly columns: readonly Column<Feed>[];
  readonly filters: ReturnType<typeof allRoute.useSearch>;
}

const withFailedLines = [{ value: 'true', label: messages.withFailedLines }];

/** A list of feeds with its filters. */
function FeedList({ feeds, columns, filters }: Props) {
  const { status, source, from, to } = filters;
  const sources = [...new Set((feeds.data?.data ?? []).map((feed) => feed.source))];
  return (
    <div className="section">
      <FilterBar>
        <ChoiceFilter
          label={messages.status}
          name="status"
          value={status}
          choices={statuses.map((value) => ({ value, label: messages.statuses[value] }))}
        />
        <ChoiceFilter
          label={messages.lines}
          name="refused_lines"
          value={filters.refused_lines?.toString()}
          choices={withFailedLines}
        />
        <ChoiceFilter
          label={messages.source}
          name="source"
          value={source}
          choices={sources.map((value) => ({ value, label: value }))}
          isFree
        />
        <TimeRange from={from} to={to} />
      </FilterBar>
      <PagedTable
        query={feeds}
        caption={messages.table}
        columns={columns}
        rowKey={({ feed_id }) => feed_id}
        noneMatch={messages.noneMatch}
        empty={<EmptyNote title={messages.empty} text={messages.emptyText} />}
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

/** The columns of a list of several brands. */
const allFeedColumns = feedColumns.toSpliced(1, 0, {
  header: messages.brand,
  cell: ({ brand_id }) => <BrandLink brandId={brand_id} />,
});

function rateOf({ lines_per_second: rate }: Feed): string {
  return rate === null ? '' : messages.feed.rate(rate);
}
