import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

/** Returns the pid of the embedded PostgreSQL of a data directory from its pid file; null when none runs. */
export function findPostgresPid(dataDir: string): number | null {
  const clusterDir = join(dataDir, 'postgres');
  try {
    const pid = Number.parseInt(readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8'), 10);
    // The file survives its process, and the pid may have been reused.
    return commandOf(pid).includes(clusterDir) ? pid : null;
  } catch {
    return null;
  }
}

/** Stops it immediately, but not with SIGKILL, which would leak its shared memory. */
export function endPostgres(dataDir: string): void {
  const pid = findPostgresPid(dataDir);
  if (pid === null) return;
  try {
    process.kill(pid, 'SIGQUIT');
  } catch {
    // It has exited already.
  }
}

/** Returns whether a process runs. A zombie does not. */
export function isRunning(pid: number): boolean {
  return commandOf(pid) !== '';
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
