import type { Database } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';

type Credential = 'key' | 'feedToken';

interface KeyUsage {
  readonly brandId: number;
  readonly usedAt: number;
}

/**
 * Collects when each key was last used and records it periodically, all keys in one statement, so that reads do not
 * write. A crash loses the uses since the last record; `last_used_at` is a hint for operators, accurate to the
 * interval.
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

  /** Notes a use, without I/O. `usedAt` is in milliseconds since the Unix epoch. */
  note(keyRowId: number, brandId: number, usedAt: number): void {
    this.#used.key.set(keyRowId, { brandId, usedAt });
  }

  /** The same for a feed token. */
  noteFeedToken(tokenRowId: number, brandId: number, usedAt: number): void {
    this.#used.feedToken.set(tokenRowId, { brandId, usedAt });
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
     set last_used_at = greatest(k.last_used_at, u.used_at)
     from unnest($1::bigint[], $2::integer[], $3::timestamptz[]) as u (id, brand_id, used_at)
     where k.brand_id = u.brand_id and k.id = u.id`,
    valuesOf(entries),
    { long: true },
  );
}

function touchFeedTokens(entries: UsageEntries) {
  return statement<never>(
    'touch_feed_tokens',
    `update feed_tokens t
     set last_used_at = greatest(t.last_used_at, u.used_at)
     from unnest($1::bigint[], $2::integer[], $3::timestamptz[]) as u (id, brand_id, used_at)
     where t.brand_id = u.brand_id and t.id = u.id`,
    valuesOf(entries),
    { long: true },
  );
}

function valuesOf(entries: UsageEntries): unknown[] {
  return [
    entries.map(([id]) => id),
    entries.map(([, usage]) => usage.brandId),
    entries.map(([, usage]) => new Date(usage.usedAt)),
  ];
}
