import type { Feed } from './feed.ts';

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

interface WaitFacts extends Pick<FeedProgress, 'status' | 'queuePosition' | 'receivedAt'> {
  readonly workedAt: Date | null;
  readonly failedAttempts: number;
  readonly lockWait: FeedLockWait | null;
}

/** Returns null for a feed that is finished or being applied. */
export function waitOf(feed: WaitFacts): FeedWait | null {
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
