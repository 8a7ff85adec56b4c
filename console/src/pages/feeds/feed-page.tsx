import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { addressOf } from '../../api/call.ts';
import { useMayChange } from '../../api/session.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmButton } from '../../parts/confirm-dialog.tsx';
import { CopyableId } from '../../parts/copyable-id.tsx';
import { Facts } from '../../parts/facts.tsx';
import { FeedLink, KeyLink, RequestLink } from '../../parts/links.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { StateMark, WorkState } from '../../parts/state-mark.tsx';
import { toast } from '../../parts/toast.ts';
import { History } from '../audit/history.tsx';
import { CorrectionForm, saveFailedLines } from './corrections.tsx';
import { FeedLines } from './feed-lines.tsx';
import {
  durationOf,
  type Feed,
  failedLines,
  failures,
  failuresOf,
  linesPerPage,
  progressOf,
} from './line-results.ts';
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
    <Page
      title={title}
      tabTitle={messages.feed.tabTitle(lines.data?.feed.batch_id ?? feedId)}
      aside={lines.data !== undefined && <FeedFacts feed={lines.data.feed} />}
    >
      <Loaded query={lines}>
        {({ feed }) => (
          <>
            {feed.finished_at !== null && <FailedLines feed={feed} />}
            <FeedLines feed={feed} lines={lines} result={result} />
            <History type="stock_feed" id={feedId} none={null} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

const words = messages.failed;

/** The failed lines of a finished feed: how many, as files, and a way to send them again. */
function FailedLines({ feed }: { readonly feed: Feed }) {
  const requeue = useChange('requeueFeed');
  const navigate = useNavigate();
  const mayChange = useMayChange();
  const results = failuresOf(feed);
  const count = failedLines(feed);
  const newest = feed.requeued_as.at(-1);
  if (count === 0) return <StateMark tone="good">{words.none}</StateMark>;
  const path = [feed.brand_id, feed.feed_id] as const;
  const query = { result: results.join(',') };

  async function requeueAll(): Promise<void> {
    const created = await requeue.mutateAsync({ path, body: { results } });
    toast(words.requeued);
    const params = { brandId: String(feed.brand_id), feedId: created.feed_id };
    await navigate({ to: '/brands/$brandId/feeds/$feedId', params });
  }

  return (
    <section className="section" aria-labelledby="failed">
      <h2 id="failed">
        <StateMark tone="bad">{words.title(count)}</StateMark>
      </h2>
      {feed.lines_dropped_at === null && (
        <>
          {newest === undefined ? (
            <p className="soft">{words.lead}</p>
          ) : (
            <p className="note">
              {words.sentAgain(feed.requeued_as.length)} <FeedLink brandId={feed.brand_id} feedId={newest} />
            </p>
          )}
          <div className="form-row">
            {mayChange && (
              <ConfirmButton
                look={newest === undefined ? 'primary' : undefined}
                label={words.requeue}
                title={words.confirmTitle(count)}
                action={words.confirm}
                kind="primary"
                onConfirm={requeueAll}
              >
                {newest === undefined ? words.confirmText : `${words.again} ${words.confirmText}`}
              </ConfirmButton>
            )}
            <Button onClick={() => void saveFailedLines(feed).catch((error: Error) => toast(error.message))}>
              {words.csv}
            </Button>
            <a
              className="button"
              href={addressOf('getFeedLinesJsonl', { path, query })}
              download={`${feed.feed_id}-failed.jsonl`}
            >
              {words.jsonl}
            </a>
          </div>
          {mayChange && <CorrectionForm feed={feed} />}
        </>
      )}
    </section>
  );
}

/** The facts of a feed: where it comes from and how far it is. */
function FeedFacts({ feed }: { readonly feed: Feed }) {
  const { submitted_by: writer, request_id: requestId } = feed;
  const unknown = <span className="soft">{messages.feed.unknown}</span>;
  return (
    <Facts
      items={{
        [messages.status]: <WorkState state={feed.status} />,
        [messages.feed.message]: feed.message,
        [messages.feed.progress]: progressOf(feed),
        [messages.feed.waiting]: feed.waiting && messages.feed.waitsFor(feed.waiting),
        [messages.source]: feed.source,
        [messages.received]: <Moment at={feed.received_at} />,
        [messages.feed.finished]: <Moment at={feed.finished_at} absent={messages.feed.unfinished} />,
        [messages.duration]: durationOf(feed),
        [messages.feed.submittedBy]: writer ? <KeyLink brandId={feed.brand_id} keyId={writer} /> : unknown,
        [messages.feed.request]: requestId ? <RequestLink id={requestId} /> : unknown,
        [messages.feed.requeueOf]: feed.requeue_of && (
          <FeedLink brandId={feed.brand_id} feedId={feed.requeue_of} />
        ),
        [messages.feed.requeuedAs]: feed.requeued_as.length > 0 && (
          <span className="form-row">
            {feed.requeued_as.map((id) => (
              <FeedLink key={id} brandId={feed.brand_id} feedId={id} />
            ))}
          </span>
        ),
        [messages.feed.id]: <CopyableId id={feed.feed_id} />,
      }}
    />
  );
}
