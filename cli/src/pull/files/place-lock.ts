import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import process from 'node:process';
import { WarehouseRefused } from '../warehouse-state.ts';

/**
 * Takes the lock of a warehouse: a file with the process that uses it. The lock of a process that does not exist any more on
 * this machine is taken over. Returns a function that releases the lock. @throws WarehouseRefused
 */
export async function lockPlace(path: string): Promise<() => Promise<void>> {
  await mkdir(dirname(path), { recursive: true });
  for (let attempt = 1; ; attempt += 1)
    try {
      const file = await open(path, 'wx');
      try {
        await file.writeFile(
          JSON.stringify({ pid: process.pid, host: hostname(), since: await startOf(process.pid) }),
        );
      } finally {
        await file.close();
      }
      return () => rm(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const owner = await ownerOf(path);
      if (attempt > 3 || (owner !== null && (await isRunning(owner))))
        throw new WarehouseRefused(
          `${path} is held by process ${owner?.pid ?? 'unknown'} on ${owner?.host ?? 'unknown'}. If that process does not run any more, delete the file.`,
        );
      await rm(path, { force: true });
    }
}

interface Owner {
  readonly pid: number;
  readonly host: string;
  /** When the process started, as the system counts; null where that is not known. */
  readonly since: string | null;
}

/** null for a lock that is incomplete: its process was killed while it wrote it. */
async function ownerOf(path: string): Promise<Owner | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return null;
  }
}

async function isRunning({ pid, host, since }: Owner): Promise<boolean> {
  // Processes of other machines cannot be seen from here.
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  // A later process may have the same id.
  return (await startOf(pid)) === since;
}

async function startOf(pid: number): Promise<string | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}
