import { Link } from '@tanstack/react-router';
import type { ResponseOf } from '../../api/call.ts';
import { KeyLink, RequestLink } from '../../parts/links.tsx';
import { figure } from '../../parts/messages.ts';
import { Moment } from '../../parts/moment.tsx';
import type { ThreadStep } from '../../parts/thread.tsx';
import { pageOfLine } from '../feeds/line-results.ts';
import { messages } from './messages.ts';

type Explanation = ResponseOf<'explainStock'>;
type Entry = Explanation['entries'][number];
type Refused = Explanation['refused'][number];

/** Returns the movements and the refused lines of a level as steps of one thread, newest first. */
export function causeSteps(brandId: string, { entries, refused }: Explanation): readonly ThreadStep[] {
  return [
    ...entries.map((entry) => ({ at: entry.at, step: stepOfEntry(brandId, entry) })),
    ...refused.map((line) => ({ at: line.at, step: stepOfRefused(brandId, line) })),
  ]
    .sort((one, other) => Date.parse(other.at) - Date.parse(one.at))
    .map(({ step }) => step);
}

function stepOfEntry(brandId: string, entry: Entry): ThreadStep {
  const kinds: Readonly<Record<string, string>> = messages.kinds;
  // Without a note of the sender the note only repeats the feed or the key.
  const isRepeated = entry.feed !== null || entry.note === `client-api:${entry.key_id}`;
  const note = isRepeated ? '' : entry.note;
  return {
    key: `movement ${entry.id}`,
    kind: kinds[entry.kind] ?? entry.kind,
    content: (
      <>
        <strong>
          {figure(entry.quantity_before)} → {figure(entry.quantity_after)}
        </strong>{' '}
        <AsOf at={entry.at} /> <span className="soft id">{note}</span>
      </>
    ),
    origins: originsOf(brandId, entry),
  };
}

function stepOfRefused(brandId: string, line: Refused): ThreadStep {
  const kinds: Readonly<Record<string, string>> = messages.refused;
  return {
    key: `refused ${line.feed.feed_id} ${line.feed.line} ${line.at}`,
    kind: kinds[line.result] ?? line.result,
    tone: 'off',
    content: (
      <>
        {line.quantity === null ? messages.dropped : figure(line.quantity)}, {messages.notApplied}{' '}
        <AsOf at={line.at} />
      </>
    ),
    origins: originsOf(brandId, line),
  };
}

function originsOf(
  brandId: string,
  { feed, request_id, key_id }: Pick<Entry, 'feed' | 'request_id' | 'key_id'>,
): readonly ThreadStep[] {
  return [
    ...(feed === null
      ? []
      : [{ key: 'feed', kind: messages.feed, content: <FeedOrigin brandId={brandId} feed={feed} /> }]),
    ...(request_id === null
      ? []
      : [{ key: 'request', kind: messages.request, content: <RequestLink id={request_id} /> }]),
    ...(key_id === null
      ? []
      : [{ key: 'key', kind: messages.key, content: <KeyLink brandId={brandId} keyId={key_id} /> }]),
  ];
}

/** The time of a step: a link to the question as of then. */
function AsOf({ at }: { readonly at: string }) {
  const search = (old: object) => ({ ...old, at, before: undefined, refused_before: undefined });
  return (
    <Link to="." search={search as never} className="quiet">
      <Moment at={at} />
    </Link>
  );
}

interface FeedProps {
  readonly brandId: string;
  readonly feed: NonNullable<Entry['feed']>;
}

function FeedOrigin({ brandId, feed }: FeedProps) {
  return (
    <>
      <Link
        to="/brands/$brandId/feeds/$feedId"
        params={{ brandId, feedId: feed.feed_id }}
        className="mono id"
      >
        {feed.source_batch_id}
      </Link>
      {feed.line !== null && (
        <>
          {' '}
          <Link
            to="/brands/$brandId/feeds/$feedId"
            params={{ brandId, feedId: feed.feed_id }}
            search={{ page: pageOfLine(feed.line) }}
          >
            {messages.line(feed.line)}
          </Link>
        </>
      )}
      {feed.updated_at !== null && (
        <span className="soft">
          , {messages.updated} <Moment at={feed.updated_at} />
        </span>
      )}
    </>
  );
}
