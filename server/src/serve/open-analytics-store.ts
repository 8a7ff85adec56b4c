import { setTimeout as sleep } from 'node:timers/promises';
import { dayOf } from '../analytics/day.ts';
import type { AnalyticsStore } from '../analytics/store/analytics-store.ts';
import { systemClock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { DatabaseAddress } from '../postgres/connection-options.ts';
import { migrate } from '../postgres/schema/migrate.ts';
import { MigrationError } from '../postgres/schema/migration-error.ts';
import { analyticsSchema } from '../postgres/schema/schema-line.ts';
import { createAnalyticsStore } from './create-analytics-store.ts';
import { lockReport } from './lock-report.ts';
import { StartError } from './start-error.ts';

/** Time that startup waits for a separate analytics store before it continues without it. */
const patienceMs = 3_000;
const retryMs = 2_000;
/** An unavailable store would fill the log with one line per request. */
const awayLogIntervalMs = 10_000;

export interface AnalyticsAddress {
  /** `BRANDPORT_ANALYTICS_URL`; null: the main database. */
  readonly url: string | null;
  readonly main: DatabaseAddress;
  readonly log: Log;
  /** Aborts the attempts to migrate an unavailable or locked store. */
  readonly cancelled: AbortSignal;
}

/**
 * Migrates the analytics store to the latest schema.
 * @throws StartError if it is unavailable; MigrationError
 */
export async function migrateAnalyticsStore({ url, main, log, cancelled }: AnalyticsAddress): Promise<void> {
  try {
    const ran = await migrate(url === null ? main : { url }, analyticsSchema, {
      report: lockReport(log),
      cancelled,
    });
    if (ran.length > 0) log('info', `analytics store migrated: ${ran.join(', ')}`);
  } catch (error) {
    if (error instanceof MigrationError || cancelled.aborted) throw error;
    const name = url === null ? 'the main database' : 'BRANDPORT_ANALYTICS_URL';
    throw new StartError(`The analytics store in ${name} cannot be used: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/**
 * Opens the analytics store and migrates it to the latest schema. In the main database, that is part of
 * startup; a separate store may be unavailable, and is migrated when it comes back.
 * @throws MigrationError if the schema and this version do not match; StoreMismatch
 */
export async function openAnalyticsStore({
  url,
  engineUrl,
  main,
  log,
  cancelled,
}: AnalyticsAddress & { readonly engineUrl: string | null }): Promise<AnalyticsStore> {
  const address = url === null ? main : { url };
  const { store, ...created } = await createAnalyticsStore({
    address,
    engineUrl,
    onAway: everySoOften(log),
  });
  const prepare = async () => {
    await migrateAnalyticsStore({ url, main, log, cancelled });
    await created.prepare();
    // It creates partitions in PostgreSQL. In an engine it can take minutes, and a start does not need it.
    if (engineUrl !== null) return;
    const { done } = await store.upkeep(dayOf(systemClock.now())).catch((error: Error) => {
      log('warn', `upkeep of the analytics store failed: ${error.message}`);
      return { done: [] };
    });
    if (done.length > 0) log('info', `upkeep of the analytics store: ${done.join(', ')}`);
  };
  try {
    if (url === null && engineUrl === null) await prepare();
    else await prepareWithPatience(prepare, log, cancelled);
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Resolves when the store is ready, or after a while; it is then prepared in the background. */
async function prepareWithPatience(
  prepare: () => Promise<void>,
  log: Log,
  cancelled: AbortSignal,
): Promise<void> {
  const first = prepare();
  const outcome = await Promise.race([
    first.then(
      () => 'ready',
      (error: Error) => error,
    ),
    sleep(patienceMs, 'late', { signal: cancelled }).catch(() => 'late'),
  ]);
  if (outcome === 'ready') return;
  if (outcome instanceof MigrationError) throw outcome;
  const reason = outcome instanceof Error ? outcome.message : `no response within ${patienceMs} ms`;
  log('warn', `analytics store unavailable, continuing without it: ${reason}`);
  void keepPreparing(first, prepare, log, cancelled);
}

async function keepPreparing(
  first: Promise<void>,
  prepare: () => Promise<void>,
  log: Log,
  cancelled: AbortSignal,
): Promise<void> {
  for (let attempt = first; !cancelled.aborted; attempt = prepare()) {
    try {
      await attempt;
      log('info', 'analytics store available');
      return;
    } catch (error) {
      if (error instanceof MigrationError) log('error', `analytics store unusable: ${error.message}`);
      await sleep(retryMs, undefined, { signal: cancelled }).catch(() => {});
    }
  }
}

function everySoOften(log: Log): (reason: string) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (reason) => {
    if (performance.now() - last < awayLogIntervalMs) return;
    last = performance.now();
    log('warn', `analytics store unavailable: ${reason}`);
  };
}
