import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../lib/log.ts';
import { clusterNameOf } from '../postgres/embedded/cluster.ts';
import { DataDirInUseError, lockDataDir } from '../postgres/embedded/data-dir-lock.ts';
import { endLeftoverProcesses } from '../postgres/embedded/leftover-processes.ts';
import { hasCluster } from '../postgres/embedded/running-cluster.ts';
import type { CommandContext } from './command.ts';
import { doctor } from './doctor.ts';
import { restoreFrom } from './restore.ts';

/** The database of a rehearsal, below its folder. */
const dataName = 'data';

/**
 * Restores a backup into a temporary embedded PostgreSQL below the data directory, runs the doctor on it and removes it. The
 * databases of the configuration are not touched.
 * @throws BackupError, StartError, EmbeddedPostgresError, MigrationError
 */
export async function verifyBackup(
  { config, log, cancelled, write }: CommandContext,
  file: string,
): Promise<number> {
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  await removeLeftRehearsals(config.dataDir, log);
  const folder = await mkdtemp(join(config.dataDir, 'verify-'));
  const lock = await lockDataDir(folder);
  try {
    const dataDir = join(folder, dataName);
    const rehearsal = { ...config, dataDir, databaseUrl: null, analyticsUrl: null, engineUrl: null };
    const context = { config: rehearsal, log, cancelled, write };
    const startedAt = performance.now();
    const { tables, rows, createdAt } = await restoreFrom(context, file);
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    write(`Restored ${tables} tables, ${rows} rows, as of ${createdAt}, in ${seconds} s.\n`);
    return await doctor(context);
  } finally {
    await lock.release();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Removes what killed rehearsals left: copies of all data, whose PostgreSQL may still be running. */
async function removeLeftRehearsals(dataDir: string, log: Log): Promise<void> {
  const names = (await readdir(dataDir)).filter((name) => /^verify-\w{6}$/.test(name));
  for (const name of names) {
    const folder = join(dataDir, name);
    try {
      const lock = await lockDataDir(folder);
      const clusterDir = join(lock.dataDir, dataName, 'postgres');
      if (await hasCluster(join(lock.dataDir, dataName)))
        await endLeftoverProcesses(clusterDir, await clusterNameOf(clusterDir), log);
      await lock.release();
      await rm(folder, { recursive: true, force: true });
    } catch (error) {
      if (!(error instanceof DataDirInUseError)) throw error;
    }
  }
}
