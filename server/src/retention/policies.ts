import { dropKeyUsage } from '../access/key-usage/key-usage-store.ts';
import { dropRefusals } from '../access/refusals/refusal-store.ts';
import type { AnalyticsContext } from '../analytics/analytics-context.ts';
import { type Day, dayOf } from '../analytics/day.ts';
import { settleOptIns } from '../analytics/directory-changes/settle-changes.ts';
import { listBrandsWithWaitingRows } from '../analytics/directory-changes/waiting-changes-store.ts';
import { dropAuditEntries } from '../audit/audit-store.ts';
import { dropFeedLines } from '../catalog/feeds/drop-lines-store.ts';
import { dropStockChanges } from '../catalog/stock/brand-stock-store.ts';
import type { Transaction } from '../postgres/transaction.ts';
import type { PolicyName } from './policy-settings.ts';

export type RetentionContext = Pick<AnalyticsContext, 'database' | 'clock' | 'analytics'>;

export interface DropStep {
  readonly rows: number;
  readonly isDone: boolean;
  readonly heldBackBy?: Day | null;
}

/** Drops some of what is older than `before`, in a transaction of about a second. Safe to repeat and to run concurrently. */
export type Drop = (context: RetentionContext, before: Date, signal: AbortSignal) => Promise<DropStep>;

const batchRows = 5_000;

/** The step of each policy. A policy is an entry here and one in `policySettings`. */
export const policies: Readonly<Record<PolicyName, Drop>> = {
  'feed-lines': async ({ database }, before) => {
    const rows = await database.transaction((tx) => dropFeedLines(tx, before));
    return { rows, isDone: rows === 0 };
  },
  audit: dropping(dropAuditEntries),
  'key-usage': dropping(dropKeyUsage),
  refusals: dropping(dropRefusals),
  'stock-changes': dropping(dropStockChanges),
  events: async (context, before, signal) => {
    await markReturns(context);
    const { events, ...step } = await context.analytics.dropEvents(dayOf(before), signal);
    return { rows: events, ...step };
  },
};

function dropping(drop: (tx: Transaction, before: Date, limit: number) => Promise<number>): Drop {
  return async ({ database }, before) => {
    const rows = await database.transaction((tx) => drop(tx, before, batchRows));
    return { rows, isDone: rows < batchRows };
  };
}

/** Marks the days whose rows returned learners have to get back: a day without events cannot be aggregated again [D118]. */
async function markReturns(context: RetentionContext): Promise<void> {
  for (const brandId of await listBrandsWithWaitingRows(context.database, 'learner_returns', 0))
    await settleOptIns(context, brandId, { whenBusy: 'wait' });
}
