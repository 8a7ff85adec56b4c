import { connectionOptions, type DatabaseAddress } from './connection-options.ts';
import { listLockHolders } from './lock-holders.ts';
import { listOpenBackends, openConnection } from './sessions/session-client.ts';
import { isLockTimeout } from './sqlstate.ts';

/**
 * Names in the error of a transaction that waited for a lock too long who held it. Asks during the wait, since after the timeout
 * nothing shows it: by its own connection, and only while a transaction has run for a third of the limit [D245].
 */
export class BlockedTransactions {
  readonly #address: DatabaseAddress;
  readonly #stepMs: number;
  /** The starts of the running transactions, the oldest first. */
  readonly #running = new Set<{ readonly since: number }>();
  #timer: NodeJS.Timeout | undefined;
  #seen: { readonly holders: string; readonly at: number } | null = null;

  constructor(address: DatabaseAddress, lockLimitMs: number) {
    this.#address = address;
    this.#stepMs = lockLimitMs / 3;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    const transaction = { since: performance.now() };
    this.#running.add(transaction);
    this.#schedule();
    try {
      return await work();
    } catch (error) {
      const seen = this.#seen;
      if (isLockTimeout(error) && seen !== null && seen.at > transaction.since)
        (error as Error).message += `; the lock was held by ${seen.holders}`;
      throw error;
    } finally {
      this.#running.delete(transaction);
    }
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#running.clear();
  }

  #schedule(): void {
    this.#timer ??= setTimeout(async () => {
      const [oldest] = this.#running;
      if (oldest !== undefined && performance.now() - oldest.since >= this.#stepMs)
        await this.#look().catch(() => {});
      this.#timer = undefined;
      if (this.#running.size > 0) this.#schedule();
    }, this.#stepMs).unref();
  }

  async #look(): Promise<void> {
    const client = await openConnection(connectionOptions(this.#address, 'brandport-lock-watch'));
    try {
      const holders = await listLockHolders(client, listOpenBackends(), 'with own');
      if (holders !== null) this.#seen = { holders, at: performance.now() };
    } finally {
      await client.end();
    }
  }
}
