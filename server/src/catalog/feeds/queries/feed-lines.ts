import type { Page } from '../../../api/pagination.ts';
import { ApiError } from '../../../errors/api-error.ts';
import type { Queryable } from '../../../postgres/database.ts';
import { countLines, type Feed, type FeedLineDetail, type LineState, packLines } from '../feed.ts';
import type { FeedProgress } from '../feed-progress.ts';
import { getFeedProgress } from './feed-progress-list.ts';
import { listLinesInStates, readLinesAt } from './stored-lines.ts';

export interface FeedLinePage {
  readonly feed: FeedProgress;
  /** In the order of the request. */
  readonly lines: FeedLineDetail[];
  readonly total: number;
}

/** Attempts to read an unfinished feed and its lines between two chunks. */
const attempts = 3;

/**
 * Reads a feed and one page of its lines, `states` null: of all, at one moment: again if a chunk was applied in between. With
 * states all lines of the feed are read.
 * @throws ApiError `not_found`
 */
export async function listFeedLines(
  database: Queryable,
  key: { readonly brandId: number; readonly feedId: string },
  states: readonly LineState[] | null,
  page: Page,
): Promise<FeedLinePage> {
  const read = () => getFeedProgress(database, key.brandId, key.feedId);
  let feed = await read();
  for (let attempt = 1; ; attempt += 1) {
    const total = countLines(feed, states);
    const isEmpty = page.offset >= total || feed.linesDroppedAt !== null;
    const lines = isEmpty ? [] : await readPage(database, feed, states, page);
    if (isEmpty || feed.finishedAt !== null || attempt === attempts) return { feed, lines, total };
    const after = await read();
    if (after.nextLine === feed.nextLine && after.status === feed.status) return { feed, lines, total };
    feed = after;
  }
}

/** Returns no lines if they were dropped meanwhile. */
export async function readPage(
  database: Queryable,
  feed: Feed,
  states: readonly LineState[] | null,
  page: Page,
): Promise<FeedLineDetail[]> {
  if (states !== null) return listLinesInStates(database, feed, states, page);
  const { offset, size } = page;
  return (await readLinesAt(database, feed, { from: offset, to: offset + size, states })).lines;
}

/** The packs whose lines one statement reads of a reordered feed, where each statement reads all packs. */
const packsAtOnce = 10;

/**
 * Yields lines in the order of the request, up to a thousand at a time. A statement reads 1,000 lines, or 10,000 of a reordered
 * feed: memory is bounded and no connection waits for a slow consumer.
 * @throws ApiError `conflict` if the lines were dropped, also between two statements
 */
export async function* readFeedLines(
  database: Queryable,
  feed: Feed,
  states: readonly LineState[] | null,
): AsyncGenerator<FeedLineDetail[], void> {
  const step = feed.isReordered ? packsAtOnce * packLines : packLines;
  for (let from = 0; from < feed.receivedLines; from += step) {
    const { lines, droppedAt } = await readLinesAt(database, feed, { from, to: from + step, states });
    if (droppedAt !== null) throw linesDropped(droppedAt);
    for (let first = 0; first < lines.length; first += packLines) yield lines.slice(first, first + packLines);
  }
}

/** The error of an operation that needs lines that retention has dropped [catalog-118]. */
export function linesDropped(at: Date): ApiError {
  return new ApiError('conflict', {
    message: `The lines of the feed were dropped on ${at.toISOString().slice(0, 10)}, because they were older than the server keeps them.`,
  });
}
