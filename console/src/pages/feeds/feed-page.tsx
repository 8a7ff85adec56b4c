import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { addressOf } from '../../api/call.ts';
import { useMayChange } from '../../api/session.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmButton } from '../../parts/confirm-dialog.tsx';
import { CopyableId } from '../../parts/copyable-id.tsx';
import { Facts } from '../../parts/facts.tsx';
import { FeedLink, KeyLink, RequestLink } from '../../parts/links.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { counted, figure } from '../../parts/messages.ts';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { StateMark, WorkState } from '../../parts/state-mark.tsx';
import { DataTable } from '../../parts/table.tsx';
import { toast } from '../../parts/toast.ts';
import { History } from '../audit/history.tsx';
import { CorrectionForm, saveFailedLines } from './corrections.tsx';
import { FeedLines, type Line, lineColumnsOf } from './feed-lines.tsx';
import {
  durationOf,
  type Feed,
  failedLines,
  failures,
  failuresOf,
  type LineResult,
  linesLeft,
  linesPerPage,
  progressOf,
} from './line-results.ts';

const route = getRouteApi('/brands/$brandId/feeds/$feedId');
const refreshMs = 3000;

/** One feed: its progress, the lines that failed, and lines by result. One read has them all, as of one moment. */
export function FeedPage() {
  const { brandId, feedId } = route.useParams();
  const { result, page } = route.useSearch();
  const wanted = result === 'failed' || result === 'left' ? failures.join(',') : result;
  const query = { result: wanted, left: result === 'left' || undefined, page, per_page: linesPerPage };
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
            {feed.finished_at !== null && <FailedLines feed={feed} isListed={result !== undefined} />}
            <FeedLines feed={feed} lines={lines} result={result} />
            <History type="stock_feed" id={feedId} none={null} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

interface FailedProps {
  readonly feed: Feed;
  /** true: the list below has the lines of a result, so they are not shown twice. */
  readonly isListed: boolean;
}

/** The failed lines of a finished feed that are left: how many, as files, and a way to send them again. */
function FailedLines({ feed, isListed }: FailedProps) {
  const requeue = useChange('requeueFeed');
  const navigate = useNavigate();
  const mayChange = useMayChange();
  const results = failuresOf(feed);
  const [failed, left] = [failedLines(feed), linesLeft(feed)];
  const newest = feed.requeued_as.at(-1);
  if (failed === 0) return <StateMark tone="good">No line failed</StateMark>;
  const path = [feed.brand_id, feed.feed_id] as const;
  const query = { result: results.join(','), left: true };

  async function requeueAll(): Promise<void> {
    const created = await requeue.mutateAsync({ path, body: { results, left: true } });
    toast('The failed lines that were left are queued in this new feed.');
    const params = { brandId: String(feed.brand_id), feedId: created.feed_id };
    await navigate({ to: '/brands/$brandId/feeds/$feedId', params });
  }

  return (
    <section className="section" aria-labelledby="failed">
      <h2 id="failed">
        <Link
          to="/brands/$brandId/feeds/$feedId"
          params={{ brandId: String(feed.brand_id), feedId: feed.feed_id }}
          search={{ result: left > 0 ? 'left' : 'failed' }}
          hash="lines"
        >
          <StateMark tone={left > 0 ? 'bad' : 'good'}>{failedText(failed, left)}</StateMark>
        </Link>
      </h2>
      {newest !== undefined && (
        <p className="note">
          Lines of this feed were sent again
          {feed.requeued_as.length === 1 ? ' as ' : `, in ${feed.requeued_as.length} feeds, last as `}
          <FeedLink brandId={feed.brand_id} feedId={newest} />
        </p>
      )}
      {feed.lines_dropped_at === null && left > 0 && (
        <>
          <p className="soft">
            Correct the cause here or in the source, then send the lines that are left again, or send them as
            a corrected file.
          </p>
          {!isListed && <FirstLeft feed={feed} results={results} />}
          <div className="form-row">
            {mayChange && (
              <ConfirmButton
                look="primary"
                label={
                  left === failed
                    ? 'Re-queue the failed lines'
                    : `Re-queue ${counted(left, 'line that is left', 'lines that are left')}`
                }
                title={`Re-queue ${counted(left, 'failed line', 'failed lines')}?`}
                action="Re-queue them"
                kind="primary"
                onConfirm={requeueAll}
              >
                A new feed is created with the failed lines that are left. Each keeps its time: a quantity
                that was written since is not overwritten.
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

/** Says how many failed lines no later line, re-queue or correction has dealt with. */
export function failedText(failed: number, left: number): string {
  if (left === 0) return `${counted(failed, 'line', 'lines')} failed, none is left`;
  if (left >= failed) return `${counted(failed, 'line', 'lines')} failed`;
  return `${figure(left)} of ${counted(failed, 'failed line', 'failed lines')} ${left === 1 ? 'is' : 'are'} left`;
}

const firstShown = 10;

/** The first of the failed lines that are left, above all lines. */
function FirstLeft({ feed, results }: { readonly feed: Feed; readonly results: readonly LineResult[] }) {
  const query = { result: results.join(','), left: true, per_page: firstShown };
  const lines = useApi('listFeedLines', { path: [feed.brand_id, feed.feed_id], query });
  const rows = lines.data?.data ?? [];
  const columns = useMemo(
    () => lineColumnsOf({ brand_id: feed.brand_id, finished_at: feed.finished_at }),
    [feed.brand_id, feed.finished_at],
  );
  if (rows.length === 0) return null;
  return (
    <>
      <DataTable caption="Failed lines that are left" columns={columns} rows={rows} rowKey={keyOfLine} />
      {(lines.data?.meta.total ?? 0) > rows.length && (
        <p>
          <Link
            to="/brands/$brandId/feeds/$feedId"
            params={{ brandId: String(feed.brand_id), feedId: feed.feed_id }}
            search={{ result: 'left' }}
            hash="lines"
          >
            All {figure(lines.data?.meta.total ?? 0)} that are left
          </Link>
        </p>
      )}
    </>
  );
}

const keyOfLine = ({ line }: Line) => String(line);

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
