import type { FeedLine } from './feed-input.ts';

/** The limits of one feed. The service accepts bodies of 32 MiB. */
const partLimits: { readonly lines: number; readonly bytes: number } = {
  lines: 100_000,
  bytes: 30 * 1024 * 1024,
};

/** The lines of one feed as JSON. */
export interface FeedPart {
  /** The lines of all parts before. */
  readonly firstLine: number;
  readonly count: number;
  readonly json: string;
  readonly isLast: boolean;
}

/** Cuts lines into parts that the service accepts. Holds two parts in memory at most. */
export async function* feedParts(
  lines: Iterable<FeedLine> | AsyncIterable<FeedLine>,
  limits: typeof partLimits = partLimits,
): AsyncGenerator<FeedPart, void, undefined> {
  let texts: string[] = [];
  let bytes = 0;
  let firstLine = 0;
  const part = (isLast: boolean): FeedPart => {
    const one = { firstLine, count: texts.length, json: `[${texts.join(',')}]`, isLast };
    firstLine += texts.length;
    texts = [];
    bytes = 0;
    return one;
  };
  for await (const line of lines) {
    const text = JSON.stringify(line);
    const size = byteLength(text) + 1;
    if (texts.length === limits.lines || (texts.length > 0 && bytes + size > limits.bytes)) yield part(false);
    texts.push(text);
    bytes += size;
  }
  yield part(true);
}

function byteLength(text: string): number {
  // Most lines are ASCII.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII begins with control characters.
  return /^[\x00-\x7f]*$/.test(text) ? text.length : new TextEncoder().encode(text).length;
}
