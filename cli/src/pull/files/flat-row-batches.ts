import { createReadStream } from 'node:fs';
import type { FlatRow } from '../../columns/flat-rows.ts';

/** Reads rows, a JSON object each line, in batches of at most `size`. */
export async function* flatRowBatches(
  path: string | null,
  size: number,
): AsyncGenerator<FlatRow[], void, undefined> {
  let batch: FlatRow[] = [];
  for await (const line of linesOf(path)) {
    batch.push(JSON.parse(line));
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Splits at line feeds alone: `node:readline` also splits at U+2028, which strings may contain. */
async function* linesOf(path: string | null): AsyncGenerator<string, void, undefined> {
  if (path === null) return;
  let rest = '';
  for await (const chunk of createReadStream(path, 'utf8')) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
