import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { AdminToken } from '../access/authentication/admin-token.ts';
import { KeyUsageRecorder } from '../access/authentication/key-usage.ts';
import { createRateLimits } from '../access/rate-limits/rate-limits.ts';
import type { Config, ListenAddress } from '../config.ts';
import { createClientApp } from '../http/client-app.ts';
import { createInternalApp } from '../http/internal-app.ts';
import { Metrics } from '../http/metrics.ts';
import { startJobQueue } from '../jobs/job-queue.ts';
import { scheduledJobs } from '../jobs/registry.ts';
import { systemClock } from '../lib/clock.ts';
import { Database } from '../postgres/database.ts';
import { type DemoBrand, makeDemoBrand } from './demo-brand.ts';
import { type Log, openMainDatabase } from './main-database.ts';
import { generatedSecret, type Secret } from './secrets.ts';
import { StartError } from './start-error.ts';

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
 * rejects, what had been started is stopped again.
 * @throws StartError, EmbeddedPostgresError, MigrationError
 */
export async function startServer(config: Config, logger: FastifyBaseLogger): Promise<RunningServer> {
  const log: Log = (level, message) => logger[level](message);
  // What has been started, in order; it is stopped in the opposite order.
  const started: ((graceMs: number) => Promise<void>)[] = [];
  const stop = async (graceMs: number) => {
    while (started.length > 0) await started.pop()?.(graceMs);
  };
  try {
    return { ...(await start(config, logger, log, started)), stop };
  } catch (error) {
    await stop(0);
    throw error;
  }
}

async function start(
  config: Config,
  logger: FastifyBaseLogger,
  log: Log,
  started: ((graceMs: number) => Promise<void>)[],
): Promise<Omit<RunningServer, 'stop'>> {
  const main = await openMainDatabase(config, log);
  started.push(() => main.stop());
  const adminToken = await adminTokenOf(config, log);

  const database = new Database({
    address: main.address,
    applicationName: 'brandport',
    onIdleError: (error) => log('warn', `a database connection was lost: ${error.message}`),
  });
  started.push(() => database.close());
  const context = { database, clock: systemClock };
  const demo = main.isEmbedded && config.demo ? await makeDemoBrand(database) : null;

  const rateLimits = await createRateLimits({ settings: config.limits, redisUrl: config.redisUrl, log });
  started.push(() => rateLimits.close());
  const keyUsage = new KeyUsageRecorder(database, {
    onError: (error) => log('warn', `last_used_at was not written: ${(error as Error).message}`),
  });
  started.push(() => keyUsage.close());
  const metrics = new Metrics({ processMetrics: true });
  metrics.watchPool('main', database);

  if (config.role !== 'api') {
    const jobs = await startJobQueue(context, scheduledJobs, logger);
    started.push((graceMs) => jobs.stop(graceMs));
  }
  const client = createClientApp({ context, rateLimits, keyUsage, metrics, logger });
  const internal = createInternalApp({
    context,
    adminToken: new AdminToken(adminToken.value),
    metrics,
    logger,
  });
  started.push((graceMs) => closeApps([client, internal], graceMs));
  return {
    clientUrl: await listen(client, config.client, 'PORT'),
    internalUrl: await listen(internal, config.internal, 'BRANDPORT_INTERNAL_PORT'),
    adminToken,
    demo,
  };
}

async function adminTokenOf(config: Config, log: Log): Promise<Secret> {
  if (config.adminToken !== null) return { value: config.adminToken, file: null };
  const secret = await generatedSecret(config.dataDir, 'admin-token');
  log('info', `the admin token is in ${secret.file}`);
  return secret;
}

async function listen(
  app: FastifyInstance,
  { host, port }: ListenAddress,
  variable: string,
): Promise<string> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new StartError(`${host}:${port} is in use; choose another port with ${variable}.`);
    throw new StartError(`Cannot listen on ${host}:${port}: ${message}`);
  }
  const address = app.server.address();
  const boundPort = typeof address === 'object' && address !== null ? address.port : port;
  return `http://${host.includes(':') ? `[${host}]` : host}:${boundPort}`;
}

/** Closes the listeners; connections that are still busy after `graceMs` are cut. */
async function closeApps(apps: readonly FastifyInstance[], graceMs: number): Promise<void> {
  const cut = setTimeout(() => {
    for (const app of apps) app.server.closeAllConnections();
  }, graceMs);
  await Promise.all(apps.map((app) => app.close()));
  clearTimeout(cut);
}
