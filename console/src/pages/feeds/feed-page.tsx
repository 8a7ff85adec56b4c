import { getRouteApi } from '@tanstack/react-router';
import { useApi } from '../../api/use-api.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { FailedLines } from './failed-lines.tsx';
import { FeedFacts } from './feed-facts.tsx';
import { FeedLines } from './feed-lines.tsx';
import { failures, linesPerPage } from './line-results.ts';
import { messages } from './messages.ts';

const route = getRouteApi('/brands/$brandId/feeds/$feedId');
const refreshMs = 3000;

/** One feed: its progress, the lines that failed, and lines by result. One read has them all, as of one moment. */
export function FeedPage() {
  const { brandId, feedId } = route.useParams();
  const { result, page } = route.useSearch();
  const wanted = result === 'failed' ? failures.join(',') : result;
  const query = { result: wanted, page, per_page: linesPerPage };
  const lines = useApi(
    'listFeedLines',
    { path: [brandId, feedId], query },
    { refreshMs: (data) => (data.feed.finished_at === null ? refreshMs : undefined) },
  );
  const title = lines.data?.feed.batch_id ?? (lines.isError ? feedId : '…');
  return (
    <Page title={title} tabTitle={messages.feed.tabTitle(lines.data?.feed.batch_id ?? feedId)}>
      <Loaded query={lines}>
        {({ feed }) => (
          <>
            <FeedFacts feed={feed} />
            {feed.finished_at !== null && <FailedLines feed={feed} />}
            <FeedLines feed={feed} lines={lines} result={result} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
