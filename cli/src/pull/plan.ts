import type { AnalyticsStatus, Brandport } from '@brandport/client';
import { type DatasetName, type DatasetTable, datasetNames, datasetTables } from '../columns/datasets.ts';
import { CliError, exitCodes } from '../errors.ts';

const dayMs = 86_400_000;

/** The first day that can have rows. A service may name an earlier one that was aggregated by mistake. */
const earliestDay: Day = '2000-01-01';

/** A UTC day, `YYYY-MM-DD`. */
export type Day = string;

export function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && dayOf(time) === text;
}

export function addDays(day: Day, days: number): Day {
  return dayOf(Date.parse(`${day}T00:00:00Z`) + days * dayMs);
}

/** Returns the days from `from` to `to`, both inclusive; none if `to` is earlier. */
export function daysBetween(from: Day, to: Day): Day[] {
  const days: Day[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}

function dayOf(time: number): Day {
  return new Date(time).toISOString().slice(0, 10);
}

/** A day that changed since a revision. */
export interface ChangedDay {
  readonly revision: number;
  readonly cause: string;
}

/** The state of a dataset on the service, and its changes since a revision. */
export interface DatasetChanges {
  readonly latest: Day | null;
  readonly oldest: Day | null;
  readonly revision: number;
  /** The days that changed; null if the service does not list them all. */
  readonly days: ReadonlyMap<Day, ChangedDay> | null;
  /** Changes of the directory are included up to this time. */
  readonly asOf: string | null;
  /** True if the dataset has not reached the revision that was asked for: it was restored from a backup. */
  readonly isBehind: boolean;
}

export interface ServiceStatus {
  readonly brandId: number;
  readonly scopes: ReadonlySet<string>;
  readonly datasets: Readonly<Record<DatasetName, DatasetChanges>>;
}

/** Reads the status, with the changes since the revisions. @throws CliError if the datasets are not available, BrandportError */
export async function readStatus(
  brandport: Brandport,
  since: ReadonlyMap<DatasetName, number>,
  signal?: AbortSignal,
): Promise<ServiceStatus> {
  const query = since.size === 0 ? {} : { changes_since: leastRevisions(since) };
  const { brand_id, scopes, datasets } = await brandport.analytics.status(query, { signal });
  if (datasets === null)
    throw new CliError(
      'The analytics store of the service is unavailable. Run the command again later.',
      exitCodes.partial,
    );
  return {
    brandId: brand_id,
    scopes: new Set(scopes),
    datasets: Object.fromEntries(
      datasetNames.map((name) => [
        name,
        changesOf(datasets[datasetTables[name].dataset], since.get(name) ?? 0),
      ]),
    ) as ServiceStatus['datasets'],
  };
}

type State = NonNullable<AnalyticsStatus['datasets']>[DatasetTable['dataset']];

/** Returns the parameter: of the tables of a dataset, the one that is furthest behind decides. */
function leastRevisions(since: ReadonlyMap<DatasetName, number>): string {
  const least = new Map<string, number>();
  for (const [name, revision] of since) {
    const { dataset } = datasetTables[name];
    least.set(dataset, Math.min(revision, least.get(dataset) ?? revision));
  }
  return [...least].map(([dataset, revision]) => `${dataset}:${revision}`).join(',');
}

function changesOf({ latest_date, oldest_date, revision, changed }: State, since: number): DatasetChanges {
  return {
    latest: latest_date,
    oldest: oldest_date !== null && oldest_date < earliestDay ? earliestDay : oldest_date,
    revision,
    days:
      changed?.complete === true
        ? new Map(changed.days.map(({ date, revision, cause }) => [date, { revision, cause }]))
        : null,
    asOf: changed?.as_of ?? null,
    isBehind: since > revision,
  };
}

/** The days of a dataset that a place has, as far as a plan needs them. */
export interface KnownDays {
  /** All days from `from` on are current as of this revision; 0 before the first complete run. */
  readonly since: number;
  /** The first day that is asked for; null for the first one of the service. */
  readonly from: Day | null;
  /** Returns the revision of a stored day; undefined if it is not stored. */
  revisionOf(day: Day): number | undefined;
  /** The stored days, for a run that pulls all of them again. */
  readonly stored: readonly Day[];
}

/** A day that has to be pulled. */
export interface PlannedDay {
  readonly date: Day;
  /** Its revision when the plan was made. */
  readonly revision: number;
}

/** The days of a dataset that a run pulls. */
export interface DatasetPlan {
  readonly table: DatasetTable;
  readonly changes: DatasetChanges;
  readonly known: KnownDays;
  /** Ascending. */
  readonly days: readonly PlannedDay[];
  /** True if all days are pulled, whether they changed or not. */
  readonly isFull: boolean;
}

interface PlanningOptions {
  readonly brandport: Brandport;
  readonly tables: readonly DatasetTable[];
  readonly knownOf: (name: DatasetName) => KnownDays;
  /** Returns whether all days of a table are pulled. */
  readonly isFull?: ((name: DatasetName) => boolean) | undefined;
  /** True if running totals are not stored. */
  readonly skipsCorrected: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Reads the status, and plans each dataset. @throws CliError, BrandportError */
export async function planDatasets(options: PlanningOptions): Promise<readonly DatasetPlan[]> {
  const { brandport, tables, isFull = () => false, skipsCorrected, signal } = options;
  const known = new Map(tables.map(({ name }) => [name, options.knownOf(name)]));
  const sinceOf = (name: DatasetName) => (isFull(name) ? 0 : (known.get(name)?.since ?? 0));
  const since = new Map(tables.map(({ name }) => [name, sinceOf(name)]));
  const status = await readStatus(brandport, since, signal);
  assertScopes(status, tables);
  const behind = tables.filter(({ name }) => status.datasets[name].isBehind);
  const all =
    behind.length === 0
      ? status
      : await readStatus(brandport, new Map(behind.map(({ name }) => [name, 0])), signal);
  return tables.map((table): DatasetPlan => {
    const isWhole = isFull(table.name) || behind.includes(table);
    const changes = (behind.includes(table) ? all : status).datasets[table.name];
    const knownDays = known.get(table.name) as KnownDays;
    const days = planDays(knownDays, changes, { full: isWhole, skipsCorrected });
    return { table, changes, known: knownDays, days, isFull: isWhole };
  });
}

function assertScopes({ scopes }: ServiceStatus, tables: readonly DatasetTable[]): void {
  const missing = tables.find(({ scope }) => !scopes.has(scope));
  if (missing !== undefined)
    throw new CliError(
      `The key lacks the scope ${missing.scope}, which ${missing.name} needs.`,
      exitCodes.refused,
    );
}

export interface PlanOptions {
  /** Pulls all days. `changes` are those since revision 0. */
  readonly full?: boolean;
  /** True if running totals are not stored: days whose cause is `corrected` are the same. */
  readonly skipsCorrected?: boolean;
}

/**
 * Plans which days to pull: those that the service lists as changed [D152]. A day that it does not list since revision 0 was
 * never aggregated: there is nothing to replace. If it does not list them all, the plan has every day of the range. Stored days
 * after the last one of the service go: it was restored [D298].
 */
export function planDays(
  known: KnownDays,
  { oldest, latest, revision, days: changed }: DatasetChanges,
  { full = false, skipsCorrected = false }: PlanOptions = {},
): readonly PlannedDay[] {
  const isLater = (date: Day) => latest === null || date > latest;
  // Revision 0: an earlier run has emptied it.
  const later = known.stored.filter((date) => isLater(date) && known.revisionOf(date) !== 0);
  const removed = later.map((date): PlannedDay => ({ date, revision: 0 })).sort(byDate);
  if (latest === null) return removed;
  if (changed === null)
    return [
      ...daysBetween(known.from ?? oldest ?? latest, latest).map((date) => ({ date, revision })),
      ...removed,
    ];
  const isAsked = (date: Day) => date >= (known.from ?? earliestDay);
  const isNeeded = ([date, change]: [Day, ChangedDay]) => {
    const stored = full ? undefined : known.revisionOf(date);
    if (stored === undefined) return true;
    return change.revision > stored && !(skipsCorrected && change.cause === 'corrected');
  };
  const listed = [...changed].filter(([date]) => isAsked(date)).filter(isNeeded);
  // A restored service may not have days that the place has: their rows go.
  const gone = full
    ? known.stored.filter((date) => date <= latest && isAsked(date) && !changed.has(date))
    : [];
  return [
    ...listed.map(([date, change]): PlannedDay => ({ date, revision: change.revision })),
    ...gone.map((date): PlannedDay => ({ date, revision: 0 })),
    ...removed,
  ].sort(byDate);
}

function byDate(a: PlannedDay, b: PlannedDay): number {
  return a.date < b.date ? -1 : 1;
}
