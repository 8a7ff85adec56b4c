import { createHash } from 'node:crypto';
import type { TSchema } from 'typebox';
import {
  maxIgnored,
  maxRefused,
  type UnknownName,
  unknownNameFinder,
  unknownNameMessage,
} from '../../api/unknown-names.ts';
import { parseJson } from '../../lib/parse-json.ts';
import {
  millisecondOf,
  type SourceTime,
  shownSourceTime,
  sourceTimeOf,
  storedSourceTime,
} from '../../lib/source-time.ts';
import { isStorableText } from '../../lib/text.ts';
import { packLines, resultLetters, undecidedLetter } from './feed.ts';
import {
  type FeedLine,
  isLongerThan,
  maxAheadMs,
  numbersByPosition,
  orderOfLines,
  readFeedLine,
  sortedPositions,
  supersededLines,
} from './feed-line.ts';

/** A feed in its stored form: built from the body by one thread, written to the database by another. */
export interface ParsedFeed {
  readonly source: string;
  readonly receivedLines: number;
  /** Lines that are decided already: another one supersedes them. */
  readonly superseded: number;
  /** The digest of the lines' content: equal feeds have equal digests, regardless of their formatting. */
  readonly linesSha256: Uint8Array;
  /** JSON arrays of up to `packsPerPart` packs each, in the form that `insertFeedPacks` accepts. */
  readonly parts: readonly Uint8Array<ArrayBuffer>[];
  /** Line numbers in the order of the request, a PostgreSQL array literal; null: they are in that order. */
  readonly reportOrder: Uint8Array<ArrayBuffer> | null;
}

type BodyProblems = Readonly<Record<string, readonly string[]>>;

/** The outcome of parsing a body. Under strict handling its unknown names are among the problems. */
export type FeedBodyOutcome = ({ readonly feed: ParsedFeed } | { readonly problems: BodyProblems }) & {
  readonly unknownNames: readonly UnknownName[];
};

export const maxLines = 100_000;
const maxProblems = 100;
const maxSourceLength = 64;
/** Enough for 100,000 lines with 25 additional fields each [D33]. */
const jsonLimits = { values: 3_000_000, levels: 64 };
const packsPerPart = 4;

const encoder = new TextEncoder();

/** The rules by which a body is parsed. */
export interface FeedBodyRules {
  /** Milliseconds since the Unix epoch: the time of lines without one. */
  readonly receivedAt: number;
  /** True for lines that are stored already, which may be dated further ahead than new ones [catalog-123]. */
  readonly isKnown?: boolean;
  /** Refuses unknown names [platform-28]. */
  readonly isStrict?: boolean;
}

/** The parsing of one body, as it is handed to a thread. */
export interface FeedBodyTask {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly rules: FeedBodyRules;
}

/** Parses a body. Slow: 100,000 lines keep a core busy for half a second. */
export function parseFeedBody(
  bytes: Uint8Array,
  { receivedAt, isKnown = false, isStrict = false }: FeedBodyRules,
): FeedBodyOutcome {
  const receipt = sourceTimeOf(new Date(receivedAt));
  const latest = isKnown ? null : sourceTimeOf(new Date(receivedAt + maxAheadMs));
  const problems = new Map<string, string[]>();
  const refuse = (field: string, message: string) => {
    if (problems.size < maxProblems) problems.set(field, [message]);
  };
  const parsed = parseJson(bytes, jsonLimits);
  const problem =
    'problem' in parsed ? parsed.problem : isObject(parsed.value) ? null : 'must be a JSON object';
  if (problem !== null) return { problems: { body: [problem] }, unknownNames: [] };
  const body = (parsed as { value: Record<string, unknown> }).value;
  const source = readSource(body['source'], refuse);
  checkMode(body['mode'], refuse);
  const seen = new SeenFeedNames(otherNamesOf(body));
  const lines = readLines(body['lines'], { refuse, latest, onValue: (value) => seen.addLine(value) });
  const unknownNames = seen.unknown(isStrict);
  if (isStrict) for (const unknown of unknownNames) refuse(unknown.path, unknownNameMessage(unknown));
  if (problems.size > 0) return { problems: Object.fromEntries(problems), unknownNames };
  const sorted = sortedPositions(lines);
  const superseded = supersededLines(lines, sorted, receipt);
  const order = orderOfLines(lines, sorted);
  return {
    unknownNames,
    feed: {
      source,
      receivedLines: lines.length,
      superseded: superseded.size,
      linesSha256: digestLines(lines),
      parts: packLinesInParts(lines, order, superseded, receipt),
      reportOrder: order === null ? null : encoder.encode(`{${numbersByPosition(order).join(',')}}`),
    },
  };
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The unknown names of the outermost object, the first 100 of them. */
function otherNamesOf(body: object): readonly string[] {
  return Object.keys(body)
    .filter((name) => name !== 'source' && name !== 'mode' && name !== 'lines')
    .slice(0, maxRefused);
}

type Refuse = (field: string, message: string) => void;

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

/** Reads the lines, and releases each when it is read. */
function readLines(
  sent: unknown,
  {
    refuse,
    latest,
    onValue,
  }: {
    readonly refuse: Refuse;
    readonly latest: SourceTime | null;
    readonly onValue: (value: unknown) => void;
  },
): FeedLine[] {
  const lines: FeedLine[] = [];
  if (sent === undefined) refuse('lines', 'is required');
  else if (!Array.isArray(sent)) refuse('lines', 'must be an array');
  else if (sent.length === 0) refuse('lines', 'must have at least 1 line');
  else if (sent.length > maxLines) refuse('lines', `must have at most ${maxLines} lines`);
  else
    for (const [index, value] of sent.entries()) {
      sent[index] = null;
      onValue(value);
      const path = `lines.${index}`;
      const report = (field: string, message: string) =>
        refuse(field === '' ? path : `${path}.${field}`, message);
      const line = readFeedLine(value, latest, report);
      if (line) lines.push(line);
    }
  return lines;
}

function digestLines(lines: readonly FeedLine[]): Uint8Array {
  const hash = createHash('sha256');
  for (const { sku, locationCode, quantity, reserved, updatedAt } of lines)
    hash.update(`${JSON.stringify([sku, locationCode, quantity, reserved, digestedTime(updatedAt)])}\n`);
  return hash.digest();
}

/** The number of milliseconds, as in stored digests from before microseconds were kept; the text of a time that has more. */
function digestedTime(time: SourceTime | null): number | string | null {
  if (time === null) return null;
  const shown = shownSourceTime(time);
  return shown === time ? shown : millisecondOf(time);
}

function packLinesInParts(
  lines: readonly FeedLine[],
  order: Uint32Array | null,
  superseded: ReadonlySet<number>,
  receipt: SourceTime,
) {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const partLines = packsPerPart * packLines;
  for (let start = 0; start < lines.length; start += partLines) {
    const packs: object[] = [];
    for (let first = start; first < Math.min(start + partLines, lines.length); first += packLines)
      packs.push(packOf(first));
    parts.push(encoder.encode(JSON.stringify(packs)));
  }
  return parts;

  function packOf(first: number): object {
    const length = Math.min(packLines, lines.length - first);
    const positions = Array.from({ length }, (_, index) => order?.[first + index] ?? first + index);
    const packed = positions.map((position) => lines[position] as FeedLine);
    const times = packed.map(({ updatedAt }) => storedSourceTime(updatedAt ?? receipt));
    return {
      first_line: first,
      skus: packed.map(({ sku }) => sku),
      location_codes: packed.map(({ locationCode }) => locationCode),
      quantities: packed.map(({ quantity }) => quantity),
      reserved: packed.map(({ reserved }) => reserved),
      updated_ats: times.map(({ at }) => at),
      updated_micros: times.some(({ micros }) => micros > 0) ? times.map(({ micros }) => micros) : null,
      results: positions
        .map((position) => (superseded.has(position) ? resultLetters.superseded : undecidedLetter))
        .join(''),
    };
  }
}

/** The number of lines, from the first, whose names are checked [platform-25]. */
const namedLines = 1_000;

const fields = (...names: string[]) => Object.fromEntries(names.map((name) => [name, {}]));

/** The names in `SubmitStockFeedBody`, without the schema library, which would slow the thread's start. A test compares them. */
export const feedNames = {
  type: 'object',
  properties: {
    ...fields('source', 'mode'),
    lines: {
      type: 'array',
      items: {
        type: 'object',
        properties: fields('sku', 'location_code', 'quantity', 'reserved', 'updated_at'),
      },
    },
  },
};

const find = unknownNameFinder(feedNames as unknown as TSchema);

/** Collects the names of a body whose lines are parsed one by one; keeps no more of them than can be reported. */
class SeenFeedNames {
  readonly #otherNames: readonly string[];
  /** The unknown names of each line; null for a line without any. */
  readonly #lines: (object | null)[] = [];
  #linesWithUnknown = 0;

  /** `otherNames` are the unknown names of the outermost object. */
  constructor(otherNames: readonly string[]) {
    this.#otherNames = otherNames;
  }

  addLine(value: unknown): void {
    if (this.#lines.length === namedLines || this.#linesWithUnknown === maxRefused) return;
    const hasUnknown = find({ lines: [value] }, 1).length > 0;
    if (hasUnknown) this.#linesWithUnknown += 1;
    this.#lines.push(hasUnknown ? withoutValues(Object.keys(value as object)) : null);
  }

  /** Returns the unknown names, including those of the first 1,000 lines. */
  unknown(isStrict: boolean): readonly UnknownName[] {
    const body = { ...withoutValues(this.#otherNames), lines: this.#lines };
    return find(body, isStrict ? maxRefused : maxIgnored);
  }
}

function withoutValues(names: readonly string[]): Record<string, null> {
  return Object.fromEntries(names.map((name) => [name, null]));
}
