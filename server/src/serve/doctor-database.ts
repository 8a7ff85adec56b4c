import type { Config } from '../config.ts';
import type { Log } from '../lib/log.ts';
import { DataDirInUseError, lockDataDir } from '../postgres/embedded/data-dir-lock.ts';
import { startEmbeddedPostgres } from '../postgres/embedded/embedded-postgres.ts';
import { findRunningCluster, hasCluster } from '../postgres/embedded/running-cluster.ts';
import { requireMigrated } from '../postgres/schema/migrate.ts';
import { mainSchema } from '../postgres/schema/schema-line.ts';
import { isConnectionFailure } from '../postgres/sqlstate.ts';
import type { MainDatabase } from './main-database.ts';
import { StartError } from './start-error.ts';

/**
 * Opens the main database for reading, without creating or migrating anything. The embedded one is started if
 * no server is running on the data directory; otherwise its running database is used.
 * @throws StartError, EmbeddedPostgresError, MigrationError
 */
export async function openDatabaseAsItIs({ databaseUrl, dataDir }: Config, log: Log): Promise<MainDatabase> {
  const main = databaseUrl === null ? await openEmbedded(dataDir, log) : atUrl(databaseUrl);
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

function atUrl(url: string): MainDatabase {
  return { address: { url }, isEmbedded: false, stop: async () => {} };
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
