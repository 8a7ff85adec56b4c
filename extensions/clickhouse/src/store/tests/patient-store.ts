import { setTimeout as sleep } from 'node:timers/promises';
import type { AnalyticsStore } from '../../../../../server/src/analytics/store/analytics-store.ts';

const attempts = 20;

/**
 * Returns the store with reads that are repeated while it is unavailable: on a busy machine, the engine of the tests may take
 * longer than a page may wait.
 */
export function patient(store: AnalyticsStore): AnalyticsStore {
  const methods = Object.entries(store).map(([name, method]) => [
    name,
    /^(list|read|find)/.test(name) ? repeated(method as (...args: unknown[]) => Promise<unknown>) : method,
  ]);
  return Object.fromEntries(methods) as AnalyticsStore;
}

function repeated<Args extends unknown[], T>(read: (...args: Args) => Promise<T>) {
  return async (...args: Args): Promise<T> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await read(...args);
      } catch (error) {
        if ((error as { code?: string }).code !== 'analytics_unavailable' || attempt === attempts)
          throw error;
        await sleep(100);
      }
    }
  };
}
