import { setTimeout as sleep } from 'node:timers/promises';
import { dayOf } from '../analytics/day.ts';
import {
  type AnalyticsStore,
  type AnalyticsStoreOptions,
  createAnalyticsStore,
} from '../analytics/store/analytics-store.ts';
import type { Config } from '../config.ts';
import { systemClock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { DatabaseAddress } from '../postgres/connection-options.ts';
import { Database } from '../postgres/database.ts';
import { migrate } from '../postgres/schema/migrate.ts';
import { analyticsSchema, MigrationError } from '../postgres/schema/schema-files.ts';
import { type Lifetime, StartError } from './lifetime.ts';
import { loadEngineExtension } from './load-extensions.ts';
import { logLockWait, type MainDatabase, openMainDatabase } from './main-database.ts';

const probeIntervalMs = 1_000;
const defaultRepeatMs = 60_000;

interface OutageOptions {
  readonly log: Log;
  /** The dependency, as in "database". */
  readonly name: string;
  /** Returns whether it responds. Never rejects. */
  readonly probe: () => Promise<boolean>;
  /** Milliseconds between the lines of a long outage; default: a minute. */
  readonly repeatMs?: number;
}

/**
 * Logs an outage of a dependency once: a line when it begins, one when it is over, and one a minute between, however many
 * connections, requests and jobs fail meanwhile. After the first failure it probes every second. Failures while the dependency
 * responds have one line a minute.
 */
export class Outage {
  readonly #options: OutageOptions;
  #timer: NodeJS.Timeout | undefined;
  #isWatching = false;
  #closed = false;
  #failures = 0;
  #last: object | null = null;
  #nextWarning = Number.NEGATIVE_INFINITY;

  constructor(options: OutageOptions) {
    this.#options = options;
  }

  /** Notes a failed connection or statement. The same error may come from several places. */
  failed(error: Pick<Error, 'message'>): void {
    if (error === this.#last) return;
    this.#last = error;
    this.#failures += 1;
    if (this.#isWatching || this.#closed) return;
    this.#isWatching = true;
    void this.#watch(error.message);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  async #watch(reason: string): Promise<void> {
    const { log, name, probe, repeatMs = defaultRepeatMs } = this.#options;
    const since = performance.now();
    const seconds = () => Math.round((performance.now() - since) / 1_000);
    let nextLine = since;
    while (!(await probe())) {
      if (this.#closed) return;
      if (performance.now() >= nextLine) {
        if (nextLine === since) log('error', `${name} unreachable: ${reason}`);
        else log('error', `${name} still unreachable after ${seconds()} s`);
        nextLine += repeatMs;
      }
      await new Promise<void>((resolve) => {
        this.#timer = setTimeout(resolve, probeIntervalMs).unref();
      });
    }
    this.#isWatching = false;
    const counted = `${this.#failures} failed attempts`;
    if (nextLine > since) log('info', `${name} reachable again after ${seconds()} s, ${counted}`);
    else if (since >= this.#nextWarning) log('warn', `${name} responds after ${counted}: ${reason}`);
    else return;
    this.#failures = 0;
    this.#nextWarning = performance.now() + repeatMs;
  }
}

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
async function openAnalyticsStore({
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

/** Transactions that still run when the databases are closed are cut after this. */
export const databaseCutMs = 250;
/** Shutdown writes memory to the disk; if that takes longer, PostgreSQL finishes it alone. */
const databaseStopMs = 8_000;
const probeMs = 2_000;

const writeTroubleLines = {
  disk_full: 'DATABASE DISK FULL',
  read_only: 'DATABASE READ-ONLY',
} as const;

interface OpenDatabases {
  readonly main: MainDatabase;
  readonly database: Database;
  readonly analytics: AnalyticsStore;
  /** The outages of the main database. */
  readonly outage: Outage;
}

/**
 * Opens the main database and the analytics store, both at the newest schema, and registers with `lifetime` what is open.
 * @throws StartError, EmbeddedPostgresError, MigrationError
 */
export async function openDatabases(
  config: Config,
  applicationName: string,
  { log, lifetime, cancelled }: { log: Log; lifetime: Lifetime; cancelled: AbortSignal },
): Promise<OpenDatabases> {
  const main = await openMainDatabase(config, log, cancelled);
  lifetime.opened('embedded PostgreSQL', () => main.stop(), databaseStopMs);
  cancelled.throwIfAborted();
  const database = new Database({
    address: main.address,
    applicationName,
    onWriteTrouble: (trouble) => {
      if (trouble === null) log('info', 'database accepts writes again');
      else log('error', `${writeTroubleLines[trouble]}: writes are rejected until it recovers`);
    },
    onLoss: (error) => outage.failed(error),
  });
  const outage = new Outage({ log, name: 'database', probe: () => database.isReachable(probeMs) });
  lifetime.opened('database connections', () => {
    outage.close();
    return database.close(databaseCutMs);
  });
  const analytics = await openAnalyticsStore({
    url: config.analyticsUrl,
    engineUrl: config.engineUrl,
    main: main.address,
    log,
    cancelled,
    mainOutage: outage,
  });
  lifetime.opened('analytics store connections', () => analytics.close(databaseCutMs));
  return { main, database, analytics, outage };
}
