import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatasetTable } from '../../columns/dataset-table.ts';
import { datasetNames } from '../../columns/dataset-table.ts';
import type { SpilledDay } from '../day-spill.ts';
import type { Day } from '../days.ts';
import type { NextState, WarehouseProblem, WarehouseTarget } from '../target.ts';
import {
  type StoredDay,
  stateOf,
  stateText,
  type WarehouseIdentity,
  WarehouseRefused,
  type WarehouseState,
} from '../warehouse-state.ts';
import { dayWriters, type FileFormat } from './day-writers.ts';
import {
  createTemporaryFolder,
  findSha256,
  findText,
  flushToDisk,
  moveIntoPlace,
  replaceText,
  statePathOf,
} from './durable-files.ts';
import { lockPlace } from './place-lock.ts';

/** Names of files that this program writes. Others are never deleted. */
const ownFile = /^(rev-\d+|sha-[0-9a-f]{12})\.(parquet|csv)$/;

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

  async replaceDays(table: DatasetTable, days: readonly SpilledDay[], next: NextState): Promise<void> {
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

  async #writeDay(
    table: DatasetTable,
    { date, revision, rows, digest, path }: SpilledDay,
  ): Promise<StoredDay> {
    const temporary = join(this.temporary, `${table.name}-${date}`);
    await dayWriters[this.#format](table, path, temporary);
    await flushToDisk(temporary);
    const sha256 = (await findSha256(temporary)) ?? '';
    const name = revision === null ? `sha-${digest.slice(0, 12)}` : `rev-${revision}`;
    const file = `date=${date}/${name}.${this.#format}`;
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
