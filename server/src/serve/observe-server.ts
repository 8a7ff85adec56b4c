import type { Registry } from 'prom-client';
import { countExpiringKeys, expiryWindows } from '../access/api-keys/api-key-store.ts';
import type { RateLimits } from '../access/rate-limits/rate-limits.ts';
import { type Day, dayNumberOf } from '../analytics/day.ts';
import type { AnalyticsStore } from '../analytics/store/analytics-store.ts';
import { findLastOutcome } from '../doctor/doctor-run-store.ts';
import { collectGauge } from '../http/metrics.ts';
import type { Clock } from '../lib/clock.ts';
import { within } from '../lib/within.ts';
import type { Database } from '../postgres/database.ts';
import { readDatabaseSize } from '../postgres/table-statistics.ts';
import { packageVersion } from './lifetime.ts';

interface ReadingOptions<T> {
  readonly read: () => Promise<T>;
  /** Milliseconds for which a reading is current; after a failure too. */
  readonly lifetimeMs: number;
  /** Milliseconds that a caller waits for a new reading at most; default: a second. */
  readonly waitMs?: number;
}

/** A value that is expensive to read: at most once per `lifetimeMs` (monotonic), by one reader at a time. */
export class RememberedReading<T> {
  readonly #options: ReadingOptions<T>;
  #value: T | null = null;
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | null = null;

  constructor(options: ReadingOptions<T>) {
    this.#options = options;
  }

  /** Returns the last reading, or null if the last attempt failed or there was none in time. Never rejects. */
  async get(): Promise<T | null> {
    const { lifetimeMs, waitMs = 1_000 } = this.#options;
    if (this.#reading === null && performance.now() - this.#readAt >= lifetimeMs)
      this.#reading = this.#read();
    if (this.#reading !== null) await within(waitMs, this.#reading, () => {});
    return this.#value;
  }

  async #read(): Promise<void> {
    try {
      this.#value = await this.#options.read();
    } catch {
      this.#value = null;
    }
    this.#readAt = performance.now();
    this.#reading = null;
  }
}

const probeMs = 2_000;
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

interface WatchedDatabases {
  readonly database: Database;
  readonly analytics: AnalyticsStore;
  readonly clock: Clock;
}

/** Shows what only the databases know. Each figure is read when it is scraped and then kept for a minute (sizes for five). */
export function watchDatabases(registry: Registry, { database, analytics, clock }: WatchedDatabases): void {
  watchReach(registry, database);
  const keys = new RememberedReading({ read: () => countExpiringKeys(database), lifetimeMs: minuteMs });
  collectGauge(registry, {
    name: 'brandport_api_keys_expiring',
    help: 'API keys that work now and expire within the period.',
    labelNames: ['within'],
    read: async (gauge) => {
      const counts = await keys.get();
      gauge.reset();
      if (counts !== null) for (const within of expiryWindows) gauge.set({ within }, counts[within]);
    },
  });

  const main = new RememberedReading({ read: () => readDatabaseSize(database), lifetimeMs: 5 * minuteMs });
  const store = new RememberedReading({ read: () => analytics.readFigures(), lifetimeMs: minuteMs });
  collectGauge(registry, {
    name: 'brandport_database_size_bytes',
    help: 'Size on disk of the database; `main` and `analytics` are equal if both are the same database.',
    labelNames: ['database'],
    read: async (gauge) => {
      const [mainBytes, figures] = await Promise.all([main.get(), store.get()]);
      gauge.reset();
      if (mainBytes !== null) gauge.set({ database: 'main' }, mainBytes);
      if (figures !== null) gauge.set({ database: 'analytics' }, figures.bytes);
    },
  });
  collectGauge(registry, {
    name: 'brandport_dataset_age_seconds',
    help: 'Time since the end of the last aggregated day, of the brand that is furthest behind; 0 before the first aggregation.',
    read: async (gauge) => {
      const figures = await store.get();
      gauge.reset();
      if (figures !== null) gauge.set(ageOf(figures.oldestLatestDay, clock.now()));
    },
  });
  collectGauge(registry, {
    name: 'brandport_analytics_up',
    help: '1 if the analytics store responds, otherwise 0.',
    read: async (gauge) => gauge.set((await store.get()) === null ? 0 : 1),
  });
  collectGauge(registry, {
    name: 'brandport_analytics_pool_connections',
    help: 'Connections to the analytics store, by pool and state.',
    labelNames: ['pool', 'state'],
    read: (gauge) => {
      for (const { pool, busy, idle } of analytics.uses()) {
        gauge.set({ pool, state: 'busy' }, busy);
        gauge.set({ pool, state: 'idle' }, idle);
      }
    },
  });
  collectGauge(registry, {
    name: 'brandport_analytics_pool_waiting',
    help: 'Requests and jobs waiting for a connection to the analytics store, by pool.',
    labelNames: ['pool'],
    read: (gauge) => {
      for (const { pool, waiting } of analytics.uses()) gauge.set({ pool }, waiting);
    },
  });
}

/** Shows whether the main database responds and accepts writes, as of the scrape. */
function watchReach(registry: Registry, database: Database): void {
  // The gauges of one scrape share a probe.
  const reachable = new RememberedReading({
    read: () => database.isReachable(probeMs),
    lifetimeMs: 0,
    waitMs: probeMs,
  });
  collectGauge(registry, {
    name: 'brandport_database_up',
    help: '1 if the main database responds and is not a standby, otherwise 0.',
    read: async (gauge) => gauge.set((await reachable.get()) === true ? 1 : 0),
  });
  collectGauge(registry, {
    name: 'brandport_database_writable',
    help: '0 if the last write failed because the disk of the main database is full or the database is read-only, otherwise 1; NaN while it does not respond.',
    read: async (gauge) => {
      const isUp = (await reachable.get()) === true;
      gauge.set(isUp ? Number(database.writeTrouble === null) : Number.NaN);
    },
  });
}

/** Seconds from the end of the day to `now`. */
function ageOf(day: Day | null, now: number): number {
  return day === null ? 0 : Math.max(0, (now - (dayNumberOf(day) + 1) * dayMs) / 1_000);
}

/** Shows the outcome of the last completed run of the doctor, by any process. */
export function watchDoctor(registry: Registry, database: Database): void {
  const last = new RememberedReading({ read: () => findLastOutcome(database), lifetimeMs: 10_000 });
  collectGauge(registry, {
    name: 'brandport_doctor_findings',
    help: 'Differences that the last completed run of the doctor found; missing before the first one.',
    read: async (gauge) => {
      const known = await last.get();
      gauge.remove();
      if (known !== null) gauge.set(known.found);
    },
  });
  collectGauge(registry, {
    name: 'brandport_doctor_last_run_timestamp_seconds',
    help: 'When the last completed run of the doctor ended, in seconds since 1970; missing before the first one.',
    read: async (gauge) => {
      const known = await last.get();
      gauge.remove();
      if (known !== null) gauge.set(known.finishedAt.getTime() / 1_000);
    },
  });
}

/** Shows the versions of Brandport and Node, and the role of the process. */
export function watchBuild(registry: Registry, role: string): void {
  const labels = { version: packageVersion, node: process.versions.node, role };
  collectGauge(registry, {
    name: 'brandport_build_info',
    help: 'Always 1; the labels show the version of Brandport and of Node, and the role of the process.',
    labelNames: Object.keys(labels),
    read: (gauge) => gauge.set(labels, 1),
  });
}

/** Shows whether Redis counts the requests. Without `REDIS_URL` there is no such metric. */
export function watchRedis(registry: Registry, rateLimits: RateLimits): void {
  if (rateLimits.isShared() === null) return;
  collectGauge(registry, {
    name: 'brandport_redis_up',
    help: '1 if rate limits are counted in Redis, 0 while Redis is unavailable and each process counts for itself.',
    read: (gauge) => gauge.set(rateLimits.isShared() === true ? 1 : 0),
  });
}
