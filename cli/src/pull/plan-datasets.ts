import type { Brandport } from '@brandport/client';
import type { DatasetName, DatasetTable } from '../columns/dataset-table.ts';
import { CliError, exitCodes, UsageError } from '../errors/cli-error.ts';
import { type DatasetChanges, readStatus, type ServiceStatus } from './dataset-changes.ts';
import type { Day } from './days.ts';
import { type DayPlan, type KnownDays, needsAllChanges, planDays } from './plan-days.ts';
import type { WarehouseTarget } from './target.ts';
import { emptyDataset } from './warehouse-state.ts';

/** The days of a dataset that a run pulls. */
export interface DatasetPlan extends DayPlan {
  readonly table: DatasetTable;
  readonly changes: DatasetChanges;
  readonly known: KnownDays;
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
  const known = new Map(tables.map((table) => [table.name, options.knownOf(table.name)]));
  const sinceOf = (name: DatasetName) => known.get(name)?.since ?? 0;
  const status = await readStatus(brandport, revisions(tables, sinceOf), signal);
  assertScopes(status, tables);
  const incomplete = tables.filter(({ name }) =>
    needsAllChanges(known.get(name) as KnownDays, status.datasets[name], { full: isFull(name) }),
  );
  const all =
    incomplete.length === 0
      ? null
      : await readStatus(
          brandport,
          revisions(incomplete, () => 0),
          signal,
        );
  return tables.map((table): DatasetPlan => {
    const changes = status.datasets[table.name];
    const knownDays = known.get(table.name) as KnownDays;
    if (changes.revision === null && changes.oldest === null && knownDays.from === null)
      throw new UsageError(
        'The service does not say where its data begin. Name the first day to pull: --from YYYY-MM-DD.',
      );
    const listed = incomplete.includes(table) ? (all?.datasets[table.name].days ?? null) : null;
    const plan = planDays(knownDays, changes, listed, { full: isFull(table.name), skipsCorrected });
    return { ...plan, table, changes, known: knownDays };
  });
}

/** Returns what the state says of a dataset. An earlier `from` than the stored one extends it. */
export function knownDaysOf(
  { state }: Pick<WarehouseTarget, 'state'>,
  name: DatasetName,
  from: Day | undefined,
): KnownDays {
  const stored = state.datasets[name];
  const { revision, days, swept, from: storedFrom } = stored ?? emptyDataset;
  const firsts = [storedFrom, from].filter((day) => day !== null && day !== undefined).sort();
  return {
    since: revision ?? 0,
    swept,
    // A dataset that is stored from its beginning stays so.
    from: stored !== undefined && storedFrom === null ? null : (firsts[0] ?? null),
    revisionOf: (day) => days[day]?.revision,
  };
}

function revisions(tables: readonly DatasetTable[], of: (name: DatasetName) => number) {
  return new Map(tables.map(({ name }) => [name, of(name)]));
}

function assertScopes({ scopes }: ServiceStatus, tables: readonly DatasetTable[]): void {
  const missing = tables.find(({ scope }) => !scopes.has(scope));
  if (missing !== undefined)
    throw new CliError(
      `The key lacks the scope ${missing.scope}, which ${missing.name} needs.`,
      exitCodes.refused,
    );
}
