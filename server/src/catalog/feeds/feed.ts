import type { SourceTime } from '../../lib/source-time.ts';

/** The progress of a feed. A completed or failed feed never changes again [catalog-111]. */
export const feedStatuses = ['queued', 'processing', 'completed', 'failed'] as const;

export type FeedStatus = (typeof feedStatuses)[number];

/** The results of a line, in the order in which they are checked [catalog-104]. */
export const lineResults = [
  'superseded',
  'unknown_sku',
  'not_stockable',
  'unknown_location',
  'stale',
  'unchanged',
  'applied',
] as const;

export type LineResult = (typeof lineResults)[number];

/** The results of lines on the internal surface: a line without a result is `undecided`. */
export const lineStates = [...lineResults, 'undecided'] as const;

export type LineState = (typeof lineStates)[number];

/** The results of lines that somebody has to act on. */
const refusals: readonly LineResult[] = ['unknown_sku', 'unknown_location', 'not_stockable'];

export function isRefused(result: LineResult): boolean {
  return refusals.includes(result);
}

/** These results as a list in SQL. */
export const refusedResults = refusals.map((result) => `'${result}'`).join(', ');

/** Selects feeds with such lines; their indexes have the same words. */
export const hasRefusedLines = `totals ?| array[${refusedResults}]`;

/** The number of lines with each result; a result that did not occur has no entry. */
export type ResultCounts = Readonly<Partial<Record<LineResult, number>>>;

export interface Feed {
  readonly brandId: number;
  readonly id: number;
  readonly tuId: string;
  /** The Idempotency-Key of the submission; unique in the brand. */
  readonly batchId: string;
  /** The digest of the lines' content, regardless of the bytes that they were sent in. */
  readonly linesSha256: Buffer;
  readonly source: string;
  readonly status: FeedStatus;
  readonly receivedLines: number;
  readonly counts: ResultCounts;
  readonly message: string | null;
  readonly receivedAt: Date;
  readonly finishedAt: Date | null;
  /** When the lines were dropped after their retention; null: they are stored. */
  readonly linesDroppedAt: Date | null;
  /** True if the lines are stored in another order than that of the request. */
  readonly isReordered: boolean;
}

/** A line in the report; `result` null: not decided. */
export interface ReportedLine {
  /** Its position in the request, from 0. */
  readonly line: number;
  readonly sku: string;
  readonly locationCode: string;
  readonly result: LineResult | null;
}

export interface FeedLineDetail extends ReportedLine {
  readonly quantity: number;
  /** null: the line leaves the reservation unchanged. */
  readonly reserved: number | null;
  /** The time that the line was sent with; else the time of receipt. */
  readonly updatedAt: SourceTime;
}

/** Returns the number of lines in these states; null: of all lines. */
export function countLines(
  { receivedLines, counts }: Pick<Feed, 'receivedLines' | 'counts'>,
  states: readonly LineState[] | null,
): number {
  if (states === null) return receivedLines;
  const decided = Object.values(counts).reduce((sum, lines) => sum + lines, 0);
  const countOf = (state: LineState) =>
    state === 'undecided' ? receivedLines - decided : (counts[state] ?? 0);
  return [...new Set(states)].reduce((sum, state) => sum + countOf(state), 0);
}

const explanations: Readonly<Record<LineResult, string | null>> = {
  applied: null,
  unchanged: null,
  superseded: 'Another line of the feed has a newer quantity for the same SKU and location.',
  unknown_sku: 'No product or variant of the brand has this SKU.',
  not_stockable: 'The product has variants; stock is kept under their SKUs.',
  unknown_location: 'The brand has no stock location with this code.',
  stale: 'The stock level has a later timestamp than the line.',
};

export function explanationOf(result: LineResult | null): string | null {
  return result === null ? null : explanations[result];
}

/** The number of lines in a row of `stock_feed_packs`; the last pack of a feed has fewer. */
export const packLines = 1_000;

/** The letter of each result in a pack [D220], as in the view `stock_feed_lines`; a test compares them. */
export const resultLetters: Readonly<Record<LineResult, string>> = {
  applied: 'a',
  unchanged: 'u',
  stale: 's',
  unknown_sku: 'k',
  superseded: 'p',
  unknown_location: 'l',
  not_stockable: 'n',
};

export const undecidedLetter = '.';

export interface FeedProgress extends Feed {
  readonly nextLine: number;
  /** 1 = the brand's next feed, or the one that is being applied; null: finished. */
  readonly queuePosition: number | null;
  /** See `linesPerSecond`; null: unknown. */
  readonly linesPerSecond: number | null;
  /** The public id of the API key or feed token, or who re-queued the lines; null: not recorded. */
  readonly submittedBy: string | null;
  readonly requestId: string | null;
  /** The newest feeds that send lines of this one again, the oldest of them first. */
  readonly requeuedAs: readonly string[];
  /** The feed whose lines this one sends again; null: it is no re-queue. */
  readonly requeueOf: string | null;
  readonly waiting: FeedWait | null;
  /** The lines of `refusedResults` that no later line, re-queue or correction has dealt with. */
  readonly failedLinesLeft: number;
}

/** Which lines of a feed are meant. */
export interface LineChoice {
  /** null: all. */
  readonly states: readonly LineState[] | null;
  /** Only failed lines that are left. Undecided ones, if `states` names them, always are. */
  readonly isLeft: boolean;
}

/** Why an unfinished feed is not being applied now. */
export interface FeedWait {
  /** `turn`: for a worker, or for the feeds before it. `pause`: for the next attempt. `lock`: for a session of the database. */
  readonly for: 'turn' | 'pause' | 'lock';
  readonly since: Date;
  /** The attempts at its next lines that failed. */
  readonly attempts: number;
  /** The session that holds the lock, with the start of its transaction if the role may see it. */
  readonly holder: { readonly pid: number; readonly since: Date | null } | null;
}

/** The transaction that applies the feeds of the brand, if it waits for a lock; times in milliseconds since the Unix epoch. */
export interface FeedLockWait {
  readonly since: number | null;
  readonly pid: number;
  readonly holderSince: number | null;
}

interface WaitingFeed extends Pick<FeedProgress, 'status' | 'queuePosition' | 'receivedAt'> {
  readonly workedAt: Date | null;
  readonly failedAttempts: number;
  readonly lockWait: FeedLockWait | null;
}

/** Returns null for a feed that is finished or being applied. */
export function waitOf(feed: WaitingFeed): FeedWait | null {
  const { status, queuePosition, receivedAt, workedAt, failedAttempts: attempts, lockWait } = feed;
  if (queuePosition === null) return null;
  const since = workedAt ?? receivedAt;
  if (queuePosition > 1) return { for: 'turn', since, attempts, holder: null };
  if (lockWait !== null) {
    const { pid, holderSince } = lockWait;
    const holder = { pid, since: holderSince === null ? null : new Date(holderSince) };
    return {
      for: 'lock',
      since: lockWait.since === null ? since : new Date(lockWait.since),
      attempts,
      holder,
    };
  }
  if (attempts > 0) return { for: 'pause', since, attempts, holder: null };
  return status === 'queued' ? { for: 'turn', since, attempts, holder: null } : null;
}

interface FeedTimes extends Pick<FeedProgress, 'nextLine' | 'receivedAt' | 'finishedAt'> {
  /** The end of the brand's feed before it; null: there is none, or it is not finished. */
  readonly previousFinishedAt: Date | null;
  /** The end of the last chunk; null: none. */
  readonly workedAt: Date | null;
}

/**
 * Returns the average rate since the receipt or the end of the feed before it: feeds of a brand are applied one after the
 * other. A pause without a worker counts. null before the first chunk.
 */
export function linesPerSecond(feed: FeedTimes): number | null {
  const { nextLine, receivedAt, previousFinishedAt, workedAt, finishedAt } = feed;
  const end = finishedAt ?? workedAt;
  if (end === null || nextLine === 0) return null;
  const begin = Math.max(receivedAt.getTime(), previousFinishedAt?.getTime() ?? 0);
  const ms = end.getTime() - begin;
  return ms <= 0 ? null : Math.round((nextLine * 10_000) / ms) / 10;
}
