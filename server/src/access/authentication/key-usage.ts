import type { Database } from '../../postgres/database.ts';
import { isInvalidData } from '../../postgres/database-errors.ts';
import { addKeyUsage } from '../key-usage/key-usage-store.ts';
import { eventUse, type KeyUse, UsageCounts } from '../key-usage/usage-counts.ts';
import { PendingRefusals } from '../refusals/pending-refusals.ts';
import type { PendingRefusal, Refusal } from '../refusals/refusal.ts';
import type { BrandRefusal } from '../refusals/refusal-store.ts';
import { writeRefusals } from '../refusals/write-refusals.ts';
import { type Credential, type KeyUsage, touches } from './touch-credentials-store.ts';

/** Counts that wait for the next record, by hour, key and operation: some 20 MB. */
const mostCounts = 50_000;
const batchSize = 5_000;

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
  readonly #refusals = new PendingRefusals<BrandRefusal>();
  /** Refusals whose key was not found, or not looked up. */
  readonly #ownerless = new PendingRefusals<PendingRefusal>();
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

  countEvents(brandId: number, events: number, at: number): void {
    this.#counts.add({ brandId, ...eventUse }, 200, at, events);
  }

  refuse(refusal: Refusal, key: RefusedKey | null): void {
    if (key === null) {
      this.#ownerless.add(refusal);
      return;
    }
    const { brandId, rowId } = key;
    this.note('refusedKey', rowId, { brandId, usedAt: refusal.at, address: '', code: refusal.code });
    this.#refusals.add({ ...refusal, brandId });
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
    await this.#writeRefusals();
    for (const credential of Object.keys(touches) as Credential[]) await this.#write(credential);
    await this.#writeCounts();
  }

  /** After a failure, waits for the next flush of all. */
  #flushRefusals(): Promise<void> {
    if (this.#writesRefusals) this.#flushing = this.#flushing.then(() => this.#writeRefusals());
    return this.#flushing;
  }

  async #writeRefusals(): Promise<void> {
    const [known, ownerless] = [this.#refusals.take(), this.#ownerless.take()];
    if (known.length + ownerless.length === 0) return;
    try {
      const found = await writeRefusals(this.#database, known, ownerless);
      for (const { rowId, operation, count, ...refusal } of found) {
        const { brandId, keyId, status, at, code } = refusal;
        if (operation !== null)
          this.#counts.add({ brandId, keyId, operation, scope: null }, status, at, count);
        if (rowId !== null) this.note('refusedKey', rowId, { brandId, usedAt: at, address: '', code });
      }
      this.#writesRefusals = true;
    } catch (error) {
      this.#writesRefusals = false;
      // Rows that PostgreSQL does not take would otherwise be sent for ever.
      if (!isInvalidData(error)) {
        this.#refusals.putBack(known);
        this.#ownerless.putBack(ownerless);
      }
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
    await this.flush();
  }
}

export interface KeyUsageOptions {
  readonly intervalMs?: number;
  /** The most counts that wait to be written; requests beyond them are not counted. */
  readonly mostCounts?: number;
  readonly onError: (error: unknown) => void;
}
