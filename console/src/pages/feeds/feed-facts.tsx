import { Link } from '@tanstack/react-router';
import { CopyableId } from '../../parts/copyable-id.tsx';
import { Facts } from '../../parts/facts.tsx';
import { KeyLink, RequestLink } from '../../parts/links.tsx';
import { Moment } from '../../parts/moment.tsx';
import { WorkState } from '../../parts/state-mark.tsx';
import { durationOf, progressOf } from './feed-progress.ts';
import type { Feed } from './line-results.ts';
import { messages } from './messages.ts';

const words = messages.feed;

/** The facts of a feed: where it comes from and how far it is. */
export function FeedFacts({ feed }: { readonly feed: Feed }) {
  const { submitted_by: writer, request_id: requestId } = feed;
  const unknown = <span className="soft">{words.unknown}</span>;
  return (
    <div className="section">
      <Facts
        items={[
          [messages.status, <WorkState key="status" state={feed.status} />],
          ...(feed.message === null ? [] : [[words.message, feed.message] as const]),
          [words.progress, progressOf(feed)],
          [messages.source, feed.source],
          [messages.received, <Moment key="received" at={feed.received_at} />],
          [words.finished, <Moment key="finished" at={feed.finished_at} absent={words.unfinished} />],
          [messages.duration, durationOf(feed)],
          [
            words.submittedBy,
            writer === null ? unknown : <KeyLink key="key" brandId={feed.brand_id} keyId={writer} />,
          ],
          [words.request, requestId === null ? unknown : <RequestLink key="request" id={requestId} />],
          ...(feed.requeue_of === null
            ? []
            : [
                [
                  words.requeueOf,
                  <FeedLink key="of" brandId={feed.brand_id} feedId={feed.requeue_of} />,
                ] as const,
              ]),
          ...(feed.requeued_as.length === 0
            ? []
            : [
                [
                  words.requeuedAs,
                  <span key="as" className="form-row">
                    {feed.requeued_as.map((id) => (
                      <FeedLink key={id} brandId={feed.brand_id} feedId={id} />
                    ))}
                  </span>,
                ] as const,
              ]),
          [words.id, <CopyableId key="id" id={feed.feed_id} />],
        ]}
      />
    </div>
  );
}

interface Props {
  readonly brandId: number;
  readonly feedId: string;
}

/** A link to a feed, by its id. */
export function FeedLink({ brandId, feedId }: Props) {
  return (
    <Link to="/brands/$brandId/feeds/$feedId" params={{ brandId: String(brandId), feedId }} className="mono">
      {feedId}
    </Link>
  );
}
