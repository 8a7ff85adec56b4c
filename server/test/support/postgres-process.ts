import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

/** The embedded PostgreSQL of a data directory, by its own pid file; null when none runs. */
export function findPostgresPid(dataDir: string): number | null {
  const clusterDir = join(dataDir, 'postgres');
  try {
    const pid = Number.parseInt(readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8'), 10);
    // The file outlives its process, and the number may be another program's by then.
    return commandOf(pid).includes(clusterDir) ? pid : null;
  } catch {
    return null;
  }
}

/** Ends it at once, but not with SIGKILL: that would leave its shared memory behind. */
export function endPostgres(dataDir: string): void {
  const pid = findPostgresPid(dataDir);
  if (pid === null) return;
  try {
    process.kill(pid, 'SIGQUIT');
  } catch {
    // ended meanwhile
  }
}

/** Whether a process is at work; one that has ended and that nobody has asked how is not. */
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
