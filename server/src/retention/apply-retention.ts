import { setTimeout as sleep } from 'node:timers/promises';
import type { Day } from '../analytics/day.ts';
import { policies, type RetentionContext } from './policies.ts';
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
