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
