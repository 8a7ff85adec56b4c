import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { addressOf } from '../../api/call.ts';
import { useMayChange } from '../../api/session.ts';
import { useChange } from '../../api/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { StateMark } from '../../parts/state-mark.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { FeedLink } from './feed-facts.tsx';
import { type Feed, failedLines, failuresOf } from './line-results.ts';
import { messages } from './messages.ts';

const words = messages.failed;

/** The failed lines of a finished feed: how many, as files, and a way to send them again. */
export function FailedLines({ feed }: { readonly feed: Feed }) {
  const [isAsking, setAsking] = useState(false);
  const requeue = useChange('requeueFeed');
  const navigate = useNavigate();
  const toast = useToast();
  const mayChange = useMayChange();
  const results = failuresOf(feed);
  const count = failedLines(feed);
  const newest = feed.requeued_as.at(-1);
  if (count === 0) {
    return (
      <p>
        <StateMark tone="good">{words.none}</StateMark>
      </p>
    );
  }
  const path = [feed.brand_id, feed.feed_id] as const;
  const query = { result: results.join(',') };
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
              <Button kind={newest === undefined ? 'primary' : undefined} onClick={() => setAsking(true)}>
                {words.requeue}
              </Button>
            )}
            <a
              className="button"
              href={addressOf('getFeedLinesCsv', { path, query })}
              download={`${feed.feed_id}-failed.csv`}
            >
              {words.csv}
            </a>
            <a
              className="button"
              href={addressOf('getFeedLinesJsonl', { path, query })}
              download={`${feed.feed_id}-failed.jsonl`}
            >
              {words.jsonl}
            </a>
          </div>
        </>
      )}
      <ConfirmDialog
        title={words.confirmTitle(count)}
        action={words.confirm}
        kind="primary"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={async () => {
          const created = await requeue.mutateAsync({ path, body: { results } });
          toast(words.requeued);
          const params = { brandId: String(feed.brand_id), feedId: created.feed_id };
          await navigate({ to: '/brands/$brandId/feeds/$feedId', params });
        }}
      >
        {newest === undefined ? words.confirmText : `${words.again} ${words.confirmText}`}
      </ConfirmDialog>
    </section>
  );
}
