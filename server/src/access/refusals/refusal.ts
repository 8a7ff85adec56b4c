import type { FieldErrors } from '../../errors/api-error.ts';

/** Why a key was refused with 401. Rows of version 0.3 may also have `deleted` or `wrong_secret`. */
export const refusalReasons = ['revoked', 'expired'] as const;

export type RefusalReason = (typeof refusalReasons)[number];

/** A request of a key, by its id and secret, that was answered with 4xx or 5xx. */
export interface Refusal {
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly requestId: string;
  readonly keyId: string;
  /** The operationId; null: the path has none. */
  readonly operation: string | null;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly status: number;
  readonly code: string;
  /** null: the key was valid. */
  readonly reason: RefusalReason | null;
  /** The names of the fields at fault, never their values. */
  readonly fields: readonly string[];
  /** The message of the response; null: there was no error to name. */
  readonly message: string | null;
  /** The messages of the fields at fault. */
  readonly errors: FieldErrors;
  /** The scopes of which the key needs one; empty unless the status is 403. */
  readonly requiredScopes: readonly string[];
  /** An empty string is stored as null. */
  readonly address: string;
}

export interface PendingRefusal extends Refusal {
  /** The start of the minute whose refusals share the row; null: the row has this one only. */
  readonly minute: number | null;
  count: number;
}

const mostFields = 20;
const mostCharacters = 255;
const secrets = /(tuk_[0-9a-f]{24}\.|bpa_[0-9a-f]{24}\.|cfk_)[A-Za-z0-9]+/g;

export function storedNames(names: readonly string[]): string[] {
  return names.slice(0, mostFields).map(storedText);
}

/** Keeps the first messages of the fields that `storedNames` keeps. */
export function storedErrors(errors: FieldErrors): FieldErrors {
  const kept = Object.entries(errors).slice(0, mostFields);
  return Object.fromEntries(
    kept.map(([name, messages]) => [storedText(name), messages.slice(0, 3).map(storedText)]),
  );
}

/** Makes a string that a client chose fit to be stored: PostgreSQL takes no NUL, and nobody needs a secret in it. */
export function storedText(text: string): string {
  const stored = text
    .slice(0, 4 * mostCharacters)
    .toWellFormed()
    .replaceAll('\0', '\uFFFD');
  return stored.replace(secrets, '$1…').slice(0, mostCharacters).toWellFormed();
}

const minuteMs = 60_000;
/** Rows that one second may add [D250]. */
const mostNew = 50;
/** Rows that wait while the database is unavailable. */
const mostWaiting = 1_000;

/**
 * Holds refusals for a second. 429s and 401s of a key share a row a minute; a second adds at most 50 rows, which brands share: a
 * brand with fewer takes the place of the newest row of the one with most.
 */
export class PendingRefusals<Row extends PendingRefusal & { readonly brandId: number }> {
  #rows = new Map<string | number, Row>();
  /** The names of the rows of each brand, the newest last. */
  #names = new Map<number, (string | number)[]>();
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
      this.#put(name, row);
    } else if (this.#makeRoomFor(row.brandId)) this.#put(name, row);
  }

  /** Returns all rows, the oldest first, and begins another second. */
  take(): Row[] {
    const rows = [...this.#rows.values()];
    this.#rows = new Map();
    this.#names = new Map();
    this.#added = 0;
    return rows;
  }

  /** Adds rows that could not be written to those that came since. */
  putBack(rows: readonly Row[]): void {
    const since = [...this.#rows.values()];
    this.#rows = new Map();
    this.#names = new Map();
    for (const row of rows) this.#put(this.#nameOf(row), row);
    for (const row of since) {
      const name = this.#nameOf(row);
      const same = this.#rows.get(name);
      if (same !== undefined) same.count += row.count;
      else if (this.#rows.size < mostWaiting || this.#makeRoomFor(row.brandId)) this.#put(name, row);
    }
  }

  #put(name: string | number, row: Row): void {
    this.#rows.set(name, row);
    const names = this.#names.get(row.brandId);
    if (names === undefined) this.#names.set(row.brandId, [name]);
    else names.push(name);
  }

  /** Drops the newest row of the brand with most, if that has at least two more than this one. */
  #makeRoomFor(brandId: number): boolean {
    let most: (string | number)[] = [];
    for (const names of this.#names.values()) if (names.length > most.length) most = names;
    if (most.length < (this.#names.get(brandId)?.length ?? 0) + 2) return false;
    this.#rows.delete(most.pop() as string | number);
    return true;
  }

  #nameOf({ minute, keyId, code }: PendingRefusal): string | number {
    return minute === null ? this.#next++ : `${minute} ${keyId} ${code}`;
  }
}
