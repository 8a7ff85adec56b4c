import { hasReturns } from '../../analytics/returns/return-store.ts';
import { type ReturnsJobData, returnsQueue } from '../../analytics/returns/settle-returns-job.ts';
import type { JobSender } from '../../api/job-sender.ts';
import { recordAudit } from '../../audit/audit-store.ts';
import { getBrand } from '../../brands/brand-service.ts';
import { notFound } from '../../errors/api-error.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { invalidItems } from '../directory-wire.ts';
import type { LearnerItem } from './learner.ts';
import { deleteLearner, lockLearner, lockMarkets, upsertLearners } from './learner-store.ts';

/**
 * Creates or updates learners; absent fields are left unchanged. Returns whether some of them opted back in, in which
 * case a job is queued that marks their days [analytics-31]. A constant number of statements for any number of items.
 * @throws ApiError `not_found` if there is no such brand; `validation_failed` for an unknown market
 */
export async function putLearners(
  tx: Transaction,
  brandId: number,
  items: readonly LearnerItem[],
  jobs: JobSender,
): Promise<boolean> {
  await getBrand(tx, brandId);
  const markets = new Set(items.flatMap(({ market }) => market ?? []));
  if (markets.size > 0) {
    const known = await lockMarkets(tx, brandId, [...markets]);
    const unknown = items.flatMap(({ market }, index) =>
      market == null || known.has(market) ? [] : [index],
    );
    if (unknown.length > 0) throw invalidItems(unknown, 'market', 'is not a market of the brand');
  }
  await upsertLearners(tx, brandId, items);
  await recordAudit(tx, {
    action: 'learner.upsert',
    brandId,
    resourceType: 'learner',
    resourceId: '*',
    details: { items: items.length },
  });
  const returned =
    items.some(({ analyticsOptOut }) => analyticsOptOut === false) && (await hasReturns(tx, brandId));
  const data: ReturnsJobData = { brand_id: brandId };
  if (returned) await jobs.send(tx, { queue: returnsQueue, key: String(brandId), data });
  return returned;
}

/** Erases the data of one learner in the analytics store. */
export type EraseFromAnalytics = (brandId: number, learnerId: number) => Promise<void>;

/**
 * Erases a learner: first in the analytics store (raw events and user-level datasets), then in the directory.
 * The learner's row is locked during that time, so no events of the learner are ingested. If the store is
 * unavailable, nothing is deleted, and the request can be sent again [D17]; aggregates keep their numbers.
 * @throws ApiError `not_found`
 */
export async function eraseLearner(
  tx: Transaction,
  brandId: number,
  tuId: string,
  eraseFromAnalytics: EraseFromAnalytics,
): Promise<void> {
  const id = await lockLearner(tx, brandId, tuId);
  if (id === null) throw notFound();
  await eraseFromAnalytics(brandId, id);
  await deleteLearner(tx, brandId, id);
  // Omit the id: audit entries are kept, and an erased learner must not appear in it.
  await recordAudit(tx, {
    action: 'learner.delete',
    brandId,
    resourceType: 'learner',
    resourceId: '(erased)',
    details: {},
  });
}
