import type { FastifyBaseLogger } from 'fastify';
import { AdminToken } from '../access/authentication/authentication.ts';
import { hasBrands } from '../brands/brand-store.ts';
import type { Config } from '../config.ts';
import { createClientApp } from '../http/client-app.ts';
import { createInternalApp } from '../http/internal-app.ts';
import { systemClock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { DatabaseAddress } from '../postgres/connection-options.ts';
import { isDatabaseLost } from '../postgres/database-errors.ts';
import { TableStatistics } from '../postgres/table-statistics.ts';
import { createServices } from './create-services.ts';
import { makeDemoBrand } from './demo-brand.ts';
import type { ServerAdditions, StartedServer } from './extension.ts';
import { loadAdminToken, loadCursorSecrets } from './kept-secrets.ts';
import { Lifetime } from './lifetime.ts';
import { connectionLimitsFor, createProbeApp, findOpenFileLimit, Listeners } from './listeners.ts';
import { loadBrowserSignIn } from './load-extensions.ts';
import { plainLog } from './logger.ts';
import { databaseCutMs, openDatabases } from './open-databases.ts';
import type { Outage } from './outage.ts';

/** Time for work that a failed start has begun, such as a job, to finish. */
const failedStartGraceMs = 1_000;

export interface RunningServer extends StartedServer {
  /** True if there is no brand yet, so that no client can do anything. */
  readonly isWithoutBrands: boolean;
}

/**
 * Starts everything that the configuration requires; when this resolves, both listeners accept connections. If it rejects,
 * everything is stopped again. `cancelled` aborts the start by throwing its reason.
 * @throws StartError, EmbeddedPostgresError, MigrationError
 */
export async function startServer(
  config: Config,
  logger: FastifyBaseLogger,
  cancelled: AbortSignal,
  additions: ServerAdditions = {},
): Promise<RunningServer> {
  const log = plainLog(logger);
  const lifetime = new Lifetime(log);
  try {
    const started = await start(config, logger, { log, lifetime, cancelled, additions });
    return { ...started, stop: (graceMs) => lifetime.end(graceMs) };
  } catch (error) {
    await lifetime.end(failedStartGraceMs);
    throw error;
  }
}

interface Start {
  readonly log: Log;
  readonly lifetime: Lifetime;
  readonly cancelled: AbortSignal;
  readonly additions: ServerAdditions;
}

async function start(
  config: Config,
  logger: FastifyBaseLogger,
  { log, lifetime, cancelled, additions }: Start,
): Promise<Omit<RunningServer, 'stop'>> {
  const { main, database, analytics, outage } = await openDatabases(config, 'brandport', {
    log,
    lifetime,
    cancelled,
  });
  const adminToken = await loadAdminToken(config, log);
  if (config.role !== 'api') keepStatistics(config, main.address, { log, lifetime, outage });
  const servicesOptions = {
    database,
    analytics,
    addresses: {
      main: main.address,
      analytics: config.analyticsUrl === null ? main.address : { url: config.analyticsUrl },
      engineUrl: config.engineUrl,
    },
    clock: additions.clock ?? systemClock,
    logger,
    log,
    cursorSecrets: await loadCursorSecrets(config),
    limits: config.limits,
    redisUrl: config.redisUrl,
    keep: config.keep,
    alerts: config.alerts === null ? null : { ...config.alerts, consoleUrl: config.consoleUrl },
    runsJobs: config.role !== 'api',
    role: config.role,
    processMetrics: true,
    bodies: { budget: config.bodyBudget },
    trustedProxies: config.trustedProxies,
    responseCache: config.responseCache,
    onDatabaseLost: (error: Error) => outage.failed(error),
    onKeyUsageError: (error: unknown) => {
      if (isDatabaseLost(error)) outage.failed(error);
      else log('warn', `key usage not written: ${(error as Error).message}`);
    },
    cancelled,
  };
  const services = await createServices(servicesOptions, lifetime);
  const { context, metrics } = services;
  cancelled.throwIfAborted();
  const appDeps = {
    ...services,
    additions,
    consoleAllowsHttp: config.consoleAllowsHttp,
    signIn: await loadBrowserSignIn(config.singleSignOn),
    adminToken: new AdminToken(adminToken.value, ...config.adminTokens.slice(1)),
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
  // Not earlier: creating the apps keeps the process busy, and a job's queries could seem to hang.
  await services.startJobs();
  cancelled.throwIfAborted();
  // Last of all: the key can be shown only once, and a failed start would not show it.
  const demo = main.isEmbedded && config.demo ? await makeDemoBrand(context) : null;
  const isWithoutBrands = demo === null && !(await hasBrands(database));
  return { clientUrl, internalUrl, adminToken, demo, isWithoutBrands };
}

/** Analyses tables after large loads, in the main database and in a separate analytics store. */
function keepStatistics(
  { analyticsUrl }: Config,
  main: DatabaseAddress,
  { log, lifetime, outage }: { log: Log; lifetime: Lifetime; outage: Outage },
): void {
  const keep = (address: DatabaseAddress, schemas: readonly string[]) => {
    const onError = (error: unknown) => {
      if (address === main && isDatabaseLost(error)) outage.failed(error);
      else log('warn', `analyze failed, autovacuum will run it later: ${(error as Error).message}`);
    };
    const statistics = new TableStatistics({ address, schemas, onError });
    lifetime.opened('table statistics', () => statistics.close(databaseCutMs));
  };
  keep(main, analyticsUrl === null ? ['public', 'analytics'] : ['public']);
  if (analyticsUrl !== null) keep({ url: analyticsUrl }, ['analytics']);
}
