import type { Brandport } from '@brandport/client';
import type { DatasetName, DatasetTable } from '../columns/datasets.ts';
import type { FlatRow } from '../columns/flat-rows.ts';
import { UsageError } from '../errors.ts';
import { quantity } from '../output/quantity.ts';
import { flatRowBatches } from '../pull/day-files.ts';
import { type DatasetPlan, type Day, type KnownDays, planDatasets } from '../pull/plan.ts';
import { type ReadDay, readDays } from '../pull/read.ts';
import { type SelectedStream, singerSchema } from './catalog.ts';

/** The place of a stream. */
interface Bookmark {
  /** The days from `first` on are sent as of this revision; 0 before the first complete run. */
  readonly revision: number;
  /** null: all that the service has. */
  readonly first: Day | null;
  /** The days that an unfinished run has sent, and their revisions. Empty after a complete run. */
  readonly days: Readonly<Record<Day, number>>;
}

/** The value of a STATE message. */
export interface TapState {
  readonly brand_id: number;
  readonly bookmarks: Readonly<Partial<Record<DatasetName, Bookmark>>>;
}

const noBookmark: Bookmark = { revision: 0, first: null, days: {} };

/** Checks a state that an earlier run has sent, or its STATE message; an empty one is a first run. @throws UsageError */
export function parseTapState(given: unknown, brandId: number): TapState {
  const { type, value } = (given ?? {}) as { type?: unknown; value?: unknown };
  const state = ((type === 'STATE' ? value : given) ?? {}) as Partial<TapState>;
  const { brand_id = brandId, bookmarks = {} } = state;
  if (brand_id !== brandId)
    throw new UsageError(
      `The state is of brand ${brand_id}, and the key is of ${brandId}: use another state.`,
    );
  if (state.bookmarks === undefined && Object.keys(state).length > 0)
    throw new UsageError('The state has no bookmarks: use the value of the last STATE message of a run.');
  return { brand_id, bookmarks };
}

/** Returns what a bookmark says about the days of a stream. With an earlier first day, the days before that are missing. */
function knownByBookmark({ revision, first, days }: Bookmark, startDate: Day | undefined): KnownDays {
  const isExtended = first !== null && (startDate === undefined || startDate < first);
  return {
    since: isExtended ? 0 : revision,
    from: startDate ?? null,
    revisionOf: (day) =>
      days[day] ?? (revision > 0 && (first === null || day >= first) ? revision : undefined),
    stored: [],
  };
}

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
  /** Receives the number of days that were sent. */
  readonly onProgress?: (done: number, total: number) => void;
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
  const total = plans.reduce((sum, { days }) => sum + days.length, 0);
  let done = 0;
  for (const plan of plans) {
    const { table } = plan;
    send(schemaMessage(table));
    log(`${table.name}: ${quantity(plan.days.length, 'day')} to send`);
    const isIncremental = methods.get(table.name) === 'INCREMENTAL';
    const advance = (bookmark: Bookmark) => {
      state = { ...state, bookmarks: { ...state.bookmarks, [table.name]: bookmark } };
      send({ type: 'STATE', value: state });
    };
    const reader = { brandport, signal, cumulative, folder: options.folder, concurrency: 1 };
    await readDays(reader, plan, async (read) => {
      done += read.length;
      options.onProgress?.(done, total);
      for (const day of read) {
        await sendRecords(table, day, send);
        if (!isIncremental) continue;
        const before = bookmarkOf(table.name);
        advance({ ...before, days: { ...before.days, [day.date]: day.revision } });
      }
    });
    advance(isIncremental ? finishedBookmark(plan) : noBookmark);
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
  { path }: ReadDay,
  send: (message: SingerMessage) => void,
): Promise<void> {
  const time_extracted = new Date().toISOString();
  for await (const batch of flatRowBatches(path, batchRows))
    for (const record of batch) send({ type: 'RECORD', stream: name, record, time_extracted });
}

function finishedBookmark({ changes, known }: DatasetPlan): Bookmark {
  return { revision: changes.revision, first: known.from, days: {} };
}
