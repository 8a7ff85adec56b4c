import type { Config } from '../config.ts';
import type { Closing } from '../lib/closing.ts';
import type { Log } from '../lib/log.ts';
import type { DatabaseAddress } from '../postgres/connection-options.ts';
import { Database, type DatabaseOptions } from '../postgres/database.ts';
import { isConnectionFailure } from '../postgres/database-errors.ts';
import { DataDirInUseError, lockDataDir } from '../postgres/embedded/data-dir.ts';
import {
  findRunningCluster,
  hasCluster,
  startEmbeddedPostgres,
} from '../postgres/embedded/embedded-postgres.ts';
import { requireMigrated } from '../postgres/schema/migrate.ts';
import { analyticsSchema, mainSchema } from '../postgres/schema/schema-files.ts';
import type { OpenEngine } from './extension.ts';
import { StartError } from './lifetime.ts';
import { loadEngineExtension } from './load-extensions.ts';
import { externalDatabase, type MainDatabase } from './main-database.ts';

export interface Installation {
  readonly main: MainDatabase;
  /** The PostgreSQL of the analytics store. */
  readonly analytics: DatabaseAddress;
}

/**
 * Opens the main database and the analytics store for a command, next to a server or without one, without creating or
 * migrating anything. `closing` closes what was opened.
 * @throws StartError, EmbeddedPostgresError, MigrationError
 */
export async function openInstallation(config: Config, log: Log, closing: Closing): Promise<Installation> {
  const main = closing.adopt(await openMainAsItIs(config, log), (opened) => opened.stop());
  const analytics = config.analyticsUrl === null ? main.address : { url: config.analyticsUrl };
  try {
    await requireMigrated(analytics, analyticsSchema);
  } catch (error) {
    if (!isConnectionFailure(error)) throw error;
    throw new StartError(`The analytics store cannot be reached: ${(error as Error).message}`);
  }
  return { main, analytics };
}

/** Connects to a database until `closing` closes it. */
export function connect(options: DatabaseOptions, closing: Closing): Database {
  return closing.adopt(new Database(options), (database) => database.close());
}

/**
 * Opens the engine of the settings until `closing` closes it; null: there is none.
 * @param store its PostgreSQL; absent: the engine is not asked for anything
 * @throws StoreMismatch if it is not the engine of `store`
 */
export async function openEngine(
  url: string | null,
  closing: Closing,
  store?: Database,
): Promise<OpenEngine | null> {
  const engine = (await loadEngineExtension(url))?.open() ?? null;
  closing.defer(async () => engine?.close());
  if (store !== undefined) await engine?.requireOwn(store);
  return engine;
}

/**
 * Opens the main database without creating or migrating anything: the running one of a server on the data directory, or the
 * embedded one, which is started.
 * @throws StartError, EmbeddedPostgresError, MigrationError
 */
export async function openMainAsItIs({ databaseUrl, dataDir }: Config, log: Log): Promise<MainDatabase> {
  const main = databaseUrl === null ? await openEmbedded(dataDir, log) : externalDatabase(databaseUrl);
  try {
    await requireMigrated(main.address, mainSchema);
    return main;
  } catch (error) {
    await main.stop();
    if (!isConnectionFailure(error)) throw error;
    const which = databaseUrl === null ? `of the server that runs on ${dataDir}` : 'of DATABASE_URL';
    throw new StartError(`The database ${which} cannot be reached: ${(error as Error).message}`);
  }
}

async function openEmbedded(dataDir: string, log: Log): Promise<MainDatabase> {
  if (!(await hasCluster(dataDir)))
    throw new StartError(
      `There is no database in ${dataDir} (BRANDPORT_DATA_DIR), or this user has no access to it.`,
    );
  try {
    const lock = await lockDataDir(dataDir);
    const embedded = await startEmbeddedPostgres({ dataDir, log, lock }).catch(async (error: unknown) => {
      await lock.release();
      throw error;
    });
    const stop = async () => {
      await embedded.stop();
      await lock.release();
    };
    return { address: embedded.connection, isEmbedded: true, stop };
  } catch (error) {
    if (!(error instanceof DataDirInUseError)) throw error;
    return joinRunning(dataDir, error, log);
  }
}

async function joinRunning(dataDir: string, { message }: DataDirInUseError, log: Log): Promise<MainDatabase> {
  const address = await findRunningCluster(dataDir);
  if (address === undefined)
    throw new StartError(
      `${message} (Its database is not accessible: the server is starting or stopping, or belongs to another user or container. ` +
        'Run this command as the same user on the same host, or after the server has stopped.)',
    );
  log('info', 'a server is running on the data directory, using its database');
  return { address, isEmbedded: true, isInUse: true, stop: async () => {} };
}
