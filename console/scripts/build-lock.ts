import { link, readFile, rm, writeFile } from 'node:fs/promises';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

const pollMs = 100;
/** A build takes seconds: an older lock was left by a process whose id another one has now. */
const abandonedMs = 120_000;

/**
 * Runs the work while no other process holds the lock: a file with a process id and the time. Waits for the holder. The lock
 * of a process that exited is taken over; two processes that do so at the same moment may both run the work.
 */
export async function withBuildLock<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  const own = `${process.pid} ${Date.now()}`;
  while (!(await tryLock(path, own))) {
    const holder = await readHolder(path);
    if (holder !== null && isAbandoned(holder)) await unlock(path, holder);
    else await sleep(pollMs);
  }
  try {
    return await work();
  } finally {
    await unlock(path, own);
  }
}

/** A link appears with its content, so that nobody reads an empty lock. */
async function tryLock(path: string, own: string): Promise<boolean> {
  const staged = `${path}-${process.pid}`;
  await writeFile(staged, own);
  try {
    await link(staged, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(staged, { force: true });
  }
}

function readHolder(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch(() => null);
}

function isAbandoned(holder: string): boolean {
  const [pid = 0, since = 0] = holder.split(' ').map(Number);
  if (Date.now() - since > abandonedMs) return true;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

async function unlock(path: string, holder: string): Promise<void> {
  if ((await readHolder(path)) === holder) await rm(path, { force: true });
}
