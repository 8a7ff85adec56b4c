import { queueDirectoryChanges } from '../../analytics/directory-changes/settle-changes.ts';
import type { JobSender } from '../../api/job-sender.ts';
import { getBrand } from '../../brands/brand-service.ts';
import { notFound } from '../../errors/api-error.ts';
import type { AuditedTransaction } from '../../postgres/transaction.ts';
import { type NamedItem, upsertNamedItems } from '../named-item-store.ts';
import { recordDeletion, recordUpsert } from '../record-change.ts';
import { deleteMarket } from './market-store.ts';

/** @throws ApiError `not_found` if there is no such brand */
export async function putMarkets(
  tx: AuditedTransaction,
  brandId: number,
  items: readonly NamedItem[],
): Promise<void> {
  await getBrand(tx, brandId);
  await upsertNamedItems(tx, 'markets', brandId, items);
  await recordUpsert(tx, brandId, 'market', items);
}

/**
 * Aggregates of the market are no longer served; a queued job moves the revisions of their days [analytics-47].
 * @throws ApiError `not_found`
 */
export async function removeMarket(
  tx: AuditedTransaction,
  brandId: number,
  tuId: string,
  jobs: JobSender,
): Promise<void> {
  if (!(await deleteMarket(tx, brandId, tuId))) throw notFound();
  await queueDirectoryChanges(tx, brandId, jobs);
  await recordDeletion(tx, brandId, 'market', tuId);
}
