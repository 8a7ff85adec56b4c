import type { Database } from '../../postgres/database.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { Outcomes, type Skipped } from './examination.ts';
import type { AnalyticsFind } from './invariants/analytics-invariant.ts';
import { analyticsInvariants } from './invariants/analytics-invariants.ts';
import { findClaimBatchEnd, findLearnerBatchEnd } from './queries/find-batch-ends.ts';
import { findDatasetDifferences } from './queries/find-dataset-differences.ts';
import { listUnsettledLearners } from './queries/list-unsettled-learners.ts';
import {
  addMonth,
  beginExamination,
  createDayTruth,
  listMonths,
  noteErasedDays,
  noteUnsettled,
} from './queries/prepare-examination-store.ts';

/** With thousands of events each, the statement stays within its sort memory. */
const learnerBatchSize = 500;
const claimBatchSize = 20_000;

export interface AnalyticsExamination {
  readonly outcomes: Outcomes;
  readonly skipped: Skipped;
}

/**
 * Recomputes every dataset day of a brand from the raw events, independently of the aggregation, and compares [internal-49]
 * [D71]. Reads one snapshot of the store, by month and by batches of learners. Opt-outs are read from the main database before
 * and after. `live_*` and `total_users` are not compared.
 */
export async function examineAnalytics(
  main: Database,
  store: Database,
  brandId: number,
  cancelled: AbortSignal | undefined,
): Promise<AnalyticsExamination> {
  return store.transaction(async (tx) => {
    const before = await listUnsettledLearners(main, brandId);
    // The first statement that reads determines the snapshot. A learner whose opt-out changes around it is in one of the two
    // lists.
    await beginExamination(tx, brandId);
    const after = await listUnsettledLearners(main, brandId);
    const unsettled = [before, after].flatMap(({ optedOut, returning }) => [...optedOut, ...returning]);
    const { learner_days_before_opt_out, ...days } = await noteUnsettled(tx, brandId, unsettled);
    const marketIds = after.marketIds.filter((id) => before.marketIds.includes(id));
    const { outcomes, daysBeforeErasure } = await compareAll(tx, brandId, marketIds, cancelled);
    return {
      outcomes,
      skipped: {
        ...days,
        days_before_erasure: daysBeforeErasure,
        learner_days_before_opt_out,
        waiting_returns: after.returning.length,
      },
    };
  });
}

async function compareAll(
  tx: Transaction,
  brandId: number,
  marketIds: readonly number[],
  cancelled: AbortSignal | undefined,
) {
  const outcomes = new Outcomes();
  const find = async (by: AnalyticsFind['by'], values: readonly unknown[]) => {
    cancelled?.throwIfAborted();
    for (const { id, finds } of analyticsInvariants)
      for (const [place, { sql }] of finds.entries().filter(([, each]) => each.by === by))
        outcomes.add(id, await findDatasetDifferences(tx, `${id}/${place}`, sql, [brandId, ...values]));
  };
  await createDayTruth(tx);
  for (const month of await listMonths(tx)) {
    cancelled?.throwIfAborted();
    await addMonth(tx, brandId, month);
  }
  const daysBeforeErasure = await noteErasedDays(tx);
  await find('markets', [marketIds]);
  await find('brand', []);
  for (let from = Number.MIN_SAFE_INTEGER; ; ) {
    const upTo = await findLearnerBatchEnd(tx, brandId, from, learnerBatchSize);
    if (upTo === null) break;
    await find('learners', [from, upTo]);
    from = upTo;
  }
  for (let from = ''; ; ) {
    const upTo = await findClaimBatchEnd(tx, brandId, from, claimBatchSize);
    if (upTo === null) break;
    await find('claims', [from, upTo]);
    from = upTo;
  }
  return { outcomes, daysBeforeErasure };
}
