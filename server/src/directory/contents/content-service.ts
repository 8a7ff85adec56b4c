import { queueDirectoryChanges } from '../../analytics/directory-changes/settle-changes.ts';
import type { JobSender } from '../../api/job-sender.ts';
import { getBrand } from '../../brands/brand-service.ts';
import { notFound } from '../../errors/api-error.ts';
import type { AuditedTransaction } from '../../postgres/transaction.ts';
import { recordDeletion, recordUpsert } from '../record-change.ts';
import { type ContentItem, unlistContent, upsertContents } from './content-store.ts';

/**
 * Queues a job that moves the revisions of the days of contents that are listed again [analytics-47].
 * @throws ApiError `not_found` if there is no such brand
 */
export async function putContents(
  tx: AuditedTransaction,
  brandId: number,
  items: readonly ContentItem[],
  jobs: JobSender,
): Promise<void> {
  await getBrand(tx, brandId);
  await upsertContents(tx, brandId, items);
  await queueDirectoryChanges(tx, brandId, jobs);
  await recordUpsert(tx, brandId, 'content', items);
}

/**
 * Rows that refer to the content stay, as orphaned references; a queued job moves the revisions of their days [analytics-47].
 * @throws ApiError `not_found`
 */
export async function removeContent(
  tx: AuditedTransaction,
  brandId: number,
  { type, tuId }: { readonly type: string; readonly tuId: string },
  jobs: JobSender,
): Promise<void> {
  if (!(await unlistContent(tx, brandId, type, tuId))) throw notFound();
  await queueDirectoryChanges(tx, brandId, jobs);
  await recordDeletion(tx, brandId, 'content', `${type}/${tuId}`);
}
