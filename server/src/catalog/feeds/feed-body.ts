import { createHash } from 'node:crypto';
import { type UnknownName, unknownNameMessage } from '../../api/unknown-names.ts';
import { keepsJsonLimits } from '../../lib/json-limits.ts';
import { isStorableText } from '../../lib/storable-text.ts';
import { type FeedLine, isLongerThan, readFeedLine, supersededLines } from './feed-line.ts';
import { unknownFeedNames } from './feed-names.ts';
import { numbersByPlace, orderOfLines } from './line-order.ts';

/** A feed as it is stored: made of the body by one thread, written to the database by another. */
export interface ReadFeed {
  readonly source: string;
  readonly receivedLines: number;
  /** Lines that another line of the feed outdoes; decided already. */
  readonly superseded: number;
  /** Over what the lines say: an equal feed has an equal digest, however it is written. */
  readonly linesSha256: Uint8Array;
  /** JSON texts of up to `linesPerPart` lines each, in the form that `insertFeedLines` takes. */
  readonly parts: readonly Uint8Array<ArrayBuffer>[];
  /**
   * The numbers of the lines in the order of the request, as the text of a PostgreSQL array; null: in that order they
   * are numbered.
   */
  readonly reportOrder: Uint8Array<ArrayBuffer> | null;
}

/** What is wrong with a body, by field; at most `maxProblems` fields. */
export type BodyProblems = Readonly<Record<string, readonly string[]>>;

/** A body that was read. Under strict handling its unknown names are among the problems. */
export type FeedBodyOutcome = ({ readonly feed: ReadFeed } | { readonly problems: BodyProblems }) & {
  readonly unknownNames: readonly UnknownName[];
};

export const maxLines = 100_000;
const maxProblems = 100;
const maxSourceLength = 64;
const linesPerPart = 2_000;
/** What 100,000 lines with 30 fields each have: parsed, they take some 300 MB. */
const jsonLimits = { values: 3_000_000, depth: 64, fields: 1_000 };

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/**
 * Reads a body; pure, and long: 100,000 lines keep a core busy for half a second. `receivedAt`: see supersededLines.
 * `isStrict`: unknown names are refused (decision Second round 2).
 */
export function readFeedBody(bytes: Uint8Array, receivedAt: number, isStrict = false): FeedBodyOutcome {
  const problems = new Map<string, string[]>();
  const refuse = (field: string, message: string) => {
    if (problems.size < maxProblems) problems.set(field, [message]);
  };
  const body = parseBody(bytes, refuse);
  if (body === null) return { problems: Object.fromEntries(problems), unknownNames: [] };
  const source = readSource(body['source'], refuse);
  checkMode(body['mode'], refuse);
  const lines = readLines(body['lines'], refuse, () => problems.size >= maxProblems);
  const unknownNames = unknownFeedNames(body, isStrict);
  if (isStrict) for (const unknown of unknownNames) refuse(unknown.path, unknownNameMessage(unknown));
  if (problems.size > 0) return { problems: Object.fromEntries(problems), unknownNames };
  const superseded = supersededLines(lines, receivedAt);
  const order = orderOfLines(lines);
  return {
    unknownNames,
    feed: {
      source,
      receivedLines: lines.length,
      superseded: superseded.size,
      linesSha256: digestOf(lines),
      parts: partsOf(lines, order, superseded, receivedAt),
      reportOrder: order === null ? null : encoder.encode(`{${numbersByPlace(order).join(',')}}`),
    },
  };
}

type Refuse = (field: string, message: string) => void;

function parseBody(bytes: Uint8Array, refuse: Refuse): Record<string, unknown> | null {
  if (!keepsJsonLimits(bytes, jsonLimits)) {
    const { values, depth, fields } = jsonLimits;
    refuse('body', `must have at most ${values} values, ${depth} levels, and ${fields} fields in an object`);
    return null;
  }
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    refuse('body', 'must be UTF-8');
    return null;
  }
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    refuse('body', 'must be JSON');
    return null;
  }
  if (typeof body === 'object' && body !== null && !Array.isArray(body))
    return body as Record<string, unknown>;
  refuse('body', 'must be a JSON object');
  return null;
}

function readSource(source: unknown, refuse: Refuse): string {
  if (source === undefined) refuse('source', 'is required');
  else if (typeof source !== 'string') refuse('source', 'must be a string');
  else if (source === '') refuse('source', 'must not be empty');
  else if (isLongerThan(source, maxSourceLength))
    refuse('source', `must have at most ${maxSourceLength} characters`);
  else if (!isStorableText(source)) refuse('source', 'must not contain U+0000 or unpaired surrogates');
  return source as string;
}

function checkMode(mode: unknown, refuse: Refuse): void {
  if (mode === undefined) refuse('mode', 'is required');
  else if (typeof mode !== 'string') refuse('mode', 'must be a string');
  else if (mode !== 'snapshot') refuse('mode', 'must be snapshot');
}

function readLines(values: unknown, refuse: Refuse, isFull: () => boolean): FeedLine[] {
  const lines: FeedLine[] = [];
  if (values === undefined) refuse('lines', 'is required');
  else if (!Array.isArray(values)) refuse('lines', 'must be an array');
  else if (values.length === 0) refuse('lines', 'must have at least 1 line');
  else if (values.length > maxLines) refuse('lines', `must have at most ${maxLines} lines`);
  else
    for (const [index, value] of values.entries()) {
      const line = readFeedLine(value, (field, message) =>
        refuse(field === '' ? `lines.${index}` : `lines.${index}.${field}`, message),
      );
      if (line !== null) lines.push(line);
      else if (isFull()) break;
    }
  return lines;
}

function digestOf(lines: readonly FeedLine[]): Uint8Array {
  const hash = createHash('sha256');
  for (const { sku, locationCode, quantity, reserved, updatedAt } of lines)
    hash.update(`${JSON.stringify([sku, locationCode, quantity, reserved, updatedAt])}\n`);
  return hash.digest();
}

function partsOf(
  lines: readonly FeedLine[],
  order: Uint32Array | null,
  superseded: ReadonlySet<number>,
  receivedAt: number,
) {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const receipt = new Date(receivedAt).toISOString();
  for (let first = 0; first < lines.length; first += linesPerPart) {
    const length = Math.min(linesPerPart, lines.length - first);
    const rows = Array.from({ length }, (_, index) => {
      const place = order?.[first + index] ?? first + index;
      const line = lines[place] as FeedLine;
      return {
        line: first + index,
        sku: line.sku,
        location_code: line.locationCode,
        quantity: line.quantity,
        reserved: line.reserved,
        updated_at: line.updatedAt === null ? receipt : new Date(line.updatedAt).toISOString(),
        ...(superseded.has(place) && { result: 'superseded' }),
      };
    });
    parts.push(encoder.encode(JSON.stringify(rows)));
  }
  return parts;
}
