import {
  optInsQueue,
  queueDirectoryChanges,
  type SettlingJobData,
} from '../../analytics/directory-changes/settle-changes.ts';
import { hasWaitingRows } from '../../analytics/directory-changes/waiting-changes-store.ts';
import type { JobSender } from '../../api/job-sender.ts';
import { getBrand } from '../../brands/brand-service.ts';
import { notFound } from '../../errors/api-error.ts';
import type { AuditedTransaction } from '../../postgres/transaction.ts';
import { invalidItems } from '../directory-wire.ts';
import { recordDeletion, recordUpsert } from '../record-change.ts';
import {
  deleteLearner,
  type LearnerItem,
  lockLearner,
  lockMarkets,
  upsertLearners,
} from './learner-store.ts';

/**
 * Creates or updates learners in a constant number of statements. Queues a job that moves the revisions of the days of those
 * who opted out or in [analytics-47]. Returns whether some opted back in: a queued job then marks their days [analytics-31].
 * @throws ApiError `not_found` if there is no such brand; `validation_failed` for an unknown market
 */
export async function putLearners(
  tx: AuditedTransaction,
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
  await recordUpsert(tx, brandId, 'learner', items);
  if (items.some(({ analyticsOptOut }) => analyticsOptOut !== undefined))
    await queueDirectoryChanges(tx, brandId, jobs);
  const returned =
    items.some(({ analyticsOptOut }) => analyticsOptOut === false) &&
    (await hasWaitingRows(tx, 'learner_returns', brandId));
  const data: SettlingJobData = { brand_id: brandId };
  if (returned) await jobs.send(tx, { queue: optInsQueue, key: String(brandId), data });
  return returned;
}

/** `movesDays`: whether the revisions of the learner's days have to move. */
export type EraseFromAnalytics = (brandId: number, learnerId: number, movesDays: boolean) => Promise<void>;

/**
 * Erases a learner: first in the analytics store, then in the directory [D17]. The row is locked meanwhile, so no events of the
 * learner are ingested. If the store is unavailable, nothing is deleted. The revisions of the learner's days move with the
 * erasure in the store [analytics-47]; aggregates keep their numbers.
 * @throws ApiError `not_found`
 */
export async function eraseLearner(
  tx: AuditedTransaction,
  brandId: number,
  tuId: string,
  { eraseFromAnalytics, jobs }: { eraseFromAnalytics: EraseFromAnalytics; jobs: JobSender },
): Promise<void> {
  const learner = await lockLearner(tx, brandId, tuId);
  if (learner === null) throw notFound();
  const { id, isServed, hasChanges } = learner;
  // The days of an excluded learner moved when the exclusion was settled.
  await eraseFromAnalytics(brandId, id, isServed || hasChanges);
  await deleteLearner(tx, brandId, id);
  await queueDirectoryChanges(tx, brandId, jobs);
  // Omit the id: audit entries are kept, and an erased learner must not appear in it.
  await recordDeletion(tx, brandId, 'learner', '(erased)');
}
