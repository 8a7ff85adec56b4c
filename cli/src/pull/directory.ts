import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { link, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { type DatasetTable, datasetNames } from '../columns/datasets.ts';
import { dayWriters, type FileFormat } from './day-files.ts';
import type { Day } from './plan.ts';
import type { ReadDay } from './read.ts';
import {
  type NextState,
  type StoredDay,
  stateOf,
  stateText,
  type WarehouseIdentity,
  type WarehouseProblem,
  WarehouseRefused,
  type WarehouseState,
  type WarehouseTarget,
} from './state.ts';

/** Names of files that this program writes. Others are never deleted. */
const ownFile = /^rev-\d+\.(parquet|csv)$/;

/**
 * A directory with a folder of each dataset and a file of each day, as Hive partitions, and the state in
 * `_brandport/state.json` [D151].
 */
export class DirectoryTarget implements WarehouseTarget {
  readonly temporary: string;
  readonly #directory: string;
  readonly #format: FileFormat;
  readonly #unlock: () => Promise<void>;
  #state: WarehouseState;

  private constructor(directory: string, state: WarehouseState, unlock: () => Promise<void>) {
    this.#directory = directory;
    this.#format = state.format as FileFormat;
    this.#state = state;
    this.#unlock = unlock;
    this.temporary = join(directory, '_brandport', 'tmp');
  }

  /** Opens a directory, or creates it. @throws WarehouseRefused */
  static async open(
    directory: string,
    identity: WarehouseIdentity & { readonly format: FileFormat },
  ): Promise<DirectoryTarget> {
    const statePath = statePathOf(directory);
    if ((await findText(statePath)) === null) await assertNoDatasets(directory);
    const unlock = await lockPlace(join(directory, '_brandport', 'lock'));
    try {
      const text = await findText(statePath);
      const state = stateOf({ text, at: statePath }, identity, directory);
      const target = new DirectoryTarget(directory, state, unlock);
      await createTemporaryFolder(target.temporary);
      if (text === null) await target.saveState(state);
      return target;
    } catch (error) {
      await unlock();
      throw error;
    }
  }

  get state(): WarehouseState {
    return this.#state;
  }

  async replaceDays(table: DatasetTable, days: readonly ReadDay[], next: NextState): Promise<void> {
    const before = this.#state.datasets[table.name]?.days ?? {};
    const stored: Record<Day, StoredDay> = {};
    for (const day of days) stored[day.date] = await this.#writeDay(table, day);
    await this.saveState(next(stored));
    for (const { date } of days) {
      const old = before[date]?.file;
      if (old !== undefined && old !== stored[date]?.file)
        await rm(join(this.#directory, table.name, old), { force: true });
    }
  }

  async #writeDay(table: DatasetTable, { date, revision, rows, digest, path }: ReadDay): Promise<StoredDay> {
    const temporary = join(this.temporary, `${table.name}-${date}`);
    await dayWriters[this.#format](table, path, temporary);
    await flushToDisk(temporary);
    const sha256 = (await findSha256(temporary)) ?? '';
    const file = `date=${date}/rev-${revision}.${this.#format}`;
    await moveIntoPlace(temporary, join(this.#directory, table.name, file));
    return { revision, rows, digest, file, sha256 };
  }

  async saveState(state: WarehouseState): Promise<void> {
    await replaceText(statePathOf(this.#directory), stateText(state), this.temporary);
    this.#state = state;
  }

  /** Removes files of this program that the state does not name: those that a killed run wrote or did not delete. */
  async removeLeftovers(): Promise<void> {
    for (const name of datasetNames)
      for (const file of await this.#strays(name))
        if (ownFile.test(file.split('/').at(-1) ?? ''))
          await rm(join(this.#directory, name, file), { force: true });
  }

  async *inspect(tables: readonly DatasetTable[]): AsyncGenerator<WarehouseProblem, void, undefined> {
    for (const { name } of tables) {
      for (const [date, { file = '', sha256 }] of Object.entries(this.#state.datasets[name]?.days ?? {}))
        if ((await findSha256(join(this.#directory, name, file))) !== sha256)
          yield { kind: 'damaged', what: `${name} ${date}` };
      for (const file of await this.#strays(name)) yield { kind: 'stray', what: `${name}/${file}` };
    }
  }

  /** The files below the folder of a dataset that the state does not name. */
  async #strays(name: DatasetTable['name']): Promise<string[]> {
    const known = new Set(Object.values(this.#state.datasets[name]?.days ?? {}).map(({ file }) => file));
    const entries = await readdir(join(this.#directory, name), {
      recursive: true,
      withFileTypes: true,
    }).catch(noneIfAbsent);
    const folder = join(this.#directory, name);
    return entries
      .filter((entry) => !entry.isDirectory())
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(folder.length + 1)
          .replaceAll('\\', '/'),
      )
      .filter((file) => !known.has(file))
      .sort();
  }

  async close(): Promise<void> {
    await rm(this.temporary, { recursive: true, force: true });
    await this.#unlock();
  }
}

/** A directory that has datasets but no state was filled by another program. */
async function assertNoDatasets(directory: string): Promise<void> {
  const names: string[] = await readdir(directory).catch(noneIfAbsent);
  const found = datasetNames.find((name) => names.includes(name));
  if (found !== undefined)
    throw new WarehouseRefused(
      `${directory} has "${found}", but no _brandport/state.json: use an empty directory.`,
    );
}

function noneIfAbsent(error: NodeJS.ErrnoException): never[] {
  if (error.code === 'ENOENT') return [];
  throw error;
}

/** Flushes a file or a folder to disk. Folders cannot be flushed on Windows, where renames are durable without it. */
async function flushToDisk(path: string): Promise<void> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (process.platform === 'win32') return null;
    throw error;
  });
  if (file === null) return;
  try {
    await file.sync();
  } catch (error) {
    if (process.platform !== 'win32') throw error;
  } finally {
    await file.close();
  }
}

/** Moves a file that is on disk to its place, in a folder that may not exist. The last file of that name is replaced. */
async function moveIntoPlace(temporary: string, path: string): Promise<void> {
  const folder = dirname(path);
  const created = await mkdir(folder, { recursive: true });
  await rename(temporary, path);
  await flushToDisk(folder);
  // The name of a new folder is an entry of its parent, up to the first folder that existed.
  if (created !== undefined)
    for (let parent = dirname(folder); ; parent = dirname(parent)) {
      await flushToDisk(parent);
      if (parent === dirname(created) || parent === dirname(parent)) break;
    }
}

/** Replaces a file in one step: readers see the content before or after it, also if the machine stops. */
async function replaceText(path: string, text: string, temporaryFolder: string): Promise<void> {
  const temporary = join(temporaryFolder, 'replacement');
  const file = await open(temporary, 'w');
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await moveIntoPlace(temporary, path);
}

/** Returns the text of a file; null if it does not exist. */
export async function findText(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Returns the SHA-256 of a file; null if it does not exist. */
export async function findSha256(path: string): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  return hash.digest('hex');
}

/** Returns the file of a directory that holds its state. */
export function statePathOf(directory: string): string {
  return join(directory, '_brandport', 'state.json');
}

/** Creates the folder for the temporary files of a run, for this user only, without what a killed run left in it. */
export async function createTemporaryFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
  await mkdir(path, { mode: 0o700 });
}

/**
 * Takes the lock of a warehouse: a file with the process that uses it, which appears complete. The lock of a process that
 * does not exist any more on this machine is taken over [D277]. Returns a function that releases the lock.
 * @throws WarehouseRefused
 */
export async function lockPlace(path: string): Promise<() => Promise<void>> {
  await mkdir(dirname(path), { recursive: true });
  const own = `${path}.${randomUUID()}`;
  const since = await startOf(process.pid);
  await writeFile(own, JSON.stringify({ pid: process.pid, host: hostname(), since }), {
    flag: 'wx',
    flush: true,
  });
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
