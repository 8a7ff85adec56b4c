import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ResponseOf } from '../../api/call.ts';
import { usePreferences } from '../../app/preferences.ts';
import { changed } from '../../app/search-params.ts';
import { FeedLink, KeyLink, RequestLink } from '../../parts/links.tsx';
import { EmptyNote } from '../../parts/loaded.tsx';
import { figure } from '../../parts/messages.ts';
import { Moment } from '../../parts/moment.tsx';
import { Thread, type ThreadStep } from '../../parts/thread.tsx';
import { pageOfLine } from '../feeds/line-results.ts';

export type Explanation = ResponseOf<'explainStock'>;
type Entry = Explanation['entries'][number];
type Refused = Explanation['refused'][number];

/** The changes on a page. */
export const perPage = 50;
/** The search parameters of the newest page. */
export const newest = { before: undefined, refused_before: undefined };

const route = getRouteApi('/brands/$brandId/explain');

interface Props {
  readonly explanation: Explanation;
  /** The earlier instant and its quantity: only what happened after it is shown. */
  readonly earlier: { readonly at: string; readonly quantity: number } | null;
}

/** The quantity and what led to it, newest first. */
export function Causes({ explanation, earlier }: Props) {
  const { brandId } = route.useParams();
  const { at, before, refused_before } = route.useSearch();
  const { level, quantity_at: quantity, entries, refused, refused_next } = explanation;
  if (level === null && entries.length === 0 && refused.length === 0)
    return <EmptyNote title="This SKU has had no quantity at this location" />;
  const since = earlier === null ? Number.NEGATIVE_INFINITY : Date.parse(earlier.at);
  const isWanted = (one: { readonly at: string }) => Date.parse(one.at) > since;
  const last = entries.at(-1);
  const hasMore = last !== undefined && entries.length === perPage && isWanted(last);
  const causes = [
    ...entries.filter(isWanted).map((entry) => ({ at: entry.at, step: stepOfEntry(brandId, entry) })),
    ...refused.filter(isWanted).map((line) => ({ at: line.at, step: stepOfRefused(brandId, line) })),
  ].sort((one, other) => Date.parse(other.at) - Date.parse(one.at));
  const shown = (
    <>
      <strong className="answer">{figure(quantity)}</strong>
      {(at !== undefined || before !== undefined) && (
        <>
          {' '}
          <Instant at={at} />
        </>
      )}
      {/* On a page of earlier movements the last change is not there. */}
      {before === undefined && <Because brandId={brandId} entry={entries[0]} at={at} />}
      {level !== null && (
        <span className="soft">
          {' '}
          {figure(level.reserved)} reserved now, {figure(level.available)} available now
        </span>
      )}
    </>
  );
  const begin = earlier !== null && (
    <>
      <strong>{figure(earlier.quantity)}</strong> <Instant at={earlier.at} />
    </>
  );
  return (
    <>
      {earlier !== null && <p className="note">{sumText(quantity - earlier.quantity)}</p>}
      <Thread
        label="From the quantity to its causes"
        steps={[
          { key: 'quantity', kind: 'Quantity', tone: 'good', content: shown },
          ...causes.map(({ step }) => step),
          ...(begin && !hasMore ? [{ key: 'earlier', kind: 'Quantity', content: begin }] : []),
        ]}
      />
      <p className="form-row">
        {(before !== undefined || refused_before !== undefined) && (
          <Link to="." className="button" rel="prev" search={changed(newest)}>
            Latest movements
          </Link>
        )}
        {refused_next !== null && (
          <Link to="." className="button" search={changed({ refused_before: refused_next })}>
            Earlier refused lines
          </Link>
        )}
        {hasMore && (
          <Link to="." className="button" rel="next" search={changed({ ...newest, before: last.id })}>
            Earlier movements
          </Link>
        )}
      </p>
    </>
  );
}

interface BecauseProps {
  readonly brandId: string;
  /** The last change until the instant of the question. */
  readonly entry: Entry | undefined;
  readonly at: string | undefined;
}

/** Says in words what set the quantity last, and when. */
function Because({ brandId, entry, at }: BecauseProps) {
  const { time } = usePreferences();
  if (entry === undefined) return `, because nothing ${at === undefined ? 'has' : 'had'} set it yet.`;
  const { feed, key_id: keyId } = entry;
  const key = keyId && <KeyLink brandId={brandId} keyId={keyId} isShort />;
  return (
    <>
      , because{' '}
      {feed && (
        <>
          feed <FeedLink brandId={brandId} feedId={feed.feed_id} name={feed.source_batch_id} />
          {key && ' of '}
        </>
      )}
      {key ?? (feed === null && 'an adjustment')} set it {time !== 'ago' && 'at '}
      <Moment at={entry.at} />.
    </>
  );
}

/** The instant of a question. The previous answer stays for a moment while the server refuses what is no instant. */
function Instant({ at }: { readonly at: string | undefined }) {
  if (at === undefined) return 'now';
  return Number.isNaN(Date.parse(at)) ? at : <Moment at={at} />;
}

function stepOfEntry(brandId: string, entry: Entry): ThreadStep {
  const kinds: Readonly<Record<string, string>> = { adjustment: 'Adjustment', feed_line: 'Feed line' };
  // Without a note of the sender the note only repeats the feed or the key.
  const isRepeated = entry.feed !== null || entry.note === `client-api:${entry.key_id}`;
  return {
    key: `movement ${entry.id}`,
    kind: kinds[entry.kind] ?? entry.kind,
    content: (
      <>
        <strong>
          {figure(entry.quantity_before)} → {figure(entry.quantity_after)}
        </strong>{' '}
        <AsOf at={entry.at} /> <span className="soft">{isRepeated ? '' : entry.note}</span>
      </>
    ),
    origins: originsOf(brandId, entry),
  };
}

function stepOfRefused(brandId: string, line: Refused): ThreadStep {
  const kinds: Readonly<Record<string, string>> = { stale: 'Stale line', superseded: 'Superseded line' };
  return {
    key: `refused ${line.feed.feed_id} ${line.feed.line} ${line.at}`,
    kind: kinds[line.result] ?? line.result,
    tone: 'off',
    content: (
      <>
        {line.quantity === null ? 'a quantity that is no longer stored' : figure(line.quantity)}, not applied,
        because a newer quantity was known <AsOf at={line.at} />
      </>
    ),
    origins: originsOf(brandId, line),
  };
}

function originsOf(
  brandId: string,
  { feed, request_id, key_id }: Pick<Entry, 'feed' | 'request_id' | 'key_id'>,
): readonly ThreadStep[] {
  const origins: Readonly<Record<string, ReactNode>> = {
    Feed: feed && <FeedOrigin brandId={brandId} feed={feed} />,
    Request: request_id && <RequestLink id={request_id} />,
    Key: key_id && <KeyLink brandId={brandId} keyId={key_id} />,
  };
  return Object.entries(origins).flatMap(([kind, content]) => (content ? { key: kind, kind, content } : []));
}

/** The time of a step: a link to the question as of then. */
function AsOf({ at }: { readonly at: string }) {
  return (
    <Link to="." search={changed({ ...newest, at })} className="quiet">
      <Moment at={at} />
    </Link>
  );
}

interface FeedProps {
  readonly brandId: string;
  readonly feed: NonNullable<Entry['feed']>;
}

function FeedOrigin({ brandId, feed: { feed_id: feedId, source_batch_id, line, updated_at } }: FeedProps) {
  return (
    <>
      <FeedLink brandId={brandId} feedId={feedId} name={source_batch_id} />{' '}
      {line !== null && (
        <Link
          to="/brands/$brandId/feeds/$feedId"
          params={{ brandId, feedId }}
          search={{ page: pageOfLine(line) }}
        >
          line {figure(line + 1)}
        </Link>
      )}
      {updated_at !== null && (
        <span className="soft">
          , time in the source <Moment at={updated_at} />
        </span>
      )}
    </>
  );
}

function sumText(change: number): string {
  return change === 0
    ? 'The quantity is the same at both instants.'
    : `The quantity ${change > 0 ? 'rose' : 'fell'} by ${figure(Math.abs(change))} between the two instants.`;
}
