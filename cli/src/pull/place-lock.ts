import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import process from 'node:process';
import { WarehouseRefused } from './state.ts';

/**
 * Takes the lock of a warehouse: a file with the process that uses it, which appears complete. The lock of a process that
 * does not exist any more on this machine is taken over [D271]. Returns a function that releases the lock.
 * @throws WarehouseRefused
 */
export async function lockPlace(path: string): Promise<() => Promise<void>> {
  await mkdir(dirname(path), { recursive: true });
  const own = `${path}.${randomUUID()}`;
  const since = await startOf(process.pid);
  await writeFile(own, JSON.stringify({ pid: process.pid, host: hostname(), since }), { flag: 'wx' });
  try {
    if (!(await isCreated(own, path))) await takeOver(own, path);
  } finally {
    await rm(own, { force: true });
  }
  return () => rm(path, { force: true });
}

/** Replaces the lock of a process that does not exist any more. A second lock admits one process to this. */
async function takeOver(own: string, path: string): Promise<void> {
  await assertAbandoned(path);
  const takeover = `${path}.takeover`;
  if (!(await isCreated(own, takeover))) throw heldBy(takeover, await ownerOf(takeover));
  try {
    // Another process may have taken it over, and released it, since it was read.
    if (await assertAbandoned(path)) await rename(own, path);
    else if (!(await isCreated(own, path))) throw heldBy(path, await ownerOf(path));
  } finally {
    await rm(takeover, { force: true });
  }
}

/** Returns whether there is a lock, of a process that is gone. @throws WarehouseRefused for any other lock */
async function assertAbandoned(path: string): Promise<boolean> {
  const owner = await ownerOf(path);
  if (owner === 'unknown' || (owner !== null && (await isRunning(owner)))) throw heldBy(path, owner);
  return owner !== null;
}

/** Gives the file another name, unless that exists. Where files cannot have two names, its text is written under it. */
async function isCreated(file: string, path: string): Promise<boolean> {
  try {
    await link(file, path).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') throw error;
      await writeFile(path, await readFile(file), { flag: 'wx' });
    });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function heldBy(path: string, owner: Owner | 'unknown' | null): WarehouseRefused {
  if (owner === null)
    return new WarehouseRefused(`${path} was just taken by another process. Run the command again.`);
  const { pid, host } = owner === 'unknown' ? { pid: 'unknown', host: 'unknown' } : owner;
  return new WarehouseRefused(
    `${path} is held by process ${pid} on ${host}. If that process does not run any more, delete the file.`,
  );
}

interface Owner {
  readonly pid: number;
  readonly host: string;
  /** When the process started, as the system counts; null where that is not known. */
  readonly since: string | null;
}

/** Returns null without a lock, and `unknown` for one that is empty or damaged: its process may be about to write it. */
async function ownerOf(path: string): Promise<Owner | 'unknown' | null> {
  try {
    const owner = JSON.parse(await readFile(path, 'utf8'));
    return typeof owner?.pid === 'number' ? owner : 'unknown';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? null : 'unknown';
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
