import type { ChangedDay, DatasetChanges } from './dataset-changes.ts';
import { addDays, type Day, daysBetween } from './days.ts';

/** The stored days of a dataset, as far as a plan needs them. */
export interface KnownDays {
  /** All known days are current as of this revision. */
  readonly since: number;
  /** The first day that is asked for; null for the first one of the service. */
  readonly from: Day | null;
  /** Without revisions: `latest_date` when all days were last pulled. */
  readonly swept: Day | null;
  /** Returns the revision of a stored day, null if it was stored without one, undefined if it is not stored. */
  revisionOf(day: Day): number | null | undefined;
}

/** A day that has to be pulled. */
export interface PlannedDay {
  readonly date: Day;
  /** Its revision when the plan was made; null if the service did not say it. */
  readonly revision: number | null;
}

export interface DayPlan {
  /** Ascending. */
  readonly days: readonly PlannedDay[];
  /** True if the service could not list the changes: each window is asked for its revision before it is pulled. */
  readonly needsProbes: boolean;
  /** True if all days are pulled although the service does not list changes. */
  readonly isSweep: boolean;
}

export interface PlanOptions {
  /** Pulls all days. */
  readonly full?: boolean;
  /** True if running totals are not stored: days whose cause is `corrected` are the same. */
  readonly skipsCorrected?: boolean;
}

const overlapDays = 7;
const sweepDays = 30;

/**
 * Plans which days to pull [D152]. `all` are the changes since revision 0; null if `needsAllChanges` returned false, or if the
 * service does not list them all.
 */
export function planDays(
  known: KnownDays,
  changes: DatasetChanges,
  all: ReadonlyMap<Day, ChangedDay> | null,
  { full = false, skipsCorrected = false }: PlanOptions = {},
): DayPlan {
  const range = rangeOf(known, changes);
  const { days: changed, revision } = changes;
  if (revision === null) return planWithoutRevisions(known, range, full);
  const everything = known.since === 0 ? changed : all;
  // A day that is not listed since revision 0 was never aggregated. Otherwise its revision is at most the dataset's.
  const unlisted = everything === null ? revision : 0;
  const plan = (date: Day): PlannedDay => {
    const change = (changes.isBehind ? undefined : changed?.get(date)) ?? everything?.get(date);
    return { date, revision: change?.revision ?? unlisted };
  };
  if (full || changes.isBehind) return { days: range.map(plan), needsProbes: false, isSweep: false };
  if (changed === null) return { days: range.map(plan), needsProbes: true, isSweep: false };
  const isNeeded = (date: Day) => {
    const stored = known.revisionOf(date);
    if (stored === undefined) return true;
    const change = changed.get(date);
    if (change === undefined || change.revision <= (stored ?? -1)) return false;
    return !skipsCorrected || change.cause !== 'corrected';
  };
  return { days: range.filter(isNeeded).map(plan), needsProbes: false, isSweep: false };
}

/** Returns whether the plan needs the changes since revision 0: for days that are missing or pulled without a change. */
export function needsAllChanges(
  known: KnownDays,
  changes: DatasetChanges,
  { full = false }: PlanOptions = {},
) {
  const { days, revision, isBehind } = changes;
  if (revision === null || known.since === 0) return false;
  if (full || isBehind) return true;
  return days !== null && rangeOf(known, changes).some((day) => isMissing(known, day) && !days.has(day));
}

function isMissing(known: KnownDays, day: Day): boolean {
  return known.revisionOf(day) === undefined;
}

function rangeOf({ from }: KnownDays, { oldest, latest }: DatasetChanges): Day[] {
  return latest === null ? [] : daysBetween(from ?? oldest ?? latest, latest);
}

/** The rule of the guide: the last days overlap, and all days are pulled once a month. */
function planWithoutRevisions(known: KnownDays, range: readonly Day[], full: boolean): DayPlan {
  const latest = range.at(-1);
  if (latest === undefined) return { days: [], needsProbes: false, isSweep: false };
  const isSweep = full || known.swept === null || addDays(known.swept, sweepDays) <= latest;
  const recent = addDays(latest, 1 - overlapDays);
  const isNeeded = (day: Day) => isSweep || day >= recent || isMissing(known, day);
  const days = range.filter(isNeeded).map((date) => ({ date, revision: null }));
  return { days, needsProbes: false, isSweep };
}
