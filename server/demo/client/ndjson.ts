const linesPerChunk = 500;

/** Yields the values as NDJSON, in chunks that are created on demand. */
export async function* ndjsonOf(values: Iterable<unknown>): AsyncGenerator<Uint8Array> {
  let lines: string[] = [];
  for (const value of values) {
    lines.push(`${JSON.stringify(value)}\n`);
    if (lines.length < linesPerChunk) continue;
    yield Buffer.from(lines.join(''));
    lines = [];
  }
  if (lines.length > 0) yield Buffer.from(lines.join(''));
}
