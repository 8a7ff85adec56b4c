import type { UseQueryResult } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ApiProblem } from '../../api/api-problem.ts';
import type { ResponseOf } from '../../api/call.ts';
import { useApi } from '../../api/use-api.ts';
import { ChoiceFilter, choicesOf, FilterBar, plainChoices, TimeRange } from '../../parts/filters.tsx';
import { brandColumn } from '../../parts/links.tsx';
import { EmptyNote } from '../../parts/loaded.tsx';
import { figure } from '../../parts/messages.ts';
import { Page } from '../../parts/page.tsx';
import { StateMark, WorkState } from '../../parts/state-mark.tsx';
import { type Column, PagedTable } from '../../parts/table.tsx';
import { durationOf, type Feed, failedLines, linesLeft, progressOf, rateText } from './line-results.ts';

const statuses = choicesOf({
  queued: 'Queued',
  processing: 'Processing',
  completed: 'Completed',
  failed: 'Failed',
});

const route = getRouteApi('/brands/$brandId/feeds');
const refreshMs = 5000;

/** The stock feeds of a brand, newest first. */
export function FeedsPage() {
  const { brandId } = route.useParams();
  const { page, not_understood: _, ...filters } = route.useSearch();
  const feeds = useApi(
    'listBrandFeeds',
    { path: [brandId], query: { ...filters, page, per_page: 50 } },
    { refreshMs },
  );
  return (
    <Page
      title="Feeds"
      lead="Stock that integrations sent. The feeds of a brand are applied one after the other."
    >
      <FeedList feeds={feeds} columns={feedColumns} filters={filters} />
    </Page>
  );
}

const allRoute = getRouteApi('/feeds');

/** The stock feeds of all brands, newest first. */
export function AllFeedsPage() {
  const { page, not_understood: _, ...filters } = allRoute.useSearch();
  const feeds = useApi('listAllFeeds', { query: { ...filters, page, per_page: 50 } }, { refreshMs });
  return (
    <Page
      title="Feeds"
      tabTitle="Feeds of all brands"
      lead="Stock that integrations of all brands sent. The feeds of a brand are applied one after the other."
    >
      <FeedList feeds={feeds} columns={allFeedColumns} filters={filters} />
    </Page>
  );
}

interface Props {
  readonly feeds: UseQueryResult<ResponseOf<'listAllFeeds'>, ApiProblem>;
  readonly columns: readonly Column<Feed>[];
  readonly filters: ReturnType<typeof allRoute.useSearch>;
}

const withFailedLines = [{ value: 'true', label: 'With failed lines' }];

/** A list of feeds with its filters. */
function FeedList({ feeds, columns, filters }: Props) {
  const { status, source, from, to } = filters;
  const sources = [...new Set((feeds.data?.data ?? []).map((feed) => feed.source))];
  return (
    <div className="section">
      <FilterBar>
        <ChoiceFilter label="Status" name="status" value={status} choices={statuses} />
        <ChoiceFilter
          label="Lines"
          name="refused_lines"
          value={filters.refused_lines?.toString()}
          choices={withFailedLines}
        />
        <ChoiceFilter label="Source" name="source" value={source} choices={plainChoices(sources)} isFree />
        <TimeRange from={from} to={to} />
      </FilterBar>
      <PagedTable
        query={feeds}
        caption="Stock feeds"
        columns={columns}
        rowKey={({ feed_id }) => feed_id}
        noneMatch="No feed matches the filters"
        empty={
          <EmptyNote
            title="No feed yet"
            text="An integration sends feeds with a key that has the scope catalog.stock:ingest."
          />
        }
      />
    </div>
  );
}

const feedColumns: readonly Column<Feed>[] = [
  {
    header: 'Batch id',
    text: ({ batch_id }) => batch_id,
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
  { header: 'Status', text: ({ status }) => status, cell: ({ status }) => <WorkState state={status} /> },
  { header: 'Source', isExtra: true, text: ({ source }) => source },
  {
    header: 'Received',
    sort: '-received_at',
    isUsualSort: true,
    isExtra: true,
    at: ({ received_at }) => received_at,
  },
  {
    header: 'Lines',
    align: 'end',
    sort: '-received_lines',
    isExtra: true,
    text: ({ received_lines }) => received_lines,
  },
  {
    header: 'Progress',
    isExtra: true,
    cell: (feed) => (feed.finished_at === null ? progressOf(feed) : rateOf(feed)),
  },
  { header: 'Duration', align: 'end', sort: '-duration', isExtra: true, cell: (feed) => durationOf(feed) },
  {
    header: 'Lines left',
    sort: '-lines_left',
    text: linesLeft,
    align: 'end',
    cell: (feed) => {
      const [failed, left] = [failedLines(feed), linesLeft(feed)];
      if (left > 0)
        return (
          <StateMark tone="bad">
            {left < failed ? `${figure(left)} of ${figure(failed)}` : figure(left)}
          </StateMark>
        );
      return failed === 0 ? '0' : <span className="soft">0 of {figure(failed)}</span>;
    },
  },
];

/** The columns of a list of several brands. */
const allFeedColumns = feedColumns.toSpliced(1, 0, brandColumn);

/** A feed that has failed says how far it came. */
function rateOf(feed: Feed): string {
  const { status, lines_per_second: rate } = feed;
  if (status === 'failed') return progressOf({ ...feed, lines_per_second: null });
  return rate === null ? '' : rateText(rate);
}
