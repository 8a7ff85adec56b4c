import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ResponseOf } from '../../api/call.ts';
import { EmptyNote } from '../../parts/empty-note.tsx';
import { KeyLink, RequestLink } from '../../parts/links.tsx';
import { figure } from '../../parts/messages.ts';
import { Moment } from '../../parts/moment.tsx';
import { Thread, type ThreadStep } from '../../parts/thread.tsx';
import { pageOfLine } from '../feeds/line-results.ts';
import { messages } from './messages.ts';

type Explanation = ResponseOf<'explainStock'>;

/** The changes on a page. */
export const perPage = 50;

interface Props {
  readonly brandId: string;
  readonly explanation: Explanation;
  readonly at: string | undefined;
  /** The earlier instant and its quantity: only what happened after it is shown. */
  readonly earlier: { readonly at: string; readonly quantity: number } | null;
  readonly before: number | undefined;
  readonly refusedBefore: string | undefined;
}

/** The quantity and what led to it, newest first. */
export function Causes({ brandId, explanation, at, earlier, before, refusedBefore }: Props) {
  const { level, quantity_at: quantity, entries, refused, refused_next } = explanation;
  if (level === null && entries.length === 0 && refused.length === 0)
    return <EmptyNote title={messages.none} />;
  const since = earlier === null ? Number.NEGATIVE_INFINITY : Date.parse(earlier.at);
  const isWanted = (one: { readonly at: string }) => Date.parse(one.at) > since;
  const last = entries.at(-1);
  const hasMore = last !== undefined && entries.length === perPage && isWanted(last);
  const shown = { ...explanation, entries: entries.filter(isWanted), refused: refused.filter(isWanted) };
  return (
    <>
      {earlier !== null && <p className="note">{messages.difference.sum(quantity - earlier.quantity)}</p>}
      <Thread
        label={messages.label}
        steps={[
          quantityStep('quantity', quantity, <Instant at={at} />, level),
          ...causeSteps(brandId, shown),
          ...(earlier === null || hasMore
            ? []
            : [quantityStep('earlier', earlier.quantity, <Instant at={earlier.at} />, null)]),
        ]}
      />
      <p className="form-row">
        {(before !== undefined || refusedBefore !== undefined) && (
          <PageLink
            search={{ before: undefined, refused_before: undefined }}
            label={messages.latest}
            rel="prev"
          />
        )}
        {refused_next !== null && (
          <PageLink search={{ refused_before: refused_next }} label={messages.moreRefused} />
        )}
        {hasMore && (
          <PageLink
            search={{ before: last.id, refused_before: undefined }}
            label={messages.earlier}
            rel="next"
          />
        )}
      </p>
    </>
  );
}

function quantityStep(
  key: string,
  quantity: number,
  instant: ReactNode,
  level: Explanation['level'],
): ThreadStep {
  return {
    key,
    kind: messages.quantity,
    tone: 'good',
    content: (
      <>
        <strong className={key === 'quantity' ? 'answer' : undefined}>{figure(quantity)}</strong> {instant}
        {level !== null && (
          <span className="soft">
            {' '}
            {messages.reserved(level.reserved)}, {messages.available(level.available)}
          </span>
        )}
      </>
    ),
  };
}

/** The instant of a question. The previous answer stays for a moment while the server refuses what is no instant. */
function Instant({ at }: Pick<Props, 'at'>) {
  if (at === undefined) return messages.now;
  return Number.isNaN(Date.parse(at)) ? at : <Moment at={at} />;
}

interface LinkProps {
  readonly search: object;
  readonly label: string;
  readonly rel?: 'prev' | 'next';
}

function PageLink({ search, label, rel }: LinkProps) {
  return (
    <Link to="." className="button" rel={rel} search={((old: object) => ({ ...old, ...search })) as never}>
      {label}
    </Link>
  );
}

type Entry = Explanation['entries'][number];
type Refused = Explanation['refused'][number];

/** Returns the movements and the refused lines of a level as steps of one thread, newest first. */
function causeSteps(brandId: string, { entries, refused }: Explanation): readonly ThreadStep[] {
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
            {messages.line(feed.line + 1)}
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
