import type { Transaction } from '../postgres/transaction.ts';

/** Puts work into the queue that workers take it from, in this process or another one. */
export interface JobSender {
  /**
   * Queues a job within the transaction: it exists when the transaction commits, and not before. `data` is small and
   * names what is to be done; `key` tells which jobs ask for the same. `id`: a UUID; default: a random one.
   */
  send(tx: Transaction, queue: string, key: string, data: object, id?: string): Promise<void>;
  /**
   * Queues a job within the transaction, unless one with this key waits that nobody has begun; returns the id of the one
   * that waits.
   */
  sendOnce(tx: Transaction, queue: string, key: string, data: object): Promise<string>;
  /** Makes workers of this process poll the queue now; others poll within half a second. */
  wake(queue: string): void;
  /** Queues a failed job once more, within the transaction. */
  retry(tx: Transaction, queue: string, id: string): Promise<void>;
}
