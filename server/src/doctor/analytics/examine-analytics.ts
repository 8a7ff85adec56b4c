import type { Database } from '../../postgres/database.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { type Apart, Outcomes } from './examination.ts';
import {
  findContentDifferences,
  findDailyDifferences,
  findEngagementDifferences,
  findLearnerBatchEnd,
  findLearnerDifferences,
} from './queries/find-dataset-differences.ts';
import {
  findClaimBatchEnd,
  findDayRecordDifferences,
  findEventDayDifferences,
  findIdleClaims,
  findRevisionDifferences,
  findUnclaimedEvents,
} from './queries/find-event-differences.ts';
import { listUnsettledLearners } from './queries/list-unsettled-learners.ts';
import {
  addMonth,
  beginExamination,
  createDayTruth,
  listMonths,
  noteErasedDays,
  noteUnsettled,
} from './queries/prepare-examination-store.ts';

/**
 * The number of learners in one statement. With thousands of events each, the statement stays within its sort memory.
 */
const learnerBatchSize = 500;
const claimBatchSize = 20_000;

export interface AnalyticsExamination {
  readonly outcomes: Outcomes;
  readonly apart: Apart;
}

/**
 * Recomputes every dataset day of a brand from the raw events, independently of the aggregation, and compares
 * [internal-49] [D71]. Reads one snapshot of the store, by month and by batches of learners, while the server may run.
 * Opt-outs are read from the main database before and after. `live_*` and `total_users` are not compared.
 */
export async function examineAnalytics(
  main: Database,
  store: Database,
  brandId: number,
  cancelled: AbortSignal | undefined,
): Promise<AnalyticsExamination> {
  return store.transaction(async (tx) => {
    const before = await listUnsettledLearners(main, brandId);
    // The first statement that reads determines the snapshot. A learner whose opt-out changes around it is in one of
    // the two lists.
    await beginExamination(tx, brandId);
    const after = await listUnsettledLearners(main, brandId);
    const unsettled = [before, after].flatMap(({ optedOut, returning }) => [...optedOut, ...returning]);
    const days = await noteUnsettled(tx, brandId, unsettled);
    const marketIds = after.marketIds.filter((id) => before.marketIds.includes(id));
    const { outcomes, daysBeforeErasure } = await compareAll(tx, brandId, marketIds, cancelled);
    return {
      outcomes,
      apart: {
        dirtyDays: days.dirty,
        daysWithoutEvents: days.without_events,
        daysBeforeErasure,
        learnerDaysBeforeOptOut: days.before_opt_out,
        waitingReturns: after.returning.length,
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
  await createDayTruth(tx);
  for (const month of await listMonths(tx)) {
    cancelled?.throwIfAborted();
    await addMonth(tx, brandId, month);
  }
  const daysBeforeErasure = await noteErasedDays(tx);
  outcomes.add('dataset_daily', await findDailyDifferences(tx, brandId, marketIds));
  outcomes.add('dataset_contents', await findContentDifferences(tx, brandId));
  outcomes.add('dataset_day_records', await findDayRecordDifferences(tx, brandId));
  outcomes.add('dataset_revisions', await findRevisionDifferences(tx, brandId));
  for (let from = Number.MIN_SAFE_INTEGER; ; ) {
    cancelled?.throwIfAborted();
    const upTo = await findLearnerBatchEnd(tx, brandId, from, learnerBatchSize);
    if (upTo === null) break;
    const batch = { after: from, upTo };
    outcomes.add('dataset_users', await findLearnerDifferences(tx, brandId, batch));
    outcomes.add('dataset_content_engagement', await findEngagementDifferences(tx, brandId, batch));
    outcomes.add('event_days', await findEventDayDifferences(tx, brandId, batch));
    outcomes.add('event_claims', await findUnclaimedEvents(tx, brandId, batch));
    from = upTo;
  }
  for (let from = ''; ; ) {
    cancelled?.throwIfAborted();
    const upTo = await findClaimBatchEnd(tx, brandId, from, claimBatchSize);
    if (upTo === null) break;
    outcomes.add('event_claims', await findIdleClaims(tx, brandId, from, upTo));
    from = upTo;
  }
  return { outcomes, daysBeforeErasure };
}
