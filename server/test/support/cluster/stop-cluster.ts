import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { readClusterName } from '../../../src/postgres/embedded/cluster.ts';
import { DataDirInUseError, lockDataDir } from '../../../src/postgres/embedded/data-dir.ts';
import { endLeftoverProcesses } from '../../../src/postgres/embedded/server-process.ts';

const limitMs = 30_000;

/**
 * Ends the shared test cluster of `dir` and waits for its end; tests that use it fail.
 *
 * @returns whether one ran
 * @throws Error when it does not end in half a minute
 */
export async function stopCluster(dir: string): Promise<boolean> {
  if (!existsSync(dir)) return false;
  const signalled = new Set<number>();
  for (const deadline = performance.now() + limitMs; performance.now() < deadline; await delay(50)) {
    try {
      const lock = await lockDataDir(dir);
      const orphans = await endOrphans(dir);
      await lock.release();
      return orphans || signalled.size > 0;
    } catch (error) {
      // Only the keeper takes this lock, so the process that holds it is the keeper.
      if (!(error instanceof DataDirInUseError)) throw error;
      if (error.pid !== undefined && !signalled.has(error.pid)) process.kill(error.pid, 'SIGTERM');
      if (error.pid !== undefined) signalled.add(error.pid);
    }
  }
  throw new Error(`The PostgreSQL of the tests in ${dir} does not end.`);
}

/** Ends a PostgreSQL whose keeper was killed. The caller holds the lock of the directory. */
async function endOrphans(dir: string): Promise<boolean> {
  const clusterDir = join(dir, 'postgres');
  if (!existsSync(clusterDir)) return false;
  let found = false;
  await endLeftoverProcesses(clusterDir, await readClusterName(clusterDir), () => {
    found = true;
  });
  return found;
}
