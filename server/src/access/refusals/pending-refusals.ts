import type { PendingRefusal } from './refusal.ts';

const minuteMs = 60_000;
/** Rows that one second may add [D250]. */
const mostNew = 50;
/** Rows that wait while the database is unavailable. */
const mostWaiting = 1_000;

/** Holds refusals for a second. 429s and 401s of a key share a row a minute; a second adds at most 50 rows. */
export class PendingRefusals<Row extends PendingRefusal> {
  #rows = new Map<string | number, Row>();
  #added = 0;
  #next = 0;

  add(refusal: Omit<Row, 'minute' | 'count'>): void {
    const { at, status } = refusal;
    const isMerged = status === 401 || status === 429;
    const minute = isMerged ? Math.floor(at / minuteMs) * minuteMs : null;
    const row = { ...refusal, minute, count: 1 } as Row;
    const name = this.#nameOf(row);
    const same = this.#rows.get(name);
    if (same !== undefined) same.count += 1;
    else if (this.#added < mostNew && this.#rows.size < mostWaiting) {
      this.#added += 1;
      this.#rows.set(name, row);
    }
  }

  /** Returns all rows, the oldest first, and begins another second. */
  take(): Row[] {
    const rows = [...this.#rows.values()];
    this.#rows = new Map();
    this.#added = 0;
    return rows;
  }

  /** Adds rows that could not be written to those that came since. */
  putBack(rows: readonly Row[]): void {
    const since = this.#rows.values();
    this.#rows = new Map(rows.map((row) => [this.#nameOf(row), row]));
    for (const row of since) {
      const name = this.#nameOf(row);
      const same = this.#rows.get(name);
      if (same !== undefined) same.count += row.count;
      else if (this.#rows.size < mostWaiting) this.#rows.set(name, row);
    }
  }

  #nameOf({ minute, keyId, code }: PendingRefusal): string | number {
    return minute === null ? this.#next++ : `${minute} ${keyId} ${code}`;
  }
}
