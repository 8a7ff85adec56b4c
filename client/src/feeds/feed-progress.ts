import { BrandportError } from '../errors/brandport-error.ts';
import { DeadlineExceeded } from '../errors/error-classes.ts';
import type { ClientApi } from '../resource.ts';
import type { CallOptions } from '../transport/client-options.ts';
import { Lifetime } from '../transport/lifetime.ts';

/** A feed whose lines have all been decided, or the progress towards it. */
export interface FeedSummary {
  readonly status: 'processing' | 'completed';
  /** Decided lines by result, and `received`: all lines of all parts. */
  readonly totals: Readonly<Record<string, number>>;
}

export interface WaitOptions extends CallOptions {
  /** The longest wait, in milliseconds; default: not limited. */
  readonly deadlineMs?: number | undefined;
  /** Called after each look at the feed. */
  readonly onProgress?: ((summary: FeedSummary) => void) | undefined;
}

const firstPollMs = 250;
const longestPollMs = 5_000;

/**
 * Waits until all feeds are completed.
 * @throws BrandportError `feed_failed` if one failed, `deadline_exceeded` if they take longer
 */
export async function waitForFeeds(
  api: ClientApi,
  feedIds: readonly string[],
  options: WaitOptions,
): Promise<FeedSummary> {
  const { deadlineMs, onProgress, ...callOptions } = options;
  const lifetime = new Lifetime(options.signal, deadlineMs);
  const totals = new Map<string, Readonly<Record<string, number>>>();
  const open = new Set(feedIds);
  try {
    for (let pollMs = firstPollMs; ; pollMs = Math.min(longestPollMs, pollMs * 1.5)) {
      for (const feedId of open) {
        const query = { per_page: 1 };
        const more = { ...callOptions, signal: lifetime.signal };
        const report = await api.call('getStockFeedReport', [feedId], { query }, more);
        totals.set(feedId, report.totals as Readonly<Record<string, number>>);
        if (report.status === 'completed') open.delete(feedId);
        if (report.status === 'failed') throw failed(feedId, report.message);
      }
      const summary = summaryOf(open.size === 0, totals);
      onProgress?.(summary);
      if (open.size === 0) return summary;
      await lifetime.wait(pollMs);
    }
  } catch (error) {
    if (!lifetime.isExpired) throw error;
    const message = `The feed was not completed within ${deadlineMs} ms.`;
    throw new DeadlineExceeded({ code: 'deadline_exceeded', message, retryable: true });
  } finally {
    lifetime.end();
  }
}

function failed(feedId: string, reason: string | null): BrandportError {
  const message = `The feed ${feedId} failed: ${reason ?? 'no reason was given'}.`;
  return new BrandportError({ code: 'feed_failed', message });
}

function summaryOf(
  isCompleted: boolean,
  totals: ReadonlyMap<string, Readonly<Record<string, number>>>,
): FeedSummary {
  const sums: Record<string, number> = {};
  for (const one of totals.values())
    for (const [result, count] of Object.entries(one)) sums[result] = (sums[result] ?? 0) + count;
  return { status: isCompleted ? 'completed' : 'processing', totals: sums };
}
