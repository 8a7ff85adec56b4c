import {
  type Brandport,
  type FailedLine,
  type FeedLine,
  keyFrom,
  type SubmittedFeed,
} from '@brandport/client';
import { InputError } from '../errors.ts';
import { inputRows } from '../input/input-rows.ts';
import { quantity } from '../output/quantity.ts';
import { type FeedFile, feedLines } from './feed-rows.ts';
import { type FeedState, findFeedState, saveFeedState, statePathOf } from './send-feed.ts';

export interface ResendOptions {
  readonly brandport: Brandport;
  /** The file that was sent; its lines may have been corrected in place. */
  readonly file: FeedFile;
  readonly state: FeedState;
  readonly statePath: string;
  readonly signal?: AbortSignal | undefined;
}

/** The results for which sending the line again can help. */
const correctable = ['unknown_sku', 'unknown_location', 'not_stockable'];

/** Returns the feed of a state. Nothing is sent. */
function reopenFeed(
  { feeds }: Brandport,
  { source, batch_id: batchId, parts }: Pick<FeedState, 'source' | 'batch_id' | 'parts'>,
): SubmittedFeed {
  // The lines are read from the file only when they are sent again.
  return feeds.reopen({ source, batchId, lines: emptyLines() }, parts);
}

async function* emptyLines(): AsyncGenerator<FeedLine, void, undefined> {}

/**
 * Waits for the last sending, and sends its failed lines as another feed. A line without a time keeps the time of its
 * first receipt, so that it cannot replace a newer quantity. Returns null if no line failed.
 * @throws InputError if lines were added to the file or removed from it, BrandportError
 */
export async function resendFeed(
  options: ResendOptions,
): Promise<{ feed: SubmittedFeed; state: FeedState } | null> {
  const { brandport, state, statePath, signal } = options;
  await reopenFeed(brandport, state).wait({ signal });
  const failed = new Map<number, string>();
  for (const part of state.parts) {
    const { received_at: receivedAt } = await brandport.feeds.report(
      part.feedId,
      { per_page: 1 },
      { signal },
    );
    const one = reopenFeed(brandport, { ...state, parts: [part] });
    for await (const { line } of one.failedLines({ results: correctable, signal }))
      failed.set(state.places?.[line] ?? line, state.received?.[line] ?? receivedAt);
  }
  if (failed.size === 0) return null;
  const lines = await linesAt(options, failed);
  const round = state.round + 1;
  const content = (await keyFrom(lines)).slice(0, 16);
  const batchId = `${state.base_batch_id}-again${round}-${content}`;
  const feed = await brandport.feeds.submit({ source: state.source, batchId, lines }, { signal });
  const next: FeedState = {
    ...state,
    batch_id: batchId,
    places: [...failed.keys()],
    received: [...failed.values()],
    round,
    parts: feed.parts,
  };
  saveFeedState(statePath, next);
  return { feed, state: next };
}

async function linesAt(
  { file, state }: ResendOptions,
  failed: ReadonlyMap<number, string>,
): Promise<FeedLine[]> {
  const found = new Map<number, FeedLine>();
  let place = 0;
  for await (const line of feedLines(file)) {
    const receivedAt = failed.get(place);
    if (receivedAt !== undefined) found.set(place, { ...line, updated_at: line.updated_at ?? receivedAt });
    place += 1;
  }
  if (place !== state.file_lines)
    throw new InputError(
      `${file.path} has ${quantity(place, 'line')}, and ${state.file_lines} were sent. Correct lines in place, or send it as a new feed.`,
    );
  return [...failed.keys()].map((at) => found.get(at)).filter((line) => line !== undefined);
}

/** Returns the feed that a file was sent as, or the one of a feed id. */
export async function feedOf(brandport: Brandport, target: string): Promise<SubmittedFeed> {
  const state = await findFeedState(statePathOf(target));
  const part = { feedId: target, batchId: target, firstLine: 0, lines: 0, isNew: false, bodyDiffers: false };
  return reopenFeed(brandport, state ?? { source: '', batch_id: target, parts: [part] });
}

/** A line that did not set the stock. `line` counts from 1, in the file that was sent if it is known. */
export interface ReportedLine extends FailedLine {
  /** Where it stands, as `stock.csv:2`; null for a feed without a file. */
  readonly at: string | null;
}

/**
 * Adds to failed lines what their file has for them, and where. `original` stays null once the file is gone, or its line is
 * corrected. Memory holds one line: failed lines come in the order of the file.
 */
export async function* withOriginals(
  failed: AsyncIterable<FailedLine>,
  path: string,
  state: FeedState,
): AsyncGenerator<ReportedLine, void, undefined> {
  const lines = feedLines({ path, ...state.read_with });
  const rows = inputRows({ path, ...state.read_with });
  let [place, line, at]: [number, FeedLine | null, number | null] = [-1, null, null];
  for await (const one of failed) {
    const wanted = state.places?.[one.line] ?? one.line;
    while (place < wanted) {
      // A file that was removed or damaged has no originals.
      const next = await lines.next().catch(() => ({ done: true, value: undefined }));
      const row = await rows.next().catch(() => ({ done: true, value: undefined }));
      line = next.done === true ? null : (next.value as FeedLine);
      at = row.done === true || row.value === undefined ? null : row.value.line;
      place = line === null ? Number.POSITIVE_INFINITY : place + 1;
    }
    const isSame = line?.sku === one.sku && line.location_code === one.location_code;
    const original = isSame ? line : null;
    yield { ...one, line: wanted + 1, at: line === null || at === null ? null : `${path}:${at}`, original };
  }
  await lines.return();
  await rows.return();
}
