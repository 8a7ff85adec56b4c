import type { JobSender } from '../api/job-sender.ts';
import { recordAudit } from '../audit/audit-store.ts';
import { notFound } from '../errors/api-error.ts';
import type { AuditedTransaction } from '../postgres/transaction.ts';
import { lockFailedJobs } from './queries/failed-jobs.ts';
import { findJob, type Job, type JobFilter } from './queries/job-list.ts';

/**
 * Queues a failed job again, in the caller's transaction. A queued or running job is left unchanged.
 * @throws ApiError `not_found` if there is no such job, or it is completed
 */
export async function retryJob(tx: AuditedTransaction, jobs: JobSender, id: string): Promise<Job> {
  const job = await findJob(tx, id);
  if (job === null) throw notFound();
  if (job.state !== 'failed') return job;
  await jobs.retry(tx, job.queue, [id]);
  await recordAudit(tx, {
    action: 'job.retry',
    brandId: null,
    resourceType: 'job',
    resourceId: id,
    details: { queue: job.queue, data: job.data },
  });
  return (await findJob(tx, id)) ?? job;
}

/** Jobs that are locked and queued again at a time, so that memory is bounded. */
const retriedAtOnce = 5_000;

/**
 * Queues all failed jobs that match the filter again, oldest first, in the caller's transaction, and returns their number. Jobs
 * that another transaction is retrying are left to it.
 */
export async function retryJobs(tx: AuditedTransaction, jobs: JobSender, filter: JobFilter): Promise<number> {
  if (filter.state !== undefined && filter.state !== 'failed') return 0;
  let retried = 0;
  for (;;) {
    const failed = await lockFailedJobs(tx, filter, retriedAtOnce);
    for (const [queue, ids] of failed) {
      await jobs.retry(tx, queue, ids);
      retried += ids.length;
    }
    if (failed.size === 0) break;
  }
  if (retried > 0)
    await recordAudit(tx, {
      action: 'job.retry',
      brandId: null,
      resourceType: 'job',
      resourceId: '*',
      details: { queue: filter.queue ?? null, brand_id: filter.brandId ?? null, jobs: retried },
    });
  return retried;
}
