/** One line of an NDJSON stream; `bytes` is null if the line exceeds the limit. */
export interface NdjsonLine {
  /** 0-based; blank lines count. */
  readonly index: number;
  readonly bytes: Buffer | null;
}

const newline = 0x0a;
const carriageReturn = 0x0d;

/**
 * Cuts a stream into lines, without blank ones. Keeps at most one chunk and one line of up to `maxLineBytes`. The source is
 * read only as lines are consumed, which slows the client down to the pace of processing.
 */
export async function* ndjsonLines(
  source: AsyncIterable<Buffer>,
  maxLineBytes = 65_536,
): AsyncGenerator<NdjsonLine> {
  let index = 0;
  let kept: Buffer[] = [];
  let keptBytes = 0;
  const take = (): NdjsonLine | null => {
    const isTooLong = keptBytes > maxLineBytes;
    const bytes = isTooLong ? null : trimmed(kept.length === 1 ? (kept[0] as Buffer) : Buffer.concat(kept));
    const line = { index, bytes };
    index += 1;
    kept = [];
    keptBytes = 0;
    return bytes !== null && bytes.length === 0 ? null : line;
  };
  for await (const chunk of source) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      keep(chunk.subarray(start, end));
      start = end + 1;
      const line = take();
      if (line !== null) yield line;
    }
    keep(chunk.subarray(start));
    // The memory of the chunk is freed when the next one is requested.
    if (kept.length > 0) kept.push(Buffer.from(kept.pop() as Buffer));
  }
  const last = take();
  if (last !== null) yield last;

  function keep(part: Buffer): void {
    keptBytes += part.length;
    if (keptBytes > maxLineBytes) kept = [];
    else if (part.length > 0) kept.push(part);
  }
}

function trimmed(line: Buffer): Buffer {
  return line.at(-1) === carriageReturn ? line.subarray(0, -1) : line;
}
