import { type Static, Type } from 'typebox';
import {
  type AnalyticsContext,
  readOperation,
  unmanagedOperation,
  writeOperation,
} from '../analytics/analytics-context.ts';
import {
  optInsQueue,
  queueDirectoryChanges,
  type SettlingJobData,
  settleOptInsSoon,
} from '../analytics/directory-changes/settle-changes.ts';
import { hasWaitingRows } from '../analytics/directory-changes/waiting-changes-store.ts';
import { ExactFilter } from '../api/field-schemas.ts';
import type { Operation } from '../api/operation.ts';
import { exampleListOf, listOf, pageQuery, pageReply } from '../api/pagination.ts';
import { sortQuery } from '../api/sort.ts';
import { forgetResource, recordAudits } from '../audit/audit-store.ts';
import { getBrand } from '../brands/brand-operations.ts';
import { BrandParams, brandIdFromPath } from '../brands/brand-wire.ts';
import { notFound } from '../errors/api-error.ts';
import type { AuditedTransaction } from '../postgres/transaction.ts';
import type { JobSender } from '../queue/job-sender.ts';
import { recordDeletion, recordUpsert } from './directory-kind.ts';
import {
  directoryBodyLimit,
  directoryItemParams,
  ErasureReceiptWire,
  erasureReceiptExample,
  invalidItems,
  LearnerDetailWire,
  type LearnerItem,
  LearnerWire,
  learnerDetailExample,
  learnerExample,
  learnerToWire,
  PutLearnersBody,
  requireDistinct,
  UpsertedWire,
} from './directory-wire.ts';
import {
  deleteLearner,
  findLearnerDetail,
  learnerSortColumns,
  listLearners,
  lockLearner,
  lockMarkets,
  upsertLearners,
} from './learner-store.ts';

// Marks in the analytics store have to follow the commit.
const putLearnersOperation = unmanagedOperation({
  id: 'putLearners',
  method: 'PUT',
  path: '/brands/:id/users',
  tag: 'Directory',
  summary: 'Create or update learners',
  description:
    'Up to 10,000 items per request. Omitted items and omitted fields are left unchanged. Personal data is not accepted: an unknown field is an error. When a learner opts back in, their earlier rows return: days that were aggregated in the meantime become `dirty`, and the next nightly run aggregates them again.',
  access: 'one-brand',
  params: BrandParams,
  body: PutLearnersBody,
  bodyExample: {
    items: [{ tu_id: 'u-4711', market: 'de-north', analytics_opt_out: false }, { tu_id: 'u-4712' }],
  },
  bodyLimit: directoryBodyLimit,
  responses: { 200: { description: 'Done.', schema: UpsertedWire, example: { upserted: 2 } } },
  handle: async (context, { params, body, initiator }) => {
    const { items } = body;
    requireDistinct(items, ({ tu_id }) => tu_id);
    const brandId = brandIdFromPath(params.id);
    const returned = await context.database.auditedTransaction(initiator, (tx) =>
      putLearners(tx, brandId, items, context.jobs),
    );
    if (returned) await settleOptInsSoon(context, brandId);
    return { status: 200, body: { upserted: items.length } };
  },
});

const listLearnersOperation = readOperation({
  id: 'listLearners',
  method: 'GET',
  path: '/brands/:id/users',
  tag: 'Directory',
  summary: 'List learners',
  description: 'Ordered by id unless sorted: all learners of the brand, or those that match every filter.',
  access: 'one-brand',
  params: BrandParams,
  query: Type.Object({
    tu_id: ExactFilter({ description: 'Only the learner with this id.', examples: ['u-4711'] }),
    opted_out: Type.Optional(
      Type.Boolean({
        description: '`true`: only learners who have opted out of analytics; `false`: only others.',
        examples: [false],
      }),
    ),
    market: ExactFilter({
      description: 'Only learners of the market with this `tu_id`.',
      examples: ['de-north'],
    }),
    ...sortQuery(learnerSortColumns, '`tu_id`'),
    ...pageQuery,
  }),
  responses: {
    200: {
      description: 'One page of results.',
      schema: listOf(LearnerWire, 'UserPage'),
      example: exampleListOf(learnerExample),
    },
  },
  handle: async ({ database }, { params, query }) => {
    const { id: brandId } = await getBrand(database, brandIdFromPath(params.id));
    const filter = { brandId, tuId: query.tu_id, isOptedOut: query.opted_out, market: query.market };
    return pageReply(query, (page) => listLearners(database, filter, page, query.sort), learnerToWire);
  },
});

/** Shows which aggregates still include an excluded learner [internal-114]. */
const getLearnerOperation = readOperation({
  id: 'getLearner',
  method: 'GET',
  path: '/brands/:id/users/:tu_id',
  tag: 'Directory',
  summary: 'Get a learner',
  description:
    'Returns a learner with the first and last day of activity. An opted-out learner is hidden everywhere at once, but remains in the aggregates of the days that were aggregated before: aggregate `stale_aggregate_days` again to remove the learner from them.',
  access: 'one-brand',
  params: directoryItemParams('u-4711'),
  responses: {
    200: { description: 'The learner.', schema: LearnerDetailWire, example: learnerDetailExample },
  },
  errors: ['analytics_unavailable'],
  handle: async ({ database, analytics }, { params }) => {
    const { id: brandId } = await getBrand(database, brandIdFromPath(params.id));
    const learner = await findLearnerDetail(database, brandId, params.tu_id);
    if (learner === null) throw notFound();
    const { id, ...row } = learner;
    const activity = await analytics.readLearnerActivity(brandId, id);
    const body = {
      ...learnerToWire(row),
      first_day: activity.firstDay,
      last_day: activity.lastDay,
      stale_aggregate_days: learner.isOptedOut ? [...activity.aggregatedDays] : [],
    };
    return { status: 200, body };
  },
});

const deleteLearnerOperation = writeOperation({
  id: 'deleteLearner',
  method: 'DELETE',
  path: '/brands/:id/users/:tu_id',
  tag: 'Directory',
  summary: 'Erase a learner',
  description: `Immediately removes the learner from the directory, the raw events and the user-level datasets. Aggregates keep
their numbers until their days are aggregated again. With \`Prefer: return=representation\` the response is a receipt, which is kept nowhere.`,
  access: 'one-brand',
  params: directoryItemParams('u-4712'),
  responses: {
    204: { description: 'The learner was erased.' },
    200: {
      description: 'The learner was erased, with the receipt that the request prefers.',
      schema: ErasureReceiptWire,
      example: erasureReceiptExample,
    },
  },
  errors: ['analytics_unavailable'],
  handle: async (tx, request, { analytics, clock, jobs }) => {
    const { params, prefersRepresentation, internalCaller, requestId } = request;
    const brandId = brandIdFromPath(params.id);
    const at = new Date(clock.now());
    const eraseFromAnalytics: EraseFromAnalytics = async (learner, movesDays) => {
      const { aggregatedDays } = prefersRepresentation
        ? await analytics.readLearnerActivity(brandId, learner)
        : { aggregatedDays: [] };
      const counts = await analytics.eraseLearner(brandId, learner, { movesDays, at });
      return { ...counts, days_to_aggregate: [...aggregatedDays] };
    };
    const erased = await eraseLearner(tx, brandId, params.tu_id, { eraseFromAnalytics, jobs });
    if (!prefersRepresentation) return { status: 204 };
    const by = internalCaller.actorName ?? internalCaller.actor;
    const done = { tu_id: params.tu_id, erased_at: at.toISOString(), request_id: requestId, by };
    return { status: 200, body: { ...done, ...erased } };
  },
});

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
  const optOuts = await upsertLearners(tx, brandId, items);
  await recordUpsert(tx, brandId, 'learner', items.length);
  await recordAudits(tx, {
    action: 'learner.opt_out',
    brandId,
    resourceType: 'learner',
    changes: optOuts.map(({ tuId, from, to }) => ({
      resourceId: tuId,
      details: { changes: { analytics_opt_out: { from, to } } },
    })),
  });
  if (items.some(({ analytics_opt_out }) => analytics_opt_out !== undefined))
    await queueDirectoryChanges(tx, brandId, jobs);
  const returned =
    items.some(({ analytics_opt_out }) => analytics_opt_out === false) &&
    (await hasWaitingRows(tx, 'learner_returns', brandId));
  const data: SettlingJobData = { brand_id: brandId };
  if (returned) await jobs.send(tx, { queue: optInsQueue, key: String(brandId), data });
  return returned;
}

type Erased = Pick<Static<typeof ErasureReceiptWire>, 'events' | 'rows' | 'days_to_aggregate'>;

/** `movesDays`: whether the revisions of the learner's days have to move. */
type EraseFromAnalytics = (learnerId: number, movesDays: boolean) => Promise<Erased>;

/**
 * Erases a learner: first in the analytics store, then in the directory [D17]. The row is locked meanwhile, so no events of the
 * learner are ingested. If the store is unavailable, nothing is deleted. The revisions of the learner's days move with the
 * erasure in the store [analytics-47]; aggregates keep their numbers.
 * @throws ApiError `not_found`
 */
async function eraseLearner(
  tx: AuditedTransaction,
  brandId: number,
  tuId: string,
  { eraseFromAnalytics, jobs }: { eraseFromAnalytics: EraseFromAnalytics; jobs: JobSender },
): Promise<Erased> {
  const learner = await lockLearner(tx, brandId, tuId);
  if (learner === null) throw notFound();
  const { id, isServed, hasChanges } = learner;
  // The days of an excluded learner moved when the exclusion was settled.
  const erased = await eraseFromAnalytics(id, isServed || hasChanges);
  await deleteLearner(tx, brandId, id);
  await queueDirectoryChanges(tx, brandId, jobs);
  await forgetResource(tx, brandId, 'learner', tuId);
  // Omit the id: audit entries are kept, and an erased learner must not appear in it.
  await recordDeletion(tx, brandId, 'learner', '(erased)');
  return erased;
}

export const learnerOperations: readonly Operation<AnalyticsContext>[] = [
  putLearnersOperation,
  listLearnersOperation,
  getLearnerOperation,
  deleteLearnerOperation,
];
