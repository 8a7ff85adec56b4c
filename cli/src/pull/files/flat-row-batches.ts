import { createReadStream } from 'node:fs';
import type { FlatRow } from '../../columns/flat-rows.ts';
import { jsonLines } from '../../input/json-lines.ts';

/** Reads rows, a JSON object each line, in batches of at most `size`. */
export async function* flatRowBatches(
  path: string | null,
  size: number,
): AsyncGenerator<FlatRow[], void, undefined> {
  if (path === null) return;
  let batch: FlatRow[] = [];
  for await (const line of jsonLines(createReadStream(path))) {
    batch.push(JSON.parse(line));
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
