import type { JobSender } from '../api/job-sender.ts';
import { recordAudit } from '../audit/audit-store.ts';
import { notFound } from '../errors/api-error.ts';
import type { Transaction } from '../postgres/transaction.ts';
import { findJob, type Job } from './queries/job-list.ts';

/**
 * Queues a failed job again, in the caller's transaction. A queued or running job is left unchanged.
 * @throws ApiError `not_found` if there is no such job, or it is completed
 */
export async function retryJob(tx: Transaction, jobs: JobSender, id: string): Promise<Job> {
  const job = await findJob(tx, id);
  if (job === null) throw notFound();
  if (job.state !== 'failed') return job;
  await jobs.retry(tx, job.queue, id);
  await recordAudit(tx, {
    action: 'job.retry',
    brandId: null,
    resourceType: 'job',
    resourceId: id,
    details: { queue: job.queue, data: job.data },
  });
  return (await findJob(tx, id)) ?? job;
}
