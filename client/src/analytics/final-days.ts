import { DeadlineExceeded } from '../errors/error-classes.ts';
import type { AnalyticsStatus } from '../generated/wire.ts';
import type { ClientApi } from '../resource.ts';
import type { CallOptions } from '../transport/client-options.ts';
import { Lifetime } from '../transport/lifetime.ts';

export interface FinalOptions extends CallOptions {
  /** Reads aggregated days only: waits until `to` is aggregated; without `to`, the range ends on the last such day. */
  readonly final?: boolean | undefined;
  /** The longest wait for `final`, in milliseconds; default: not limited. */
  readonly finalWithinMs?: number | undefined;
  /** Milliseconds between two looks at the status; default 60,000. */
  readonly pollMs?: number | undefined;
}

/**
 * Waits until the dataset is aggregated up to `to`, and returns `to`. Without `to`, returns the last aggregated day, or
 * null, at once.
 * @throws BrandportError `deadline_exceeded` after `finalWithinMs`
 */
export async function lastFinalDay(
  api: ClientApi,
  dataset: keyof NonNullable<AnalyticsStatus['datasets']>,
  to: string | undefined,
  options: FinalOptions,
): Promise<string | null> {
  const { final, finalWithinMs, pollMs = 60_000, ...callOptions } = options;
  const lifetime = new Lifetime(options.signal, finalWithinMs);
  try {
    for (;;) {
      const { datasets } = await api.call(
        'getAnalyticsStatus',
        [],
        {},
        { ...callOptions, signal: lifetime.signal },
      );
      // null while the analytics store is unavailable.
      if (datasets !== null) {
        const latest = datasets[dataset].latest_date;
        if (to === undefined) return latest;
        if (latest !== null && latest >= to) return to;
      }
      await lifetime.wait(pollMs);
    }
  } catch (error) {
    if (!lifetime.isExpired) throw error;
    const message = `${dataset} was not aggregated up to ${to} within ${finalWithinMs} ms.`;
    throw new DeadlineExceeded({ code: 'deadline_exceeded', message, retryable: true });
  } finally {
    lifetime.end();
  }
}
