import { getRouteApi } from '@tanstack/react-router';
import { useApi } from '../../api/use-api.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { FailedLines } from './failed-lines.tsx';
import { FeedFacts } from './feed-facts.tsx';
import { FeedLines } from './feed-lines.tsx';
import { messages } from './messages.ts';

const route = getRouteApi('/brands/$brandId/feeds/$feedId');
const refreshMs = 3000;

/** One feed: its progress, the lines that failed, and all lines by result. */
export function FeedPage() {
  const { brandId, feedId } = route.useParams();
  const { result, page } = route.useSearch();
  const feed = useApi('getBrandFeed', { path: [brandId, feedId] }, { refreshMs });
  return (
    <div className="page">
      <PageHead
        title={feed.data?.batch_id ?? '…'}
        tabTitle={messages.feed.tabTitle(feed.data?.batch_id ?? feedId)}
      />
      <Loaded query={feed}>
        {(data) => (
          <>
            <FeedFacts feed={data} />
            {data.finished_at !== null && <FailedLines feed={data} />}
            <FeedLines feed={data} result={result} page={page} />
          </>
        )}
      </Loaded>
    </div>
  );
}
