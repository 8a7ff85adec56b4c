import type { Transaction } from '../postgres/transaction.ts';

/** Queues jobs, which workers in this process or another one run. */
export interface JobSender {
  /**
   * Queues a job within the transaction: it exists once the transaction commits. `data` is small and
   * identifies the work; jobs with the same `key` request the same work. `id`: a UUID; default: a random one.
   */
  send(tx: Transaction, queue: string, key: string, data: object, id?: string): Promise<void>;
  /**
   * Queues a job within the transaction, unless a job with this key is waiting and was never started; returns
   * the id of the waiting one.
   */
  sendOnce(tx: Transaction, queue: string, key: string, data: object): Promise<string>;
  /** Makes workers of this process poll the queue now; others poll within half a second. */
  wake(queue: string): void;
  /** Queues a failed job again, within the transaction. */
  retry(tx: Transaction, queue: string, id: string): Promise<void>;
}
