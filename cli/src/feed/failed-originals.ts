import type { FailedLine, FeedLine } from '@brandport/client';
import { inputRows } from '../input/input-rows.ts';
import { feedLines } from './feed-rows.ts';
import type { FeedState } from './feed-state.ts';

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
