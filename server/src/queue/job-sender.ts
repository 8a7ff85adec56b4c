import type { Transaction } from '../postgres/transaction.ts';

export interface JobRequest {
  readonly queue: string;
  /** Jobs with the same key request the same work. */
  readonly key: string;
  /** Small; identifies the work. */
  readonly data: object;
}

export interface LongJobRequest extends JobRequest {
  /** Whose work it is: one job of an owner runs at a time. Absent: the platform's. */
  readonly brandId?: number;
}

/** Queues jobs, which workers in this process or another one run. */
export interface JobSender {
  /** Queues a job within the transaction: it exists once the transaction commits. `id`: a UUID; default: a random one. */
  send(tx: Transaction, job: JobRequest & { readonly id?: string | undefined }): Promise<void>;
  /** Queues a job unless one with this key waits and was never started; returns the id of the waiting one. */
  sendOnce(tx: Transaction, job: LongJobRequest): Promise<string>;
  /** Makes workers of this process look for a job of the queue now; others do within a second. */
  wake(queue: string): void;
  /** Queues failed jobs of a queue again, within the transaction. Jobs in another state are left unchanged. */
  retry(tx: Transaction, queue: string, ids: readonly string[]): Promise<void>;
}
