import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config.ts';
import type { Log } from '../lib/log.ts';
import type { DatabaseAddress } from '../postgres/connection-options.ts';
import { isConnectionFailure, RefusedConnectionError } from '../postgres/database-errors.ts';
import { migrate } from '../postgres/schema/migrate.ts';
import { MigrationError, mainSchema } from '../postgres/schema/schema-files.ts';
import { StartError } from './start-error.ts';
import { externalDatabase, type MainDatabase, superviseEmbeddedPostgres } from './supervised-postgres.ts';
import { logLockWait } from './with-lock-patience.ts';

/** Time that startup waits for an external database, which may be starting too. */
const patienceMs = 30_000;

/**
 * Opens the main database (the embedded one without `DATABASE_URL`) and migrates it to the latest schema.
 * @throws StartError, EmbeddedPostgresError, MigrationError; the reason of `cancelled`
 */
export async function openMainDatabase(
  config: Config,
  log: Log,
  cancelled: AbortSignal,
): Promise<MainDatabase> {
  const main = await startMainDatabase(config, log, cancelled);
  try {
    const ran = await migrateWithPatience(main.address, log, cancelled);
    if (ran.length > 0) log('info', `database migrated: ${ran.join(', ')}`);
    return main;
  } catch (error) {
    await main.stop();
    throw error;
  }
}

/** Starts the embedded database without `DATABASE_URL`. @throws StartError, EmbeddedPostgresError; the reason of `cancelled` */
export async function startMainDatabase(
  { databaseUrl, dataDir }: Config,
  log: Log,
  cancelled: AbortSignal,
): Promise<MainDatabase> {
  return databaseUrl === null
    ? superviseEmbeddedPostgres(dataDir, log, cancelled)
    : externalDatabase(databaseUrl);
}

async function migrateWithPatience(
  address: DatabaseAddress,
  log: Log,
  cancelled: AbortSignal,
): Promise<string[]> {
  const deadline = performance.now() + patienceMs;
  for (let warned = false; ; warned = true) {
    cancelled.throwIfAborted();
    try {
      return await migrate(address, mainSchema, { onWait: () => logLockWait(log), cancelled });
    } catch (error) {
      if (error instanceof MigrationError || cancelled.aborted) throw error;
      const { message } = error as Error;
      if (error instanceof RefusedConnectionError || !isConnectionFailure(error))
        throw new StartError(`The database of DATABASE_URL cannot be used: ${message}`, { cause: error });
      if (performance.now() > deadline)
        throw new StartError(`The database of DATABASE_URL cannot be reached: ${message}`, { cause: error });
      if (!warned) log('warn', `waiting for the database: ${message}`);
      await sleep(500, undefined, { signal: cancelled }).catch(() => {});
    }
  }
}
