import type { FastifyBaseLogger } from 'fastify';
import { AdminToken } from '../access/authentication/admin-token.ts';
import { KeyUsageRecorder } from '../access/authentication/key-usage.ts';
import { createRateLimits } from '../access/rate-limits/rate-limits.ts';
import { createCursorCodec } from '../analytics/cursor-codec.ts';
import { PageAnchors } from '../api/page-anchors.ts';
import type { Config } from '../config.ts';
import { RequestBodies } from '../http/bodies/request-bodies.ts';
import { createClientApp } from '../http/client-app.ts';
import { createInternalApp } from '../http/internal-app.ts';
import { Metrics } from '../http/metrics.ts';
import { openJobQueue } from '../jobs/job-queue.ts';
import { systemClock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { Threads } from '../lib/threads.ts';
import type { DatabaseAddress } from '../postgres/connection-options.ts';
import { Database } from '../postgres/database.ts';
import { TableStatistics } from '../postgres/table-statistics.ts';
import { cursorSecretsOf } from './cursor-secrets.ts';
import { type DemoBrand, makeDemoBrand } from './demo-brand.ts';
import { Lifetime } from './lifetime.ts';
import { Listeners } from './listeners.ts';
import { observeFeeds } from './observe-feeds.ts';
import { openAnalyticsStore } from './open-analytics-store.ts';
import { connectionLimitsFor, findOpenFileLimit } from './open-files.ts';
import { openMainDatabase } from './open-main-database.ts';
import { createProbeApp } from './probe-app.ts';
import { generatedSecret, type Secret } from './secrets.ts';
import { StartError } from './start-error.ts';

/** Time for work that a failed start has begun, such as a job, to finish. */
const failedStartGraceMs = 1_000;
/** Transactions that still run when the database is to be closed are cut after this. */
const databaseCutMs = 250;
/** Shutdown writes memory to the disk; if that takes longer, PostgreSQL finishes it alone. */
const databaseStopMs = 8_000;

const writeTroubleLines = {
  disk_full: 'DATABASE DISK FULL',
  read_only: 'DATABASE READ-ONLY',
} as const;

export interface RunningServer {
  readonly clientUrl: string;
  readonly internalUrl: string;
  readonly adminToken: Secret;
  /** Set when this start made the demonstration brand. */
  readonly demo: DemoBrand | null;
  /** Stops accepting, finishes what is in flight (`graceMs` at most), then closes everything. */
  stop(graceMs: number): Promise<void>;
}

/**
 * Starts everything that the configuration asks for; when this resolves, both listeners accept connections. When it
 * rejects, what had been started is stopped again. `cancelled` ends the start early, by throwing its reason.
 * @throws StartError, EmbeddedPostgresError, MigrationError
 */
export async function startServer(
  config: Config,
  logger: FastifyBaseLogger,
  cancelled: AbortSignal,
): Promise<RunningServer> {
  const log: Log = (level, message) => logger[level](message);
  const lifetime = new Lifetime(log);
  try {
    const started = await start(config, logger, { log, lifetime, cancelled });
    return { ...started, stop: (graceMs) => lifetime.end(graceMs) };
  } catch (error) {
    await lifetime.end(failedStartGraceMs);
    throw error;
  }
}

async function start(
  config: Config,
  logger: FastifyBaseLogger,
  { log, lifetime, cancelled }: { log: Log; lifetime: Lifetime; cancelled: AbortSignal },
): Promise<Omit<RunningServer, 'stop'>> {
  const main = await openMainDatabase(config, log, cancelled);
  lifetime.opened('embedded PostgreSQL', () => main.stop(), databaseStopMs);
  cancelled.throwIfAborted();
  const adminToken = await adminTokenOf(config, log);

  const database = new Database({
    address: main.address,
    applicationName: 'brandport',
    onWriteTrouble: (trouble) => {
      if (trouble === null) log('info', 'database accepts writes again');
      else log('error', `${writeTroubleLines[trouble]}: writes are rejected until it recovers`);
    },
    onIdleError: (error) => log('warn', `database connection lost: ${error.message}`),
  });
  lifetime.opened('database connections', () => database.close(databaseCutMs));
  const analytics = await openAnalyticsStore({
    url: config.analyticsUrl,
    main: main.address,
    log,
    cancelled,
  });
  lifetime.opened('analytics store connections', () => analytics.close(databaseCutMs));
  if (config.role !== 'api') keepStatistics(config, main.address, { log, lifetime });
  const analyticsCursors = createCursorCodec(await cursorSecretsOf(config), systemClock);
  const jobs = await openJobQueue(database, logger, config.role !== 'api');
  lifetime.works('job queue', (graceMs) => jobs.stop(graceMs));
  const anchors = new PageAnchors();
  const threads = new Threads();
  lifetime.opened('the threads', () => threads.close());
  const context = { database, clock: systemClock, jobs, anchors, threads, analytics, analyticsCursors };

  const rateLimits = await createRateLimits({ settings: config.limits, redisUrl: config.redisUrl, log });
  lifetime.opened('Redis connection', () => rateLimits.close());
  const keyUsage = new KeyUsageRecorder(database, {
    onError: (error) => log('warn', `last_used_at not written: ${(error as Error).message}`),
  });
  lifetime.opened('key usage recorder', () => keyUsage.close());
  const metrics = new Metrics({ processMetrics: true });
  metrics.watchDatabase(database);
  metrics.watchFeeds(database);
  const bodies = new RequestBodies({ budget: config.bodyBudget });
  metrics.watchBodies(bodies);
  cancelled.throwIfAborted();
  const appDeps = {
    context,
    rateLimits,
    keyUsage,
    metrics,
    bodies,
    logger,
    adminToken: new AdminToken(adminToken.value),
  };
  const apps =
    config.role === 'worker'
      ? { client: createProbeApp('client', appDeps), internal: createProbeApp('internal', appDeps) }
      : { client: createClientApp(appDeps), internal: createInternalApp(appDeps) };
  const listeners = new Listeners({ limits: connectionLimitsFor(await findOpenFileLimit()), metrics, log });
  lifetime.works('listeners', (graceMs) => listeners.close(graceMs));
  const clientUrl = await listeners.open('client', apps.client, config.client, ['HOST', 'PORT']);
  const internalUrl = await listeners.open('internal', apps.internal, config.internal, [
    'BRANDPORT_INTERNAL_HOST',
    'BRANDPORT_INTERNAL_PORT',
  ]);
  // Not before: making the apps keeps the process busy, and what a job asks the database could seem to hang.
  if (config.role !== 'api') await jobs.work({ ...context, feeds: observeFeeds(metrics, logger) });
  cancelled.throwIfAborted();
  // Last of all: the key can be shown only once, and a failed start would not show it.
  const demo = main.isEmbedded && config.demo ? await makeDemoBrand(context) : null;
  return { clientUrl, internalUrl, adminToken, demo };
}

/** Has tables analysed after large loads, in the main database and in an analytics store of its own. */
function keepStatistics(
  { analyticsUrl }: Config,
  main: DatabaseAddress,
  { log, lifetime }: { log: Log; lifetime: Lifetime },
): void {
  const keep = (address: DatabaseAddress, schemas: readonly string[]) => {
    const onError = (error: unknown) =>
      log('warn', `analyze failed, autovacuum will run it later: ${(error as Error).message}`);
    const statistics = new TableStatistics({ address, schemas, onError });
    lifetime.opened('table statistics', () => statistics.close(databaseCutMs));
  };
  keep(main, analyticsUrl === null ? ['public', 'analytics'] : ['public']);
  if (analyticsUrl !== null) keep({ url: analyticsUrl }, ['analytics']);
}

async function adminTokenOf(config: Config, log: Log): Promise<Secret> {
  if (config.adminToken !== null) return { value: config.adminToken, file: null };
  const secret = await generatedSecret(config.dataDir, 'admin-token').catch((error: Error) => {
    throw new StartError(
      `The admin token cannot be stored in ${config.dataDir} (BRANDPORT_DATA_DIR): ${error.message}. Give the user that ` +
        'runs Brandport access to the directory, or set BRANDPORT_ADMIN_TOKEN.',
    );
  });
  log('info', `the admin token is in ${secret.file}`);
  return secret;
}
