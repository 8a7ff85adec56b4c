import { sqlState } from '../../postgres/database-errors.ts';
import { type Statement, statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { countDays, type Day, type DayRange, daysOf } from '../day.ts';
import { datasetNames, type RowCounts } from './datasets.ts';
import type { RevisionCause } from './day-history-store.ts';
import {
  type AggregationOptions,
  type AggregationResult,
  type DayArrivals,
  findWhetherDaysFollow,
  listChanges,
  lockDatasetsOrSkip,
  recordAggregatedDays,
} from './days-store.ts';
import {
  AggregationTooLong,
  type AnalyticsEngine,
  type DirectoryAtAggregation,
  type ReplacedDays,
} from './engine.ts';
import { lockKeptDays } from './events-store.ts';
import { moveRevisions } from './revisions-store.ts';

interface Aggregation extends AggregationOptions {
  readonly range: DayRange;
  /** Called after the wait for the lock, perhaps more than once. */
  readonly readDirectory: () => Promise<DirectoryAtAggregation>;
}

/**
 * (Re)aggregates the days that still have raw events: replaces their rows, corrects later running totals, increments the
 * revisions and clears the marks, which readers see with one commit. One aggregation of a brand runs at a time: the second
 * waits, or returns null with `skip`. A constant number of statements in PostgreSQL, regardless of days and rows.
 * @throws AggregationTooLong after `limitMs`
 */
export async function aggregate(
  unbounded: Transaction,
  engine: AnalyticsEngine,
  brandId: number,
  { range: asked, readDirectory, at, whenBusy, limitMs, reason = 'request' }: Aggregation,
): Promise<AggregationResult | null> {
  const endsAt = limitMs === undefined ? null : performance.now() + limitMs;
  const tx = limitMs === undefined ? unbounded : boundedTransaction(unbounded, limitMs);
  if (!(await lockDatasetsOrSkip(tx, brandId, whenBusy))) return null;
  const directory = await readDirectory();
  const keptSince = await lockKeptDays(tx, 'read');
  const range = keptSince !== null && keptSince > asked.from ? { ...asked, from: keptSince } : asked;
  if (countDays(range) <= 0) return { days: 0, rows: sumOf([]) };
  // Read before the events: a change that is missing from the rows stays marked for the next aggregation.
  const seen = await listChanges(tx, brandId, range);
  const hasLaterDays = await findWhetherDaysFollow(tx, brandId, range.to);
  const replaced = await engine.replaceDays(tx, brandId, { range, directory, hasLaterDays, endsAt });
  await publishDays(tx, brandId, { range, at, seen, replaced, reason });
  return { days: replaced.rows.size, rows: sumOf([...replaced.rows.values()]) };
}

interface Publication extends Pick<AggregationOptions, 'reason'> {
  readonly range: DayRange;
  readonly at: Date;
  /** From `listChanges`, called before the events were read. */
  readonly seen: ReadonlyMap<string, DayArrivals>;
  readonly replaced: ReplacedDays;
}

/** Moves the revisions of replaced days, and records them. The caller holds the lock of the brand's datasets. */
export async function publishDays(
  tx: Transaction,
  brandId: number,
  { range, at, seen, replaced: { rows, corrected }, reason = 'request' }: Publication,
): Promise<void> {
  const aggregated = daysOf(range);
  const causes = new Map(aggregated.map((day) => [day, causeOf(reason, seen.get(day))]));
  // Later totals are corrected for what is rarest: an ordinary night changes none.
  const ofLater = correctionCauses.find((cause) => aggregated.some((day) => causes.get(day) === cause));
  const why = (day: Day): RevisionCause => causes.get(day) ?? ofLater ?? 'nightly';
  for (const dataset of datasetNames) {
    const days = { aggregated, corrected: corrected[dataset] ?? [] };
    const counts = new Map(
      aggregated.map((day) => [
        day,
        { events: seen.get(day)?.events ?? 0, rows: rows.get(day)?.[dataset] ?? 0 },
      ]),
    );
    await moveRevisions(tx, brandId, { dataset, days, at, why, counts });
  }
  await recordAggregatedDays(tx, brandId, { at, seen, written: rows });
}

const correctionCauses: readonly RevisionCause[] = ['late_events', 'opt_out', 'request', 'repair'];

function causeOf(
  reason: NonNullable<AggregationOptions['reason']>,
  arrivals: DayArrivals | undefined,
): RevisionCause {
  if (reason !== 'due') return reason;
  const before = arrivals?.aggregated ?? null;
  if (arrivals === undefined || before === null) return 'nightly';
  if (arrivals.events > before.events) return 'late_events';
  // A mark without events is of a learner who counts again.
  return arrivals.changes > before.changes ? 'opt_out' : 'nightly';
}

function sumOf(days: readonly RowCounts[]): RowCounts {
  const sums = datasetNames.map((name) => [name, days.reduce((sum, rows) => sum + rows[name], 0)]);
  return Object.fromEntries(sums) as Record<(typeof datasetNames)[number], number>;
}

/**
 * Limits the time of all statements, waits for locks included: each gets the rest of `limitMs`. (PostgreSQL limits whole
 * transactions since version 17.)
 * @throws AggregationTooLong from `run`, which has to roll back
 */
function boundedTransaction(tx: Transaction, limitMs: number): Transaction {
  const end = performance.now() + limitMs;
  const bounded = async <Row>(work: () => Promise<Row[]>): Promise<Row[]> => {
    const leftMs = Math.ceil(end - performance.now());
    if (leftMs <= 0) throw new AggregationTooLong();
    tx.queue(
      statement<never>('limit_statement', `select set_config('statement_timeout', $1::text, true)`, [
        String(leftMs),
      ]),
    );
    try {
      return await work();
    } catch (error) {
      if (sqlState(error) === '57014' && performance.now() >= end - 50) throw new AggregationTooLong();
      throw error;
    }
  };
  return {
    run: <Row>(asked: Statement<Row>) => bounded(() => tx.run(asked)),
    queue: (asked) => tx.queue(asked),
  };
}
