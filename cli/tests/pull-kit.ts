import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { parquetReadObjects } from 'hyparquet';
import { Brandport } from '../../client/src/index.ts';
import { settleDirectoryChanges } from '../../server/src/analytics/directory-changes/settle-changes.ts';
import type { TestApps } from '../../server/test/support/test-apps.ts';
import { type DatasetName, datasetNames } from '../src/columns/datasets.ts';
import { type FlatRow, rowFlattener } from '../src/columns/flat-rows.ts';
import { openPlace } from '../src/pull/place.ts';
import { type PullOptions, pull, readIdentity, tablesOf } from '../src/pull/pull.ts';
import { readPages } from '../src/pull/read.ts';
import { stateVersion, type WarehouseTarget } from '../src/pull/state.ts';

/** Returns a folder that is removed after the file's tests. */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'brandport-pull-'));
  after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export interface TestPull extends Partial<Omit<PullOptions, 'target'>> {
  readonly url: string;
  readonly apiKey: string;
  readonly place: string;
  readonly cumulative?: boolean;
}

/** Opens the place as a run does, and closes it after the work. */
async function withTarget<T>(
  { url, apiKey, place, cumulative = true }: TestPull,
  work: (target: WarehouseTarget, brandport: Brandport) => Promise<T>,
): Promise<T> {
  const brandport = new Brandport({ baseUrl: url, apiKey, maxRetries: 0 });
  const { brandId } = await readIdentity(brandport);
  const identity = { version: stateVersion, service: url, brand_id: brandId, cumulative };
  const target = await openPlace({ path: place, format: 'parquet' }, identity);
  try {
    return await work(target, brandport);
  } finally {
    await target.close();
  }
}

/** Pulls once, into Parquet files. */
export function pullOnce(test: TestPull): Promise<void> {
  const { datasets = datasetNames } = test;
  return withTarget(test, (target, brandport) => pull({ ...test, brandport, target, datasets }));
}

/** Applies what opt-outs and erasures have queued, as the job does. */
export async function settle({ context }: TestApps, brandId: number): Promise<void> {
  await settleDirectoryChanges(context, brandId, { whenBusy: 'wait' });
}

/** Returns every file below a folder with its SHA-256. */
export async function fingerprintsOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const prints: Record<string, string> = {};
  for (const file of files.sort())
    prints[file.slice(folder.length + 1)] = createHash('sha256')
      .update(await readFile(file))
      .digest('hex');
  return prints;
}

/** Returns all rows of a dataset of Parquet files, by day, with the values of the API. */
export async function storedRows(place: string, dataset: DatasetName): Promise<Record<string, FlatRow[]>> {
  const state = JSON.parse(await readFile(join(place, '_brandport', 'state.json'), 'utf8'));
  const rows: Record<string, FlatRow[]> = {};
  for (const [date, { file, rows: count }] of Object.entries<{ file: string; rows: number }>(
    state.datasets[dataset].days,
  )) {
    const { buffer } = new Uint8Array(await readFile(join(place, dataset, file)));
    const stored = await parquetReadObjects({ file: buffer });
    assert.equal(stored.length, count, `${dataset} ${date}`);
    if (stored.length > 0) rows[date] = stored.map(asServed);
  }
  return rows;
}

function asServed(row: Record<string, unknown>): FlatRow {
  const plain = (value: unknown) => {
    if (value instanceof Date) return value.toISOString().slice(0, 10);
    return typeof value === 'bigint' ? Number(value) : (value ?? null);
  };
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])) as FlatRow;
}

/** Returns the rows that the service has for a window, flat, by day. */
export async function servedRows(
  brandport: Brandport,
  dataset: DatasetName,
  window: { from: string; to: string },
): Promise<Record<string, FlatRow[]>> {
  const rows: Record<string, FlatRow[]> = {};
  for (const table of tablesOf([dataset], true)) {
    const flatten = rowFlattener(table);
    for await (const { data } of readPages(brandport, table, window, {}))
      for (const row of data.map(flatten)) {
        rows[String(row['date'])] ??= [];
        rows[String(row['date'])]?.push(row);
      }
  }
  return rows;
}
