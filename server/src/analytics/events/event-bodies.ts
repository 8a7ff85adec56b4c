import { maxRefused } from '../../api/unknown-names.ts';
import { jsonFault, parseJson } from '../../lib/parse-json.ts';
import { maxLevels, nestingProblem } from './sent-event.ts';

/** One line of an NDJSON stream; `bytes` is null if the line exceeds the limit. */
interface NdjsonLine {
  /** 0-based; blank lines count. */
  readonly index: number;
  readonly bytes: Buffer | null;
}

/** Longer lines and items are refused. */
const maxLineBytes = 65_536;
const newline = 0x0a;
const carriageReturn = 0x0d;
const byteOrderMark = Buffer.from('\ufeff');
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Parses a line, or says what is wrong with it. */
export function parseLine(bytes: Uint8Array): { readonly value: unknown } | { readonly problem: string } {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return { problem: 'the line is not UTF-8' };
  }
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { problem: `the line is not JSON: ${jsonFault(text, 'line')}` };
  }
}

/**
 * Cuts a stream into lines, without blank ones and without a byte order mark at its start [platform-22]. Keeps at most one chunk
 * and one line of up to `limitBytes`. The source is read only as lines are consumed, which slows the client down to the pace of
 * processing.
 */
export async function* ndjsonLines(
  source: AsyncIterable<Buffer> | Iterable<Buffer>,
  limitBytes = maxLineBytes,
): AsyncGenerator<NdjsonLine> {
  let index = 0;
  let kept: Buffer[] = [];
  let keptBytes = 0;
  const take = (): NdjsonLine | null => {
    const whole = kept.length === 1 ? (kept[0] as Buffer) : Buffer.concat(kept);
    const isTooLong = keptBytes > limitBytes + markBytes(whole, index);
    const bytes = isTooLong ? null : trimmed(whole.subarray(markBytes(whole, index)));
    const line = { index, bytes };
    index += 1;
    kept = [];
    keptBytes = 0;
    return bytes !== null && bytes.length === 0 ? null : line;
  };
  for await (const chunk of source) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      const isEmpty = end === start && keptBytes === 0;
      if (!isEmpty) keep(chunk.subarray(start, end));
      start = end + 1;
      if (isEmpty) {
        // 64 MiB of line feeds are as many lines: one must cost nothing.
        index += 1;
        continue;
      }
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
    if (keptBytes > limitBytes + (index === 0 ? byteOrderMark.length : 0)) kept = [];
    else if (part.length > 0) kept.push(part);
  }
}

/** The length of the byte order mark of the first line. */
function markBytes(line: Buffer, index: number): number {
  const { length } = byteOrderMark;
  return index === 0 && byteOrderMark.equals(line.subarray(0, length)) ? length : 0;
}

function trimmed(line: Buffer): Buffer {
  return line.at(-1) === carriageReturn ? line.subarray(0, -1) : line;
}

/** An item that is nested deeper is longer than a line may be. */
const jsonLimits = { levels: maxLineBytes };

/** The items of a body `{ items: [...] }` whose syntax is valid as a whole, a line each; or its problem. */
export type EventList = {
  /** The other names of the body, 100 at most. */
  readonly otherNames: readonly string[];
} & ({ readonly lines: Uint8Array } | { readonly field: string; readonly problem: string });

/** Parses a body of events [D33]. Slow: 8 MiB keep a core busy for half a second. */
export function parseEventList(bytes: Uint8Array): EventList {
  const parsed = parseJson(bytes, jsonLimits);
  if ('problem' in parsed) return { field: 'body', problem: parsed.problem, otherNames: [] };
  const body = parsed.value;
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return { field: 'body', problem: 'must be a JSON object', otherNames: [] };
  const { items, ...others } = body as { items?: unknown };
  const otherNames = Object.keys(others).slice(0, maxRefused);
  if (items === undefined) return { field: 'items', problem: 'is required', otherNames };
  if (!Array.isArray(items)) return { field: 'items', problem: 'must be an array', otherNames };
  return { otherNames, lines: writeLines(items) };
}

const itemsAtOnce = 1_000;

/** Represents an item that is nested too deeply to be written again. */
const tooDeep = `${'['.repeat(maxLevels + 1)}${']'.repeat(maxLevels + 1)}`;

/** Releases the items as it writes them: millions of small ones fill the memory of a thread. */
function writeLines(items: unknown[]): Buffer {
  const parts: Buffer[] = [];
  for (let from = 0; from < items.length; from += itemsAtOnce) {
    const lines = items.slice(from, from + itemsAtOnce).map((item) => `${writeLine(item)}\n`);
    items.fill(null, from, from + itemsAtOnce);
    parts.push(Buffer.from(lines.join('')));
  }
  return Buffer.concat(parts);
}

function writeLine(item: unknown): string {
  return nestingProblem(item) === null ? JSON.stringify(item) : tooDeep;
}
