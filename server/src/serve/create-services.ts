import type { FastifyBaseLogger } from 'fastify';
import { KeyUsageRecorder } from '../access/authentication/key-usage-recorder.ts';
import {
  type ConfiguredLimits,
  createRateLimits,
  type RateLimits,
} from '../access/rate-limits/rate-limits.ts';
import { type AlertTarget, sendAlerts } from '../alerts/send-alerts.ts';
import { createCursorCodec } from '../analytics/datasets/walk.ts';
import { ShownDirectory } from '../analytics/shown-directory.ts';
import type { AnalyticsStore } from '../analytics/store/analytics-store.ts';
import { PageAnchors } from '../api/page-anchors.ts';
import { StockHealths } from '../catalog/stock/get-stock-health.ts';
import { RequestBodies, type RequestBodiesOptions } from '../http/bodies/request-bodies.ts';
import { Metrics } from '../http/metrics.ts';
import { TrustedProxies } from '../http/proxies.ts';
import { ResponseCache } from '../http/response-cache.ts';
import type { Services } from '../http/services.ts';
import { type JobQueue, openJobQueue } from '../jobs/job-queue.ts';
import type { Network } from '../lib/addresses.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { createSeal } from '../lib/secrets.ts';
import { type ThreadLimits, Threads } from '../lib/threads.ts';
import type { Database } from '../postgres/database.ts';
import type { Keep } from '../retention/policy-settings.ts';
import { type Lifetime, packageVersion } from './lifetime.ts';
import { logLockWait, startWithLocks } from './main-database.ts';
import {
  observeAggregations,
  observeFeeds,
  observeIntake,
  observeJobs,
  observeRetention,
  watchRetention,
} from './observe-features.ts';
import { watchBuild, watchDatabases, watchDoctor, watchRedis } from './observe-server.ts';
import { type DoctorAddresses, runDoctorJob } from './run-doctor-job.ts';

export interface ServicesOptions {
  readonly database: Database;
  readonly analytics: AnalyticsStore;
  /** The databases that runs of the doctor connect to. */
  readonly addresses: DoctorAddresses;
  readonly clock: Clock;
  readonly logger: FastifyBaseLogger;
  readonly log: Log;
  /** The current secret of cursors first, then those that are still accepted. */
  readonly cursorSecrets: readonly [string, ...string[]];
  readonly limits: ConfiguredLimits;
  readonly redisUrl: string | null;
  readonly keep: Keep;
  /** null: alerts are not sent. */
  readonly alerts: AlertTarget | null;
  /** True if jobs run here, and are not only queued. */
  readonly runsJobs: boolean;
  /** Shown in the metrics and the overview. */
  readonly role: string;
  readonly processMetrics: boolean;
  readonly bodies: RequestBodiesOptions;
  /** The networks of the proxies whose `X-Forwarded-*` headers are believed; default: none. */
  readonly trustedProxies?: readonly Network[];
  /** Bytes of response bodies that are kept; 0 = none. */
  readonly responseCache: number;
  readonly threadLimits?: ThreadLimits;
  readonly onKeyUsageError: (error: unknown) => void;
  /** Called when the queue of jobs cannot reach the database. */
  readonly onDatabaseLost?: ((error: Error) => void) | undefined;
  readonly cancelled?: AbortSignal;
}

/** Registers how services stop. */
type Endings = Pick<Lifetime, 'works' | 'opened'>;

/** The parts that the two apps are created from. */
export interface AppServices {
  /** For handlers and jobs. */
  readonly context: Services;
  readonly rateLimits: RateLimits;
  readonly keyUsage: KeyUsageRecorder;
  readonly metrics: Metrics;
  readonly bodies: RequestBodies;
  readonly proxies: TrustedProxies;
  readonly responses: ResponseCache;
  readonly logger: FastifyBaseLogger;
  /** Begins to run jobs, if this process does. */
  startJobs(): Promise<void>;
}

/**
 * The composition root: creates what the apps and the jobs work with, for the server and for tests. The databases are the
 * caller's; everything else that is opened here is registered with `endings` at once, so that a failure leaves nothing open.
 */
export async function createServices(options: ServicesOptions, endings: Endings): Promise<AppServices> {
  const { database, clock, logger, log, runsJobs } = options;
  const metrics = new Metrics({ processMetrics: options.processMetrics });
  const { registry } = metrics;
  const analytics = observeAggregations(options.analytics, registry, logger);
  const analyticsCursors = createCursorCodec(options.cursorSecrets, clock);
  const { cursorSecrets: secrets } = options;
  const changeSeal = createSeal({ secrets, purpose: 'brandport changes', nonce: 'derived' });
  const observer = observeJobs(registry, logger);
  const jobs: JobQueue = await startWithLocks(
    () => openJobQueue(database, logger, runsJobs, { ...observer, databaseLost: options.onDatabaseLost }),
    { onWait: () => logLockWait(log), cancelled: options.cancelled },
  );
  endings.works('job queue', (graceMs) => jobs.stop(graceMs));
  const anchors = new PageAnchors();
  const threads = new Threads(options.threadLimits);
  endings.opened('threads', () => threads.close());
  const onIntake = observeIntake(registry);
  const { limits: configured, redisUrl } = options;
  const rateLimits = await createRateLimits({ configured, redisUrl, log });
  endings.opened('Redis connection', () => rateLimits.close());
  const keyUsage = new KeyUsageRecorder(database, {
    onError: options.onKeyUsageError,
    now: () => clock.now(),
    onUnverified: (count) => options.logger.warn(count, 'requests without a valid key refused'),
  });
  endings.opened('key usage recorder', () => keyUsage.close());
  const onEventsStored = (brandId: number, events: number) =>
    keyUsage.countEvents(brandId, events, clock.now());
  const runDoctor = (signal: AbortSignal) => runDoctorJob(options.addresses, signal);
  const context = {
    database,
    clock,
    jobs,
    anchors,
    threads,
    changeSeal,
    analytics,
    analyticsCursors,
    shownDirectory: new ShownDirectory(),
    onIntake,
    onEventsStored,
    stockHealths: new StockHealths(),
    rateLimits,
    runDoctor,
    server: { version: packageVersion, role: options.role },
  };

  const bodies = new RequestBodies(options.bodies);
  watchBuild(registry, options.role);
  watchRedis(registry, rateLimits);
  watchDatabases(registry, { database, analytics, clock });
  const responses = new ResponseCache(options.responseCache);
  metrics.watchDatabase(database);
  metrics.watchBodies(bodies);
  metrics.watchResponses(responses);

  watchDoctor(registry, database);
  watchRetention(registry, database);
  const feeds = observeFeeds(registry, database, logger);
  const retention = { keep: options.keep, observer: observeRetention(registry, logger) };
  const startJobs = async () => {
    if (!runsJobs) return;
    const { alerts } = options;
    await jobs.work({
      ...context,
      feeds,
      retention,
      sendAlerts: alerts === null ? undefined : (signal) => sendAlerts(context, alerts, signal),
    });
  };
  const proxies = new TrustedProxies(options.trustedProxies ?? []);
  return { context, rateLimits, keyUsage, metrics, bodies, responses, proxies, logger, startJobs };
}
