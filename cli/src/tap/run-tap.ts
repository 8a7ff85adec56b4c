import type { Brandport } from '@brandport/client';
import type { DatasetName, DatasetTable } from '../columns/dataset-table.ts';
import type { FlatRow } from '../columns/flat-rows.ts';
import type { SpilledDay } from '../pull/day-spill.ts';
import type { Day } from '../pull/days.ts';
import { flatRowBatches } from '../pull/files/flat-row-batches.ts';
import { type DatasetPlan, planDatasets } from '../pull/plan-datasets.ts';
import { skipUnchangedWindows } from '../pull/probe-windows.ts';
import { readDays } from '../pull/read-days.ts';
import { type Bookmark, knownByBookmark, noBookmark, type TapState } from './bookmarks.ts';
import { type SelectedStream, singerSchema } from './catalog.ts';

/** A message of the Singer protocol, one line of standard output. */
export type SingerMessage =
  | {
      readonly type: 'SCHEMA';
      readonly stream: string;
      readonly schema: object;
      readonly key_properties: readonly string[];
      readonly bookmark_properties: readonly string[];
    }
  | {
      readonly type: 'RECORD';
      readonly stream: string;
      readonly record: FlatRow;
      readonly time_extracted: string;
    }
  | { readonly type: 'STATE'; readonly value: TapState };

export interface TapOptions {
  readonly brandport: Brandport;
  readonly streams: readonly SelectedStream[];
  readonly state: TapState;
  readonly startDate: Day | undefined;
  readonly cumulative: boolean;
  /** An empty folder for temporary files. */
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly send: (message: SingerMessage) => void;
  readonly log: (text: string) => void;
}

const batchRows = 1_000;

/**
 * Sends the streams one after the other. STATE follows the last record of a day: a target that has stored it has whole days.
 * A stream as FULL_TABLE has one STATE at its end. @throws CliError, BrandportError
 */
export async function runTap(options: TapOptions): Promise<void> {
  const { brandport, streams, startDate, cumulative, signal, send, log } = options;
  let { state } = options;
  const methods = new Map(streams.map(({ table, method }) => [table.name, method]));
  const bookmarkOf = (name: DatasetName) =>
    (methods.get(name) === 'INCREMENTAL' ? state.bookmarks[name] : undefined) ?? noBookmark;
  const plans = await planDatasets({
    brandport,
    signal,
    tables: streams.map(({ table }) => table),
    knownOf: (name) => knownByBookmark(bookmarkOf(name), startDate),
    skipsCorrected: !cumulative,
  });
  for (const plan of plans) {
    const { table } = plan;
    send(schemaMessage(table));
    const days = await skipUnchangedWindows(plan, { brandport, signal });
    log(`${table.name}: ${days.length} days to send`);
    const isIncremental = methods.get(table.name) === 'INCREMENTAL';
    const advance = (bookmark: Bookmark) => {
      state = { ...state, bookmarks: { ...state.bookmarks, [table.name]: bookmark } };
      send({ type: 'STATE', value: state });
    };
    const reader = { brandport, signal, table, cumulative, folder: options.folder, concurrency: 1 };
    await readDays(reader, days, async (read) => {
      for (const day of read) {
        await sendRecords(table, day, send);
        if (!isIncremental) continue;
        const before = bookmarkOf(table.name);
        advance({ ...before, days: { ...before.days, [day.date]: day.revision } });
      }
    });
    advance(isIncremental ? finishedBookmark(plan, bookmarkOf(table.name)) : noBookmark);
  }
}

function schemaMessage(table: DatasetTable): SingerMessage {
  return {
    type: 'SCHEMA',
    stream: table.name,
    schema: singerSchema(table),
    key_properties: table.key,
    bookmark_properties: ['date'],
  };
}

async function sendRecords(
  { name }: DatasetTable,
  { path }: SpilledDay,
  send: (message: SingerMessage) => void,
): Promise<void> {
  const time_extracted = new Date().toISOString();
  for await (const batch of flatRowBatches(path, batchRows))
    for (const record of batch) send({ type: 'RECORD', stream: name, record, time_extracted });
}

function finishedBookmark({ changes, known, isSweep }: DatasetPlan, before: Bookmark): Bookmark {
  const { revision, oldest, latest } = changes;
  const firsts = [before.first, known.from ?? oldest].filter((day) => day !== null).sort();
  return {
    revision,
    first: latest === null ? null : (firsts[0] ?? null),
    through: latest,
    swept: isSweep ? latest : before.swept,
    days: {},
  };
}
