import type { Database } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';

type Credential = 'key' | 'feedToken';

export interface KeyUsage {
  readonly brandId: number;
  /** Milliseconds since the Unix epoch. */
  readonly usedAt: number;
  /** The client's address; an empty string is stored as null. */
  readonly address: string;
}

/**
 * Collects when and from where each key was last used and records it periodically, all keys in one statement, so that
 * reads do not write. A crash loses the uses since the last record; `last_used_at` is a hint for operators, accurate
 * to the interval.
 */
export class KeyUsageRecorder {
  readonly #database: Database;
  readonly #onError: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  /** Row ids and their uses. */
  readonly #used: Record<Credential, Map<number, KeyUsage>> = { key: new Map(), feedToken: new Map() };

  constructor(database: Database, options: { intervalMs?: number; onError: (error: unknown) => void }) {
    this.#database = database;
    this.#onError = options.onError;
    this.#timer = setInterval(() => void this.flush(), options.intervalMs ?? 10_000);
    this.#timer.unref();
  }

  /** Notes a use of a key or feed token, by the id of its row; no I/O. */
  note(credential: Credential, rowId: number, usage: KeyUsage): void {
    this.#used[credential].set(rowId, usage);
  }

  /** Records the uses since the last call. Never throws: after a failed write, they are kept for the next one. */
  async flush(): Promise<void> {
    await this.#write('key', touchKeys);
    await this.#write('feedToken', touchFeedTokens);
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

function valuesOf(entries: UsageEntries): unknown[] {
  return [
    entries.map(([id]) => id),
    entries.map(([, usage]) => usage.brandId),
    entries.map(([, usage]) => new Date(usage.usedAt)),
    entries.map(([, { address }]) => (address === '' ? null : address)),
  ];
}
