import type { Database } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import { addKeyUsage } from '../key-usage/key-usage-store.ts';
import { type KeyUse, UsageCounts } from '../key-usage/usage-counts.ts';

/** Counts that wait for the next record, by hour, key and operation: some 20 MB. */
const mostCounts = 50_000;
/** Counts in one statement. */
const batchSize = 5_000;

type Credential = 'key' | 'feedToken' | 'administrator' | 'session';

export interface KeyUsage {
  /** null: the credential belongs to no brand. */
  readonly brandId: number | null;
  /** Milliseconds since the Unix epoch. */
  readonly usedAt: number;
  /** The client's address; an empty string is stored as null. */
  readonly address: string;
}

/**
 * Collects when and from where each key was last used, and how often for each operation, and records it periodically,
 * all keys in one statement, so that reads do not write. A crash loses what came since the last record: 10 seconds at
 * most while the database responds [D143].
 */
export class KeyUsageRecorder {
  readonly #database: Database;
  readonly #onError: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #counts: UsageCounts;
  #flushing: Promise<void> = Promise.resolve();
  /** Row ids and their uses. */
  readonly #used: Record<Credential, Map<number, KeyUsage>> = {
    ...{ key: new Map(), feedToken: new Map(), administrator: new Map(), session: new Map() },
  };

  constructor(database: Database, options: KeyUsageOptions) {
    this.#database = database;
    this.#onError = options.onError;
    this.#counts = new UsageCounts(options.mostCounts ?? mostCounts);
    this.#timer = setInterval(() => void this.flush(), options.intervalMs ?? 10_000);
    this.#timer.unref();
  }

  /** Notes a use of a credential, by the id of its row; no I/O. */
  note(credential: Credential, rowId: number, usage: KeyUsage): void {
    this.#used[credential].set(rowId, usage);
  }

  /**
   * Counts a request of a key with the status of its response, at a time in milliseconds since the Unix epoch; no I/O.
   */
  count(use: KeyUse, status: number, at: number): void {
    this.#counts.add(use, status, at);
  }

  /**
   * Records the uses since the last call, after earlier calls have ended. Never throws: after a failed write, they are
   * kept for the next one. Counts are added once, unless the connection is lost during COMMIT.
   */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#flush());
    return this.#flushing;
  }

  async #flush(): Promise<void> {
    await this.#write('key', touchKeys);
    await this.#write('feedToken', touchFeedTokens);
    await this.#write('administrator', touchAdministrators);
    await this.#write('session', touchSessions);
    await this.#writeCounts();
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

  async #write(credential: Credential, touch: typeof touchKeys): Promise<void> {
    const used = this.#used[credential];
    if (used.size === 0) return;
    this.#used[credential] = new Map();
    try {
      // Sorted, so that two processes lock the rows in the same order.
      const entries = [...used].sort(([a], [b]) => a - b);
      await this.#database.run(touch(entries));
    } catch (error) {
      const noted = this.#used[credential];
      for (const [id, usage] of used) if (!noted.has(id)) noted.set(id, usage);
      this.#onError(error);
    }
  }

  /** Stops the timer and records the rest. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }
}

export interface KeyUsageOptions {
  readonly intervalMs?: number;
  /** The most counts that wait to be written; requests beyond them are not counted. */
  readonly mostCounts?: number;
  /** Receives errors of writes, and notices of requests that were not counted. */
  readonly onError: (error: unknown) => void;
}

type UsageEntries = readonly (readonly [number, KeyUsage])[];

function touchKeys(entries: UsageEntries) {
  return statement<never>(
    'touch_api_keys',
    `update api_keys k
     set last_used_at = u.used_at, last_used_from = u.address
     from unnest($1::bigint[], $2::integer[], $3::timestamptz[], $4::inet[]) as u (id, brand_id, used_at, address)
     where k.brand_id = u.brand_id and k.id = u.id and u.used_at >= coalesce(k.last_used_at, '-infinity')`,
    valuesOf(entries),
    { long: true },
  );
}

function touchFeedTokens(entries: UsageEntries) {
  return statement<never>(
    'touch_feed_tokens',
    `update feed_tokens t
     set last_used_at = u.used_at, last_used_from = u.address
     from unnest($1::bigint[], $2::integer[], $3::timestamptz[], $4::inet[]) as u (id, brand_id, used_at, address)
     where t.brand_id = u.brand_id and t.id = u.id and u.used_at >= coalesce(t.last_used_at, '-infinity')`,
    valuesOf(entries),
    { long: true },
  );
}

function touchAdministrators(entries: UsageEntries) {
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
}

function touchSessions(entries: UsageEntries) {
  return statement<never>(
    'touch_console_sessions',
    `update console_sessions s
     set last_seen_at = u.seen_at
     from unnest($1::bigint[], $2::timestamptz[]) as u (id, seen_at)
     where s.id = u.id and u.seen_at >= s.last_seen_at`,
    [entries.map(([id]) => id), entries.map(([, { usedAt }]) => new Date(usedAt))],
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
