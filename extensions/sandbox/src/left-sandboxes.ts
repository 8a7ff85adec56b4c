import { readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { systemClock } from '../../../server/src/lib/clock.ts';
import type { Log } from '../../../server/src/lib/log.ts';
import { readClusterName } from '../../../server/src/postgres/embedded/cluster.ts';
import { lockDataDir } from '../../../server/src/postgres/embedded/data-dir.ts';
import { endLeftoverProcesses } from '../../../server/src/postgres/embedded/server-process.ts';

/** The beginning of the names of temporary directories. */
export const sandboxPrefix = 'brandport-sandbox-';

/** A directory without a lock is one that another sandbox has just created, or that a killed one never used. */
const unlockedMs = 60 * 60_000;

/**
 * Removes the temporary directories of sandboxes that were killed, with the PostgreSQL that one may have left running. Those of
 * other users and of running sandboxes, which hold their lock, stay. Never rejects: the next start tries again.
 */
export async function removeLeftSandboxes(log: Log): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  for (const name of names.filter((one) => one.startsWith(sandboxPrefix)))
    await removeIfLeft(join(tmpdir(), name), log).catch(() => {});
}

async function removeIfLeft(path: string, log: Log): Promise<void> {
  const { uid, mtimeMs } = await stat(path);
  if (uid !== process.getuid?.()) return;
  const hasLock = (await readdir(path)).includes('brandport.lock');
  if (!hasLock && systemClock.now() - mtimeMs < unlockedMs) return;
  // Rejects while the sandbox runs.
  const lock = await lockDataDir(path);
  try {
    const clusterDir = join(lock.dataDir, 'postgres');
    await endLeftoverProcesses(clusterDir, await readClusterName(clusterDir), log);
    await rm(path, { recursive: true, force: true, maxRetries: 5 });
    log('info', `removed ${path}, which a killed sandbox had left`);
  } finally {
    await lock.release();
  }
}
