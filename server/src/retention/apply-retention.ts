import { setTimeout as sleep } from 'node:timers/promises';
import { dropKeyUsage } from '../access/key-usage/key-usage-store.ts';
import { dropRefusals } from '../access/refusals/refusal-store.ts';
import { dropUnverifiedRefusals } from '../access/refusals/unverified-refusal-store.ts';
import type { AnalyticsContext } from '../analytics/analytics-context.ts';
import { type Day, dayOf } from '../analytics/day.ts';
import { settleOptIns } from '../analytics/directory-changes/settle-changes.ts';
import { listBrandsWithWaitingRows } from '../analytics/directory-changes/waiting-changes-store.ts';
import { dropAuditEntries } from '../audit/audit-store.ts';
import { dropFeedLines } from '../catalog/feeds/feed-store.ts';
import { dropStockChanges } from '../catalog/stock/brand-stock-store.ts';
import type { Transaction } from '../postgres/transaction.ts';
import { type Keep, type PolicyName, policySettings } from './policy-settings.ts';
import { recordRetentionRun } from './retention-run-store.ts';

const dayMs = 86_400_000;
const longestPauseMs = 2_000;

export interface PolicyOutcome {
  readonly policy: PolicyName;
  /** Days for which data is kept; null = forever. */
  readonly keepDays: number | null;
  readonly droppedRows: number;
  /** The first day whose events were due and had to stay, because its last aggregation lacks events of it. */
  readonly heldBackBy: Day | null;
}

export interface RetentionObserver {
  rowsDropped(policy: PolicyName, rows: number): void;
  policyApplied(outcome: PolicyOutcome, ms: number): void;
}

export interface RetentionOptions {
  readonly keep: Keep;
  readonly observer?: RetentionObserver | undefined;
  readonly signal: AbortSignal;
}

/** Some policies could not be applied. `errors` has the reason for each. */
export class PoliciesNotApplied extends AggregateError {}

/**
 * Drops what is older than its setting says, in short transactions with pauses as long as they took, so that other work has at
 * least as much of the database. Every step is complete in itself: an interrupted run continues where it stopped. A failing
 * policy does not keep the others from being applied.
 * @throws PoliciesNotApplied after the others; the reason of `signal`
 */
export async function applyRetention(
  context: RetentionContext,
  { keep, observer, signal }: RetentionOptions,
): Promise<PolicyOutcome[]> {
  const outcomes: PolicyOutcome[] = [];
  const failures: Error[] = [];
  for (const { policy } of policySettings) {
    const startedAt = performance.now();
    try {
      const outcome = await applyPolicy(context, policy, { keep, observer, signal });
      await recordRetentionRun(context.database, outcome);
      observer?.policyApplied(outcome, Math.round(performance.now() - startedAt));
      outcomes.push(outcome);
    } catch (error) {
      signal.throwIfAborted();
      failures.push(new Error(`${policy}: ${(error as Error).message}`, { cause: error }));
    }
  }
  if (failures.length > 0)
    throw new PoliciesNotApplied(failures, failures.map(({ message }) => message).join('; '));
  return outcomes;
}

async function applyPolicy(
  context: RetentionContext,
  policy: PolicyName,
  { keep, observer, signal }: RetentionOptions,
): Promise<PolicyOutcome> {
  const keepDays = keep[policy];
  if (keepDays === null) return { policy, keepDays, droppedRows: 0, heldBackBy: null };
  const before = new Date(context.clock.now() - keepDays * dayMs);
  let droppedRows = 0;
  for (;;) {
    signal.throwIfAborted();
    const startedAt = performance.now();
    const { rows, isDone, heldBackBy = null } = await policies[policy](context, before, signal);
    droppedRows += rows;
    if (rows > 0) observer?.rowsDropped(policy, rows);
    if (isDone) return { policy, keepDays, droppedRows, heldBackBy };
    await sleep(Math.min(performance.now() - startedAt, longestPauseMs), undefined, { signal });
  }
}

type RetentionContext = Pick<AnalyticsContext, 'database' | 'clock' | 'analytics'>;

interface DropStep {
  readonly rows: number;
  readonly isDone: boolean;
  readonly heldBackBy?: Day | null;
}

/** Drops some of what is older than `before`, in a transaction of about a second. Safe to repeat and to run concurrently. */
type Drop = (context: RetentionContext, before: Date, signal: AbortSignal) => Promise<DropStep>;

const batchRows = 5_000;

/** The step of each policy. A policy is an entry here and one in `policySettings`. */
const policies: Readonly<Record<PolicyName, Drop>> = {
  'feed-lines': async ({ database }, before) => {
    const rows = await database.transaction((tx) => dropFeedLines(tx, before));
    return { rows, isDone: rows === 0 };
  },
  audit: dropping(dropAuditEntries),
  'key-usage': dropping(dropKeyUsage),
  refusals: async ({ database }, before) => {
    const rows = await database.transaction((tx) => dropRefusals(tx, before, batchRows));
    const unverified = await database.transaction((tx) => dropUnverifiedRefusals(tx, before, batchRows));
    return { rows: rows + unverified, isDone: Math.max(rows, unverified) < batchRows };
  },
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

/** Marks the days whose rows returned learners have to get back: a day without events cannot be aggregated again [D53]. */
async function markReturns(context: RetentionContext): Promise<void> {
  for (const brandId of await listBrandsWithWaitingRows(context.database, 'learner_returns', 0))
    await settleOptIns(context, brandId, { whenBusy: 'wait' });
}
