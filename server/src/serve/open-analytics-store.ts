import { setTimeout as sleep } from 'node:timers/promises';
import { dayOf } from '../analytics/day.ts';
import {
  type AnalyticsStore,
  type AnalyticsStoreOptions,
  createAnalyticsStore,
} from '../analytics/store/analytics-store.ts';
import { systemClock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { DatabaseAddress } from '../postgres/connection-options.ts';
import { migrate } from '../postgres/schema/migrate.ts';
import { analyticsSchema, MigrationError } from '../postgres/schema/schema-files.ts';
import { StartError } from './lifetime.ts';
import { loadEngineExtension } from './load-extensions.ts';
import { logLockWait } from './main-database.ts';
import { Outage } from './outage.ts';

/** Time that startup waits for a separate analytics store before it continues without it. */
const patienceMs = 3_000;
const retryMs = 2_000;

interface AnalyticsAddress {
  /** `BRANDPORT_ANALYTICS_URL`; null: the main database. */
  readonly url: string | null;
  readonly main: DatabaseAddress;
  readonly log: Log;
  /** Aborts the attempts to migrate an unavailable or locked store. */
  readonly cancelled: AbortSignal;
}

/** Creates the store of the settings. `engineUrl`: null if events and rows are in PostgreSQL. */
export async function createConfiguredStore({
  engineUrl,
  ...options
}: Omit<AnalyticsStoreOptions, 'createEngine'> & {
  readonly engineUrl: string | null;
}): Promise<AnalyticsStore> {
  const extension = await loadEngineExtension(engineUrl);
  return createAnalyticsStore({ ...options, ...(extension && { createEngine: extension.createEngine }) });
}

/** Migrates the analytics store to the latest schema. @throws StartError if it is unavailable; MigrationError */
export async function migrateAnalyticsStore({ url, main, log, cancelled }: AnalyticsAddress): Promise<void> {
  try {
    const ran = await migrate(url === null ? main : { url }, analyticsSchema, {
      onWait: () => logLockWait(log),
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
 * Opens the analytics store and migrates it to the latest schema. A separate store may be unavailable; it is migrated when it
 * comes back.
 * @throws MigrationError if the schema and this version do not match; StoreMismatch
 */
export async function openAnalyticsStore({
  url,
  engineUrl,
  main,
  log,
  cancelled,
  mainOutage,
}: AnalyticsAddress & {
  readonly engineUrl: string | null;
  /** Has the lines of a store in the main database, which is unavailable together with it. */
  readonly mainOutage: Outage;
}): Promise<AnalyticsStore> {
  const address = url === null ? main : { url };
  const isSeparate = url !== null || engineUrl !== null;
  const outage: Outage = isSeparate
    ? new Outage({ log, name: 'analytics store', probe: () => responds(store) })
    : mainOutage;
  const store = await createConfiguredStore({
    address,
    engineUrl,
    onAway: (message) => outage.failed({ message }),
  });
  const prepare = async () => {
    await migrateAnalyticsStore({ url, main, log, cancelled });
    await store.prepare();
    // It creates partitions in PostgreSQL. In an engine it can take minutes, and a start does not need it.
    if (engineUrl !== null) return;
    const { done } = await store.upkeep(dayOf(systemClock.now())).catch((error: Error) => {
      log('warn', `upkeep of the analytics store failed: ${error.message}`);
      return { done: [] };
    });
    if (done.length > 0) log('info', `upkeep of the analytics store: ${done.join(', ')}`);
  };
  try {
    if (!isSeparate) {
      await prepare();
      return store;
    }
    await prepareWithPatience(prepare, { log, outage, cancelled });
    const close = (limitMs?: number) => {
      outage.close();
      return store.close(limitMs);
    };
    return { ...store, close };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Never rejects. */
function responds(store: AnalyticsStore): Promise<boolean> {
  return store.readFigures().then(
    () => true,
    () => false,
  );
}

interface Preparation {
  readonly log: Log;
  readonly outage: Outage;
  readonly cancelled: AbortSignal;
}

/** Resolves when the store is ready, or after a while; it is then prepared in the background. */
async function prepareWithPatience(prepare: () => Promise<void>, preparation: Preparation): Promise<void> {
  const first = prepare();
  const outcome = await Promise.race([
    first.then(
      () => 'ready',
      (error: Error) => error,
    ),
    sleep(patienceMs, 'late', { signal: preparation.cancelled }).catch(() => 'late'),
  ]);
  if (outcome === 'ready') return;
  if (outcome instanceof MigrationError) throw outcome;
  const message = outcome instanceof Error ? outcome.message : `no response within ${patienceMs} ms`;
  preparation.outage.failed({ message });
  void keepPreparing(first, prepare, preparation);
}

async function keepPreparing(
  first: Promise<void>,
  prepare: () => Promise<void>,
  { log, cancelled }: Preparation,
): Promise<void> {
  let reported = '';
  let attempt: Promise<void> | null = first;
  while (!cancelled.aborted) {
    try {
      // Not begun outside: nobody would await an attempt that begins with the stop, and its failure would end the process.
      await (attempt ?? prepare());
      log('info', 'analytics store ready');
      return;
    } catch (error) {
      const { message } = error as Error;
      if (error instanceof MigrationError && message !== reported) {
        log('error', `analytics store unusable: ${message}`);
        reported = message;
      }
      attempt = null;
      await sleep(retryMs, undefined, { signal: cancelled }).catch(() => {});
    }
  }
}
