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
import { counted } from '../../parts/messages.ts';
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
      tabTitle={`Feed ${lines.data?.feed.batch_id ?? feedId}`}
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

/** The failed lines of a finished feed: how many, as files, and a way to send them again. */
function FailedLines({ feed }: { readonly feed: Feed }) {
  const requeue = useChange('requeueFeed');
  const navigate = useNavigate();
  const mayChange = useMayChange();
  const results = failuresOf(feed);
  const count = failedLines(feed);
  const newest = feed.requeued_as.at(-1);
  if (count === 0) return <StateMark tone="good">No line failed</StateMark>;
  const path = [feed.brand_id, feed.feed_id] as const;
  const query = { result: results.join(',') };

  async function requeueAll(): Promise<void> {
    const created = await requeue.mutateAsync({ path, body: { results } });
    toast('The failed lines are queued in this new feed.');
    const params = { brandId: String(feed.brand_id), feedId: created.feed_id };
    await navigate({ to: '/brands/$brandId/feeds/$feedId', params });
  }

  return (
    <section className="section" aria-labelledby="failed">
      <h2 id="failed">
        <StateMark tone="bad">{counted(count, 'line', 'lines')} failed</StateMark>
      </h2>
      {feed.lines_dropped_at === null && (
        <>
          {newest === undefined ? (
            <p className="soft">
              Correct the cause here or in the source, then send these lines again, or send them as a
              corrected file.
            </p>
          ) : (
            <p className="note">
              {feed.requeued_as.length === 1
                ? 'These lines were sent again, as'
                : `These lines were sent again ${feed.requeued_as.length} times, last as`}{' '}
              <FeedLink brandId={feed.brand_id} feedId={newest} />
            </p>
          )}
          <div className="form-row">
            {mayChange && (
              <ConfirmButton
                look={newest === undefined ? 'primary' : undefined}
                label="Re-queue the failed lines"
                title={`Re-queue ${counted(count, 'failed line', 'failed lines')}?`}
                action="Re-queue them"
                kind="primary"
                onConfirm={requeueAll}
              >
                {newest !== undefined && 'These lines were sent again before. '}A new feed is created with
                these lines. Each keeps its time: a quantity that was written since is not overwritten.
              </ConfirmButton>
            )}
            <Button onClick={() => void saveFailedLines(feed).catch((error: Error) => toast(error.message))}>
              Failed lines as CSV
            </Button>
            <a
              className="button"
              href={addressOf('getFeedLinesJsonl', { path, query })}
              download={`${feed.feed_id}-failed.jsonl`}
            >
              Failed lines as JSONL
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
  const unknown = <span className="soft">not recorded</span>;
  return (
    <Facts
      items={{
        Status: <WorkState state={feed.status} />,
        'Why it failed': feed.message,
        Progress: progressOf(feed),
        'Waits for': feed.waiting && <Waiting {...feed.waiting} />,
        Source: feed.source,
        Received: <Moment at={feed.received_at} />,
        Finished: <Moment at={feed.finished_at} absent="not yet" />,
        Duration: durationOf(feed),
        'Submitted by': writer ? <KeyLink brandId={feed.brand_id} keyId={writer} /> : unknown,
        Request: requestId ? <RequestLink id={requestId} /> : unknown,
        'Sends again lines of': feed.requeue_of && (
          <FeedLink brandId={feed.brand_id} feedId={feed.requeue_of} />
        ),
        'Sent again as': feed.requeued_as.length > 0 && (
          <span className="form-row">
            {feed.requeued_as.map((id) => (
              <FeedLink key={id} brandId={feed.brand_id} feedId={id} />
            ))}
          </span>
        ),
        'Feed id': <CopyableId id={feed.feed_id} />,
      }}
    />
  );
}

/** Says what a feed waits for, and who holds it up. */
function Waiting({ for: what, since, attempts, holder }: NonNullable<Feed['waiting']>) {
  return (
    <>
      {what === 'lock' ? 'a lock of the database' : what === 'pause' ? 'its next attempt' : 'its turn'}, since{' '}
      <Moment at={since} />
      {attempts > 0 && `, ${counted(attempts, 'failed attempt', 'failed attempts')}`}
      {holder !== null && (
        <>
          , held by the session with pid {holder.pid}
          {holder.since !== null && (
            <>
              {' '}
              since <Moment at={holder.since} />
            </>
          )}
        </>
      )}
    </>
  );
}
