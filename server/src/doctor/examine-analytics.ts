import type { Day, DayRange } from '../analytics/day.ts';
import type { Database } from '../postgres/database.ts';
import { statement } from '../postgres/statement.ts';
import type { ExaminationOptions } from './examine-brand.ts';
import { CheckTally, type Difference, type Differences, mostListed } from './report.ts';

export interface DoctorAnalytics {
  readonly examine: ExamineAnalytics;
  /** (Re)aggregates the days of a brand whose raw events are still stored. */
  aggregate(brandId: number, range: DayRange): Promise<void>;
}

/** Compares all that is derived in a brand of an analytics store with its events. Reads only, in bounded memory. */
export type ExamineAnalytics = (
  main: Database,
  brandId: number,
  cancelled: AbortSignal | undefined,
) => Promise<AnalyticsExamination>;

export interface AnalyticsExamination {
  readonly differences: DayDifferences;
  /** Aggregated days that cannot be recomputed, or not completely: they are dirty, or their events were dropped or erased. */
  readonly skippedDays: number;
  /** Repairs what an aggregation does not; null: there is nothing. */
  readonly repair?: (() => Promise<void>) | null;
}

export interface DayDifference {
  readonly day: Day;
  readonly id: string;
  readonly field: string;
  readonly stored: string | null;
  readonly actual: string | null;
}

interface FoundByCheck extends Differences {
  readonly listed: readonly (DayDifference & Difference)[];
  readonly range?: DayRange;
}

/** The differences of a brand by check; memory is bounded by the number of checks. */
export class DayDifferences {
  readonly #checks = new Map<string, { found: number; listed: DayDifference[]; range: DayRange }>();

  /** @param all the number and the days of the differences, if more were found than are listed here */
  add(
    check: string,
    listed: readonly DayDifference[],
    all: { found: number; range: DayRange } | null = null,
  ): void {
    const days = listed.map(({ day }) => day).sort();
    const [from, to] = [days[0], days.at(-1)];
    if (from === undefined || to === undefined) return;
    const { found, range } = all ?? { found: listed.length, range: { from, to } };
    const known = this.#checks.get(check);
    this.#checks.set(check, {
      found: found + (known?.found ?? 0),
      listed: [...(known?.listed ?? []), ...listed].slice(0, mostListed),
      range: known === undefined ? range : spanOf(known.range, range),
    });
  }

  checks(): string[] {
    return [...this.#checks.keys()];
  }

  of(check: string): FoundByCheck {
    const { listed, ...rest } = this.#checks.get(check) ?? { found: 0, listed: [] };
    const isRepairable = isDerived(check) || check === 'unread_rows';
    return { ...rest, listed: listed.map((each) => ({ ...each, isRepairable })) };
  }

  /** The range from the first to the last day with a wrong derived value; null if there is none. */
  damagedRange(): DayRange | null {
    return [...this.#checks]
      .filter(([check]) => isDerived(check))
      .reduce<DayRange | null>((all, [, { range }]) => (all === null ? range : spanOf(all, range)), null);
  }
}

/** Returns true if an aggregation of the days repairs the differences of a check. */
const isDerived = (check: string) => check.startsWith('dataset_');

function spanOf(a: DayRange, b: DayRange): DayRange {
  return { from: a.from < b.from ? a.from : b.from, to: a.to > b.to ? a.to : b.to };
}

/**
 * Examines the data of a brand in the analytics store. A repair aggregates from the first damaged day to the last, and
 * examines again: differences that remain do not count as repaired. Returns the number of days that were skipped.
 */
export async function examineAnalytics(
  main: Database,
  { examine, aggregate }: DoctorAnalytics,
  brandId: number,
  { repair, report, cancelled }: ExaminationOptions,
): Promise<number> {
  const { differences, skippedDays, repair: repairRest = null } = await examine(main, brandId, cancelled);
  const damaged = differences.damagedRange();
  const isTried = repair && (damaged !== null || repairRest !== null);
  if (isTried) await repairRest?.();
  if (isTried && damaged !== null) await aggregate(brandId, damaged);
  const left = isTried ? (await examine(main, brandId, cancelled)).differences : null;
  for (const check of differences.checks()) {
    const tally = new CheckTally();
    tally.add(differences.of(check), left?.of(check) ?? null);
    const found = tally.reportOf(check, brandId);
    if (found !== null) report(found);
  }
  return skippedDays;
}

/** The learners of the main database for whom only the stored rows show whether an aggregation counted them, and the markets. */
export async function listUnsettledLearners(
  database: Database,
  brandId: number,
): Promise<{ readonly learnerIds: readonly number[]; readonly marketIds: readonly number[] }> {
  const rows = await database.run(
    statement<{ learnerIds: number[]; marketIds: number[] }>(
      'list_unsettled_learners',
      // Those who are out, and those who opted back in and whose days are not marked yet.
      `select
         (
           select coalesce(json_agg(l.id), '[]') from (
             select id from learners where brand_id = $1 and analytics_opt_out
             union
             select learner_id from learner_returns where brand_id = $1
           ) l
         ) as "learnerIds",
         (select coalesce(json_agg(id), '[]') from markets where brand_id = $1) as "marketIds"`,
      [brandId],
      { long: true },
    ),
  );
  return rows[0] ?? { learnerIds: [], marketIds: [] };
}
