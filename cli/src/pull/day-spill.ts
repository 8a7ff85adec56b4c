import { createHash, type Hash } from 'node:crypto';
import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatasetTable } from '../columns/dataset-table.ts';
import type { FlatRow } from '../columns/flat-rows.ts';
import type { Day } from './days.ts';

/** The rows of a day, as they were read. */
export interface CountedDay {
  readonly date: Day;
  readonly rows: number;
  /** SHA-256 of the rows in the order of the service, without labels. */
  readonly digest: string;
}

/** A whole day in a temporary file. */
export interface SpilledDay extends CountedDay {
  readonly revision: number | null;
  /** Flat rows, a JSON object each line; null for a day without rows. */
  readonly path: string | null;
}

const bufferedCharacters = 8_000_000;

/**
 * Splits the rows of a window by day: a walk of a long window has the days of each learner one after the other. Rows are
 * written to a file of each day, so that memory does not grow with the window.
 */
export class DaySpill {
  readonly #days = new Map<Day, { rows: number; hash: Hash; lines: string[] }>();
  readonly #folder: string | null;
  readonly #digested: readonly string[];
  #buffered = 0;
  #isCreated = false;

  /** @param folder of this spill alone; null if only the digests are needed */
  constructor(table: DatasetTable, folder: string | null) {
    this.#folder = folder;
    this.#digested = table.columns.filter(({ isLabel }) => !isLabel).map(({ name }) => name);
  }

  add(row: FlatRow): void {
    const date = String(row['date']);
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

  async finish(): Promise<ReadonlyMap<Day, CountedDay & { readonly path: string | null }>> {
    await this.#flush();
    return new Map(
      [...this.#days].map(([date, { rows, hash }]) => [
        date,
        { date, rows, digest: hash.digest('hex'), path: this.#folder && this.#pathOf(date) },
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
