import type { FailedLine, FeedLine } from '@brandport/client';
import { feedLines } from './feed-rows.ts';
import type { FeedState } from './feed-state.ts';

/**
 * Adds to failed lines what their file has for them. `original` stays null once the file is gone, or its line is corrected.
 * Memory holds one line: failed lines come in the order of the file.
 */
export async function* withOriginals(
  failed: AsyncIterable<FailedLine>,
  path: string,
  state: FeedState,
): AsyncGenerator<FailedLine, void, undefined> {
  const lines = feedLines({ path, ...state.read_with });
  let [place, line]: [number, FeedLine | null] = [-1, null];
  for await (const one of failed) {
    const wanted = state.places?.[one.line] ?? one.line;
    while (place < wanted) {
      // A file that was removed or damaged has no originals.
      const next = await lines.next().catch(() => ({ done: true, value: undefined }));
      line = next.done === true ? null : (next.value as FeedLine);
      place = line === null ? Number.POSITIVE_INFINITY : place + 1;
    }
    const isSame = line?.sku === one.sku && line.location_code === one.location_code;
    yield { ...one, original: isSame ? line : null };
  }
  await lines.return();
}
