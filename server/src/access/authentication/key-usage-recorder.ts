import type { Database } from '../../postgres/database.ts';
import { isInvalidData } from '../../postgres/database-errors.ts';
import { statement } from '../../postgres/statement.ts';
import { addKeyUsage } from '../key-usage/key-usage-store.ts';
import { eventUse, type KeyUse, UsageCounts } from '../key-usage/usage-counts.ts';
import { type AdmittedRequest, RequestMinutes } from '../rate-limits/request-minutes.ts';
import { addRequestMinutes, dropRequestMinutes } from '../rate-limits/request-minutes-store.ts';
import { PendingRefusals, type Refusal } from '../refusals/refusal.ts';
import { type BrandRefusal, writeRefusals } from '../refusals/refusal-store.ts';
import { addUnverifiedRefusals } from '../refusals/unverified-refusal-store.ts';
import {
  type UnverifiedCount,
  type UnverifiedRefusal,
  UnverifiedRefusals,
} from '../refusals/unverified-refusals.ts';

interface KeyUsage {
  /** null: the credential belongs to no brand. */
  readonly brandId: number | null;
  /** Milliseconds since the Unix epoch. */
  readonly usedAt: number;
  /** The client's address; an empty string is stored as null. */
  readonly address: string;
  /** The error code of a request that was refused. */
  readonly code?: string;
}

/** The uses of credentials by the ids of their rows, in the order in which the rows are locked. */
type UsageEntries = readonly (readonly [number, KeyUsage])[];

const touches = {
  key: (entries: UsageEntries) => touchOwned('touch_api_keys', 'api_keys', entries),
  refusedKey: (entries: UsageEntries) => {
    const [ids, brandIds, times] = valuesOf(entries);
    return statement<never>(
      'touch_refused_keys',
      `update api_keys k
       set last_refused_at = u.refused_at, last_refused_code = u.code
       from unnest($1::bigint[], $2::integer[], $3::timestamptz[], $4::text[]) as u (id, brand_id, refused_at, code)
       where k.brand_id = u.brand_id and k.id = u.id and u.refused_at >= coalesce(k.last_refused_at, '-infinity')`,
      [ids, brandIds, times, entries.map(([, { code }]) => code)],
      { long: true },
    );
  },
  feedToken: (entries: UsageEntries) => touchOwned('touch_feed_tokens', 'feed_tokens', entries),
  administrator: (entries: UsageEntries) => {
    const [ids, , times, addresses] = valuesOf(entries);
    return statement<never>(
      'touch_administrators',
      `update administrators a
       set last_used_at = u.used_at, last_used_from = u.address
       from unnest($1::bigint[], $2::timestamptz[], $3::inet[]) as u (id, used_at, address)
       where a.id = u.id and u.used_at >= coalesce(a.last_used_at, '-infinity')`,
      [ids, times, addresses],
      { long: true },
    );
  },
  session: (entries: UsageEntries) => {
    const [ids, , times] = valuesOf(entries);
    return statement<never>(
      'touch_console_sessions',
      `update console_sessions s
       set last_seen_at = u.seen_at
       from unnest($1::bigint[], $2::timestamptz[]) as u (id, seen_at)
       where s.id = u.id and u.seen_at >= s.last_seen_at`,
      [ids, times],
      { long: true },
    );
  },
} as const;

type Credential = keyof typeof touches;

function touchOwned(name: string, table: 'api_keys' | 'feed_tokens', entries: UsageEntries) {
  return statement<never>(
    name,
    `update ${table} c
     set last_used_at = u.used_at, last_used_from = u.address
     from unnest($1::bigint[], $2::integer[], $3::timestamptz[], $4::inet[]) as u (id, brand_id, used_at, address)
     where c.brand_id = u.brand_id and c.id = u.id and u.used_at >= coalesce(c.last_used_at, '-infinity')`,
    valuesOf(entries),
    { long: true },
  );
}

function valuesOf(entries: UsageEntries): unknown[] {
  return [
    entries.map(([id]) => id),
    entries.map(([, usage]) => usage.brandId),
    entries.map(([, usage]) => new Date(usage.usedAt)),
    entries.map(([, { address }]) => (address === '' ? null : address)),
  ];
}

/** Counts that wait for the next record, by hour, key and operation: some 20 MB. */
const mostCounts = 50_000;
const batchSize = 5_000;
/** Counts of refusals without a key that wait while the database is unavailable: those of 20 minutes at least. */
const mostUnverified = 1_000;

/** The key of a refused request, as stored. */
export interface RefusedKey {
  readonly brandId: number;
  readonly rowId: number;
}

/**
 * Collects when and from where each key was last used, and how often for each operation, and records it periodically, so that
 * reads do not write. A crash loses what came since the last record: 10 seconds at most while the database responds [D143].
 * Refusals are written each second [D250].
 */
export class KeyUsageRecorder {
  readonly #database: Database;
  readonly #onError: (error: unknown) => void;
  readonly #timers: readonly NodeJS.Timeout[];
  readonly #counts: UsageCounts;
  readonly #minutes = new RequestMinutes();
  /** The hour in which what is old was dropped last. */
  #droppedAt = 0;
  readonly #refusals = new PendingRefusals<BrandRefusal>();
  readonly #unverified = new UnverifiedRefusals();
  /** The counts of minutes that have ended. */
  #unverifiedCounts: UnverifiedCount[] = [];
  readonly #onUnverified: (count: UnverifiedCount) => void;
  readonly #now: () => number;
  #writesRefusals = true;
  #flushing: Promise<void> = Promise.resolve();
  readonly #used: Record<Credential, Map<number, KeyUsage>> = {
    key: new Map(),
    refusedKey: new Map(),
    feedToken: new Map(),
    administrator: new Map(),
    session: new Map(),
  };

  constructor(database: Database, options: KeyUsageOptions) {
    this.#database = database;
    this.#onError = options.onError;
    this.#onUnverified = options.onUnverified ?? (() => {});
    this.#now = options.now ?? (() => 0);
    this.#counts = new UsageCounts(options.mostCounts ?? mostCounts);
    this.#timers = [
      setInterval(() => void this.flush(), options.intervalMs ?? 10_000).unref(),
      setInterval(() => void this.#flushRefusals(), 1_000).unref(),
    ];
  }

  /** Notes a use of a credential, by the id of its row; no I/O. */
  note(credential: Credential, rowId: number, usage: KeyUsage): void {
    this.#used[credential].set(rowId, usage);
  }

  /** Counts a request of a key with the status of its response, at a time in milliseconds since the Unix epoch; no I/O. */
  count(use: KeyUse, status: number, at: number): void {
    this.#counts.add(use, status, at);
  }

  /** Counts a request that the limits have admitted, at a time in milliseconds since the Unix epoch; no I/O. */
  countAdmitted(request: AdmittedRequest, at: number): void {
    this.#minutes.add(request, at);
  }

  countEvents(brandId: number, events: number, at: number): void {
    this.#counts.add({ brandId, ...eventUse }, 200, at, events);
  }

  /** Notes a refused request of a key whose secret it had; no I/O. */
  refuse(refusal: Refusal, key: RefusedKey): void {
    const { brandId, rowId } = key;
    this.note('refusedKey', rowId, { brandId, usedAt: refusal.at, address: '', code: refusal.code });
    this.#refusals.add({ ...refusal, brandId });
  }

  /** Counts a refused request that is of no key [internal-208]. After its minute, the counts are logged and stored. */
  refuseUnverified(refusal: UnverifiedRefusal): void {
    this.#endMinutes(refusal.at);
    this.#unverified.add(refusal);
  }

  #endMinutes(now: number): void {
    for (const count of this.#unverified.take(now)) {
      this.#onUnverified(count);
      if (this.#unverifiedCounts.length < mostUnverified) this.#unverifiedCounts.push(count);
    }
  }

  /**
   * Records the uses since the last call. Never throws: after a failed write, they are kept for the next one. Counts are added
   * once, unless the connection is lost during COMMIT.
   */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#flush());
    return this.#flushing;
  }

  async #flush(): Promise<void> {
    this.#endMinutes(this.#now());
    await this.#writeUnverified();
    await this.#writeRefusals();
    for (const credential of Object.keys(touches) as Credential[]) await this.#write(credential);
    await this.#writeCounts();
    await this.#writeMinutes();
  }

  /** After a failure, waits for the next flush of all. */
  #flushRefusals(): Promise<void> {
    if (this.#writesRefusals) this.#flushing = this.#flushing.then(() => this.#writeRefusals());
    return this.#flushing;
  }

  async #writeRefusals(): Promise<void> {
    const refusals = this.#refusals.take();
    if (refusals.length === 0) return;
    try {
      await writeRefusals(this.#database, refusals);
      this.#writesRefusals = true;
    } catch (error) {
      this.#writesRefusals = false;
      // Rows that PostgreSQL does not take would otherwise be sent for ever.
      if (!isInvalidData(error)) this.#refusals.putBack(refusals);
      this.#onError(error);
    }
  }

  async #writeUnverified(): Promise<void> {
    const counts = this.#unverifiedCounts;
    if (counts.length === 0) return;
    this.#unverifiedCounts = [];
    try {
      await addUnverifiedRefusals(this.#database, counts);
    } catch (error) {
      this.#unverifiedCounts = [...counts, ...this.#unverifiedCounts].slice(0, mostUnverified);
      this.#onError(error);
    }
  }

  async #writeCounts(): Promise<void> {
    const omitted = this.#counts.takeOmitted();
    if (omitted > 0)
      this.#onError(
        new Error(`${omitted} requests were not counted because too many counts wait to be written`),
      );
    const counts = this.#counts.take();
    for (let start = 0; start < counts.length; start += batchSize) {
      try {
        await this.#database.transaction((tx) => addKeyUsage(tx, counts.slice(start, start + batchSize)));
      } catch (error) {
        this.#counts.putBack(counts.slice(start));
        this.#onError(error);
        return;
      }
    }
  }

  async #writeMinutes(): Promise<void> {
    const hours = this.#minutes.take();
    for (let start = 0; start < hours.length; start += batchSize) {
      try {
        await addRequestMinutes(this.#database, hours.slice(start, start + batchSize));
      } catch (error) {
        if (!isInvalidData(error)) this.#minutes.putBack(hours.slice(start));
        this.#onError(error);
        return;
      }
    }
    const newest = hours.reduce((latest, { hour }) => Math.max(latest, hour), 0);
    if (newest <= this.#droppedAt) return;
    this.#droppedAt = newest;
    await dropRequestMinutes(this.#database, newest).catch(this.#onError);
  }

  async #write(credential: Credential): Promise<void> {
    const used = this.#used[credential];
    if (used.size === 0) return;
    this.#used[credential] = new Map();
    try {
      // Sorted, so that two processes lock the rows in the same order.
      const entries = [...used].sort(([a], [b]) => a - b);
      await this.#database.run(touches[credential](entries));
    } catch (error) {
      const noted = this.#used[credential];
      for (const [id, usage] of used) if (!noted.has(id)) noted.set(id, usage);
      this.#onError(error);
    }
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    this.#endMinutes(Number.POSITIVE_INFINITY);
    await this.flush();
  }
}

interface KeyUsageOptions {
  readonly intervalMs?: number;
  /** The most counts that wait to be written; requests beyond them are not counted. */
  readonly mostCounts?: number;
  readonly onError: (error: unknown) => void;
  /** Called once a minute for each network and reason of refused requests that are of no key. */
  readonly onUnverified?: (count: UnverifiedCount) => void;
  /** The time in milliseconds since the Unix epoch, at which minutes are over; default: none is before the end. */
  readonly now?: () => number;
}
