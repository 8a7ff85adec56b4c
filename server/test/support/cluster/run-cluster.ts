import { appendFileSync, rmSync } from 'node:fs';
import process from 'node:process';
import { startEmbeddedPostgres } from '../../../src/postgres/embedded/embedded-postgres.ts';
import { clusterSettings } from './cluster-place.ts';
import { makeClusterDir } from './memory-dir.ts';
import { prepareTestCluster, type TestCluster } from './test-cluster.ts';

/** The PostgreSQL of one whole test run. */
export interface RunCluster {
  readonly testCluster: TestCluster;
  stop(): Promise<void>;
}

/** Keeps the log in memory small; a checkpoint that flushes nothing to a disk costs little. */
const runSettings = { ...clusterSettings, max_wal_size: '512MB', min_wal_size: '80MB' };

/** Starts PostgreSQL with its template database in a new directory. Its log and password go to the files of the run. */
export async function startRunCluster(logFile: string, canaryFile: string): Promise<RunCluster> {
  const dataDir = makeClusterDir();
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log: (level, message) => {
      if (level === 'error') process.stderr.write(`${message}\n`);
      appendFileSync(logFile, `${message}\n`);
    },
    settings: runSettings,
    isDisposable: true,
  });
  const stop = async () => {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    appendFileSync(canaryFile, `${JSON.stringify(postgres.connection.password)}\n`);
    return { testCluster: await prepareTestCluster(postgres.connection), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
