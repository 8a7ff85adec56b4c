import { maxRefused } from '../../api/unknown-names.ts';
import { BlockText } from '../../lib/json-list/block-text.ts';
import {
  JsonListScanner,
  type ScannedMember,
  type ScanProblem,
} from '../../lib/json-list/json-list-scanner.ts';

/** A feed's body with checked syntax, whose lines are not parsed yet. */
export interface FeedText {
  /** undefined: absent. */
  readonly source: unknown;
  readonly mode: unknown;
  /** The other names of the outermost object in order, the first 100 of them. */
  readonly otherNames: readonly string[];
  /** undefined: absent; null: not an array. Each line is parsed once, when it is read. */
  readonly lines: UnparsedLines | null | undefined;
}

export interface UnparsedLines {
  readonly count: number;
  /** Yields the values in order; `tooLong` for one that is longer than 64 KiB. */
  values(): Iterable<unknown>;
}

export const tooLong = Symbol('a line that is too long');

/** Enough for 100,000 lines with 30 fields each. */
const limits = { values: 3_000_000, depth: 64, fields: 1_000 };
/** `source` and `mode` are far shorter; a longer value is truncated, and still invalid. */
const maxMemberBytes = 4_096;

const problems: Readonly<Record<ScanProblem, string>> = {
  utf8: 'must be UTF-8',
  json: 'must be JSON',
  object: 'must be a JSON object',
  limits: `must have at most ${limits.values} values, ${limits.depth} levels, and ${limits.fields} fields in an object`,
};

/**
 * Scans a body, or returns its problem [D33]. Lines are parsed a few at a time and the body is freed as they are read, so it
 * needs only its own size in memory. `blocks` is emptied.
 */
export function scanFeed(blocks: Uint8Array[]): FeedText | string {
  const scanner = new JsonListScanner({ names: ['source', 'mode', 'lines'], limits, otherNames: maxRefused });
  for (const block of blocks) if (!scanner.write(block)) break;
  const members = scanner.end();
  if (typeof members === 'string') return problems[members];
  // Each from its own place: the lines may come first.
  const parsedValue = (member: ScannedMember | undefined) => {
    if (member === undefined) return undefined;
    const { start, end } = member;
    if (end - start > maxMemberBytes) return stand(member);
    return JSON.parse(new BlockText([...blocks]).slice(start, end)) as unknown;
  };
  const lines = members.get('lines');
  return {
    source: parsedValue(members.get('source')),
    mode: parsedValue(members.get('mode')),
    otherNames: scanner.otherNames,
    lines: lines === undefined ? undefined : unparsedLines(lines, blocks),
  };

  function stand({ start }: ScannedMember): unknown {
    const [first] = new BlockText([...blocks]).slice(start, start + 1);
    return first === '"' ? 'x'.repeat(maxMemberBytes) : [];
  }
}

function unparsedLines({ items }: ScannedMember, blocks: Uint8Array[]): UnparsedLines | null {
  if (items === null) return null;
  return {
    count: items.count,
    *values() {
      const text = new BlockText(blocks, { frees: true });
      for (const { span } of items) {
        if (span === null) yield tooLong;
        else yield* JSON.parse(`[${text.slice(span.start, span.end)}]`) as unknown[];
      }
    },
  };
}
