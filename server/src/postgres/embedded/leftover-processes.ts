import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../lib/log.ts';
import { isServerOn, listClusterProcesses } from './cluster-processes.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

const fastShutdownMs = 15_000;
const orphansEndMs = 3_000;
const immediateShutdownMs = 10_000;
const killedMs = 5_000;

/**
 * Stops processes that a killed Brandport left running on the cluster, and removes the pid file of a server that has exited. The
 * caller holds the data directory's lock. Orphaned child processes, next to which PostgreSQL does not start, are killed after a
 * while.
 * @throws EmbeddedPostgresError when a server that Brandport did not start uses the cluster, or one does not stop
 */
export async function endLeftoverProcesses(clusterDir: string, clusterName: string, log: Log): Promise<void> {
  const found = await listClusterProcesses(clusterName);
  if (found.length > 0) {
    const pids = found.map(({ pid }) => pid).join(', ');
    log('warn', `stopping database processes left behind by an earlier Brandport (${pids})`);
    const server = found.some(({ isServer }) => isServer);
    const ended =
      (server && (await signalAndWait(clusterName, 'SIGINT', fastShutdownMs, true))) ||
      (!server && (await waitUntilNone(clusterName, orphansEndMs))) ||
      (await signalAndWait(clusterName, 'SIGQUIT', immediateShutdownMs)) ||
      (await signalAndWait(clusterName, 'SIGKILL', killedMs));
    if (!ended) {
      throw new EmbeddedPostgresError(
        `The leftover database processes ${pids} on ${clusterDir} cannot be stopped. Stop them, then start Brandport again.`,
      );
    }
  }
  await removeStalePidFile(clusterDir);
}

/** PostgreSQL would mistake any process that now has the old pid for its predecessor, and refuse to start. */
async function removeStalePidFile(clusterDir: string): Promise<void> {
  const path = join(clusterDir, 'postmaster.pid');
  const pid = Number.parseInt(await readFile(path, 'utf8').catch(() => ''), 10);
  if (pid > 0 && (await isServerOn(clusterDir, pid))) {
    throw new EmbeddedPostgresError(
      `A PostgreSQL server that Brandport did not start (process ${pid}) uses ${clusterDir}. Stop it, then start Brandport again.`,
    );
  }
  await rm(path, { force: true });
}

async function signalAndWait(
  clusterName: string,
  signal: NodeJS.Signals,
  limitMs: number,
  serverOnly = false,
): Promise<boolean> {
  for (const { pid, isServer } of await listClusterProcesses(clusterName)) {
    if (serverOnly && !isServer) continue;
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH'))
        throw notPermitted(pid, error);
    }
  }
  return waitUntilNone(clusterName, limitMs);
}

async function waitUntilNone(clusterName: string, limitMs: number): Promise<boolean> {
  for (const deadline = performance.now() + limitMs; ; await sleep(50)) {
    if ((await listClusterProcesses(clusterName)).length === 0) return true;
    if (performance.now() >= deadline) return false;
  }
}

function notPermitted(pid: number, cause: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The database process ${pid}, left behind by an earlier Brandport, belongs to another user and cannot be stopped ` +
      'from here. Stop it, or start Brandport as that user.',
    { cause },
  );
}
