import { existsSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { readClusterName } from '../../../src/postgres/embedded/cluster.ts';
import { DataDirInUseError, type DataDirLock, lockDataDir } from '../../../src/postgres/embedded/data-dir.ts';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../../src/postgres/embedded/embedded-postgres.ts';
import { endLeftoverProcesses } from '../../../src/postgres/embedded/server-process.ts';
import { clusterLogFile, clusterSettings } from './cluster-place.ts';
import { directoryTaken } from './find-or-start-cluster.ts';
import { watchCluster } from './watch-cluster.ts';

/**
 * The process that runs the shared test cluster: `node keep-cluster.ts <dir> <idle minutes>`. It starts PostgreSQL with the
 * product's own supervisor, and ends after the idle time without connections, on SIGTERM, or when PostgreSQL ends.
 */
const dir = process.argv[2] as string;
const clusterDir = join(dir, 'postgres');
const log = (level: string, message: string) =>
  process.stdout.write(`${new Date().toISOString()} ${level} ${message}\n`);

const lock = await lockOrLeave();
truncateSync(clusterLogFile(dir));
if (!wasShutDownInOrder()) await removeCluster();
const postgres = await start(lock).catch(async (error: Error) => {
  log('warn', `the cluster is replaced: ${error.message}`);
  await removeCluster();
  return start(lock);
});
const idleMs = Number(process.argv[3]) * 60_000;
const watch = await watchCluster(postgres.connection, idleMs, log);
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => watch.end());
void postgres.exited.then(() => watch.end());
await watch.ended;
await stop(postgres, lock);

async function lockOrLeave(): Promise<DataDirLock> {
  try {
    return await lockDataDir(dir);
  } catch (error) {
    if (error instanceof DataDirInUseError) process.exit(directoryTaken);
    throw error;
  }
}

function start(held: DataDirLock): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({
    dataDir: dir,
    lock: held,
    log,
    settings: clusterSettings,
    isDisposable: true,
  });
}

/**
 * Returns whether the cluster's control file says so: the state is at byte 16, and 1 means shut down. Files that were never
 * flushed cannot be trusted after any other ending.
 */
function wasShutDownInOrder(): boolean {
  const file = join(clusterDir, 'global/pg_control');
  if (!existsSync(file)) return false;
  const content = readFileSync(file);
  return content.length >= 20 && content.readInt32LE(16) === 1;
}

async function removeCluster(): Promise<void> {
  if (!existsSync(clusterDir)) return;
  await endLeftoverProcesses(clusterDir, await readClusterName(clusterDir), log);
  rmSync(clusterDir, { recursive: true, force: true, maxRetries: 5 });
}

async function stop(running: EmbeddedPostgres, held: DataDirLock): Promise<void> {
  await running.stop();
  await held.release();
  process.exit(0);
}
