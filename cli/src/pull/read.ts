import { createHash, type Hash } from 'node:crypto';
import { appendFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Brandport, Page } from '@brandport/client';
import type { DatasetTable } from '../columns/datasets.ts';
import { type FlatRow, RowMismatch, rowFlattener } from '../columns/flat-rows.ts';
import { CliError, exitCodes } from '../errors.ts';
import { addDays, type DatasetPlan, type Day, type PlannedDay } from './plan.ts';

/** A window of days, both inclusive. */
export interface Window {
  readonly from: Day;
  readonly to: Day;
}

/** Reads the pages of a window. A page may be empty before the last one. */
export function readPages(
  brandport: Brandport,
  table: DatasetTable,
  window: Window,
  options: { readonly signal?: AbortSignal | undefined; readonly perPage?: number },
): AsyncGenerator<Page<unknown, unknown>, void, undefined> {
  const { [table.property]: dataset } = brandport.analytics;
  const query = { ...window, ...table.query, per_page: options.perPage ?? table.perPage };
  return dataset.list(query, { signal: options.signal }).pages();
}

/** Returns the greatest revision of the days of the page's window; 0 if none was aggregated. */
function windowRevisionOf({ response }: Page<unknown, unknown>): number {
  return Number(response.headers.get('brandport-window-revision') ?? 0);
}

/** A day as it was read, in a temporary file. */
export interface ReadDay {
  readonly date: Day;
  readonly revision: number;
  readonly rows: number;
  /** SHA-256 of the rows in the order of the service, without labels. */
  readonly digest: string;
  /** Flat rows, a JSON object each line; null for a day without rows. */
  readonly path: string | null;
}

export interface DayReader {
  readonly brandport: Brandport;
  readonly signal?: AbortSignal | undefined;
  /** False if running totals are left out. */
  readonly cumulative: boolean;
  /** Where the days are written; null if only counts and digests are needed. */
  readonly folder: string | null;
  /** Walks at a time; default: 2. With one, days come in their order. */
  readonly concurrency?: number;
  /** Called for each walk that is repeated because its days changed. */
  readonly onRepeat?: ((window: Window) => void) | undefined;
}

const walksPerDay = 5;
let spills = 0;

/**
 * Reads the planned days, several walks at a time, and passes whole days on, one call at a time. A walk whose days changed is
 * repeated. After the first failure no further walk begins; days that were read are still passed on. @throws the failure
 */
export async function readDays(
  reader: DayReader,
  plan: DatasetPlan,
  onDays: (days: readonly ReadDay[]) => Promise<void>,
): Promise<void> {
  const queue = new SliceQueue(await daysToRead(reader, plan), plan.table);
  const failures: unknown[] = [];
  let passing = Promise.resolve();
  const passOn = (read: readonly ReadDay[]) => {
    // Without a list of changes, a day without rows that is not stored may be one that was never aggregated.
    const kept = read.filter(
      ({ date, rows }) => plan.changes.days !== null || rows > 0 || plan.known.revisionOf(date) !== undefined,
    );
    passing = passing.then(() => onDays(kept));
    return passing;
  };
  const work = async () => {
    for (let slice = queue.next(); slice !== null && failures.length === 0; slice = queue.next())
      try {
        await readAndPassOn(reader, plan, { slice, queue, passOn });
      } catch (error) {
        failures.push(error);
      }
  };
  await Promise.all(Array.from({ length: reader.concurrency ?? 2 }, work));
  if (failures.length > 0) throw failures[0];
}

/**
 * Returns the planned days, except for windows in which nothing changed. If the service could not list the changed days,
 * it names the greatest revision of a window, for one request with a page of one row: 0 if the window was never aggregated.
 */
async function daysToRead(
  { brandport, signal }: DayReader,
  { table, days, known, changes, isFull }: DatasetPlan,
): Promise<readonly PlannedDay[]> {
  if (changes.days !== null) return days;
  const needed: PlannedDay[] = [];
  for (let start = 0; start < days.length; start += table.capDays) {
    const window = days.slice(start, start + table.capDays);
    const { from, to } = windowOf(window);
    const { value: page } = await readPages(brandport, table, { from, to }, { signal, perPage: 1 }).next();
    const revision = page === undefined ? 0 : windowRevisionOf(page);
    const current = Math.min(...window.map(({ date }) => Math.max(known.since, known.revisionOf(date) ?? 0)));
    const isRemoved = window.some(({ revision: planned }) => planned === 0);
    const isStored = known.stored.some((date) => date >= from && date <= to);
    if (isRemoved || (isFull ? revision > 0 || isStored : revision > current)) needed.push(...window);
  }
  return needed;
}

interface Walk {
  readonly slice: Slice;
  readonly queue: SliceQueue;
  readonly passOn: (days: readonly ReadDay[]) => Promise<void>;
}

async function readAndPassOn(
  reader: DayReader,
  plan: DatasetPlan,
  { slice, queue, passOn }: Walk,
): Promise<void> {
  for (let walk = 1; ; walk += 1) {
    spills += 1;
    const folder = reader.folder === null ? null : join(reader.folder, `walk-${spills}`);
    try {
      const { days, rows } = await readSlice(reader, plan, slice, folder);
      queue.learn(slice, rows);
      return await passOn(days);
    } catch (error) {
      reader.signal?.throwIfAborted();
      if (!isCutWalk(error)) throw error;
      reader.onRepeat?.(windowOf(slice));
      if (slice.length > 1) return queue.putBack(slice);
      if (walk === walksPerDay) throw error;
    } finally {
      if (folder !== null) await rm(folder, { recursive: true, force: true });
    }
  }
}

/** Days that changed while their pages were read: the rows are a mixture. The same run may succeed later. */
class DaysChanged extends CliError {
  constructor(message: string) {
    super(message, exitCodes.partial);
  }
}

/** Returns whether a walk has to be repeated: its days changed, or its cursor expired. */
function isCutWalk(error: unknown): boolean {
  return error instanceof DaysChanged || (error as { code?: unknown }).code === 'invalid_cursor';
}

/**
 * Reads all rows of a slice, and returns its days and the number of rows that were read for them. @throws DaysChanged if a day
 * changed between the first and the last page; RowMismatch; BrandportError
 */
async function readSlice(
  { brandport, cumulative, signal }: DayReader,
  plan: DatasetPlan,
  slice: Slice,
  folder: string | null,
): Promise<{ days: ReadDay[]; rows: number }> {
  const { table } = plan;
  const { from, to } = windowOf(slice);
  const flatten = rowFlattener(table, cumulative ? [] : ['cumulative']);
  const sink = new DaySpill(table, slice, folder);
  let revision: number | undefined;
  let rows = 0;
  for await (const page of readPages(brandport, table, { from, to }, { signal })) {
    const current = windowRevisionOf(page);
    revision ??= current;
    if (revision !== current)
      throw new DaysChanged(`${table.name}: days from ${from} to ${to} keep changing.`);
    for (const row of page.data.map(flatten)) {
      const date = String(row['date']);
      if (date < from || date > to)
        throw new RowMismatch(`${table.name} from ${from} to ${to} has a row of ${date}.`);
      sink.add(date, row);
    }
    rows += page.data.length;
    await sink.drain();
  }
  const read = await sink.finish();
  // A day gets its planned revision, unless a day of the window has changed since the plan was made. The window's own is then
  // right for all of its days, because none is greater.
  const window = revision ?? 0;
  const isAsPlanned = window <= plannedRevision(plan, { from, to });
  const days = slice.map((day): ReadDay => {
    const { rows, digest, path } = read.get(day.date) ?? { rows: 0, digest: emptyDigest, path: null };
    return { date: day.date, rows, digest, path, revision: isAsPlanned ? day.revision : window };
  });
  return { days, rows };
}

/** Returns the revision that no day of a window exceeded when the plan was made. */
function plannedRevision({ changes, known, isFull }: DatasetPlan, { from, to }: Window): number {
  if (changes.days === null) return changes.revision;
  let greatest = isFull ? 0 : known.since;
  for (let day = from; day <= to; day = addDays(day, 1))
    greatest = Math.max(greatest, changes.days.get(day)?.revision ?? 0);
  return greatest;
}

/** Days that one walk reads, in their order. There may be others between them, whose rows are dropped. */
type Slice = readonly PlannedDay[];

function windowOf(slice: Slice): Window {
  return { from: slice[0]?.date ?? '', to: slice.at(-1)?.date ?? '' };
}

function lengthOf(slice: Slice): number {
  const { from, to } = windowOf(slice);
  return daysFrom(from, to) + 1;
}

function daysFrom(day: Day, later: Day): number {
  return (Date.parse(later) - Date.parse(day)) / 86_400_000;
}

/** Rows of a slice to aim at: some fifty requests, which a change of a day costs at most. */
const wantedRows = 25_000;

/**
 * Cuts days into slices. The first slice has one day; later ones are as long as the rows of the days before allow, up to the
 * cap of the service: a quiet dataset is read in long windows, which cost one request, a busy one by day, so that little is
 * read again if a day changes or the run stops. A gap whose rows fit into a page costs less than another request.
 */
export class SliceQueue {
  readonly #days: PlannedDay[];
  readonly #table: Pick<DatasetTable, 'capDays' | 'perPage'>;
  #length = 1;
  #rowsPerDay = Number.POSITIVE_INFINITY;

  constructor(days: readonly PlannedDay[], table: Pick<DatasetTable, 'capDays' | 'perPage'>) {
    this.#days = [...days];
    this.#table = table;
  }

  /** Returns the next slice; null after the last one. */
  next(): Slice | null {
    const [first] = this.#days;
    if (first === undefined) return null;
    let last = first;
    let count = 1;
    for (const day of this.#days.slice(1, this.#table.capDays)) {
      if (daysFrom(first.date, day.date) >= this.#length) break;
      const between = daysFrom(last.date, day.date) - 1;
      if (between > 0 && between * this.#rowsPerDay > this.#table.perPage) break;
      last = day;
      count += 1;
    }
    return this.#days.splice(0, count);
  }

  /** Learns from a slice that was read. */
  learn(slice: Slice, rows: number): void {
    const days = lengthOf(slice);
    this.#rowsPerDay = rows / days;
    const fitting = Math.floor((wantedRows * days) / Math.max(rows, 1));
    this.#length = Math.max(1, Math.min(fitting, this.#length * 4, this.#table.capDays));
  }

  /** Puts a slice back, to be read in halves. */
  putBack(slice: Slice): void {
    this.#days.unshift(...slice);
    this.#length = Math.max(1, Math.floor(lengthOf(slice) / 2));
  }
}

const bufferedCharacters = 8_000_000;

/**
 * Splits the rows of a window by day: a walk of a long window has the days of each learner one after the other. Rows are
 * written to a file of each day, so that memory does not grow with the window.
 */
class DaySpill {
  readonly #days = new Map<Day, { rows: number; hash: Hash; lines: string[] }>();
  readonly #folder: string | null;
  readonly #digested: readonly string[];
  readonly #wanted: ReadonlySet<Day>;
  #buffered = 0;
  #isCreated = false;

  /** @param folder of this spill alone; null if only the digests are needed */
  constructor(table: DatasetTable, slice: Slice, folder: string | null) {
    this.#folder = folder;
    this.#digested = table.columns.filter(({ isLabel }) => !isLabel).map(({ name }) => name);
    this.#wanted = new Set(slice.map(({ date }) => date));
  }

  /** Takes a row. One of a day that is not in the slice is dropped. */
  add(date: Day, row: FlatRow): void {
    if (!this.#wanted.has(date)) return;
    const day = this.#days.get(date) ?? { rows: 0, hash: createHash('sha256'), lines: [] };
    if (day.rows === 0) this.#days.set(date, day);
    day.rows += 1;
    day.hash.update(`${JSON.stringify(this.#digested.map((name) => row[name] ?? null))}\n`);
    if (this.#folder === null) return;
    const line = `${JSON.stringify(row)}\n`;
    day.lines.push(line);
    this.#buffered += line.length;
  }

  /** Waits until the memory of the rows is free again. */
  async drain(): Promise<void> {
    if (this.#buffered > bufferedCharacters) await this.#flush();
  }

  async finish(): Promise<ReadonlyMap<Day, Pick<ReadDay, 'rows' | 'digest' | 'path'>>> {
    await this.#flush();
    return new Map(
      [...this.#days].map(([date, { rows, hash }]) => [
        date,
        { rows, digest: hash.digest('hex'), path: this.#folder && this.#pathOf(date) },
      ]),
    );
  }

  async #flush(): Promise<void> {
    if (this.#folder === null) return;
    if (!this.#isCreated) await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    this.#isCreated = true;
    for (const [date, day] of this.#days) {
      if (day.lines.length === 0) continue;
      await appendFile(this.#pathOf(date), day.lines.join(''));
      day.lines = [];
    }
    this.#buffered = 0;
  }

  #pathOf(date: Day): string {
    return join(this.#folder ?? '', `${date}.jsonl`);
  }
}

/** The digest of a day without rows. */
export const emptyDigest: string = createHash('sha256').digest('hex');
