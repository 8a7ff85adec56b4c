import type { DatasetName } from '../../columns/dataset-table.ts';
import type { CliContext } from '../../context/cli-context.ts';
import { CliError, exitCodes } from '../../errors/cli-error.ts';
import type { DatasetPlan } from '../../pull/plan-datasets.ts';
import { type PullEvent, pull } from '../../pull/pull.ts';
import { openWarehouse, type WarehouseOptions } from './open-warehouse.ts';

export interface PullOptions extends WarehouseOptions {
  readonly from?: string;
  readonly full?: boolean;
  readonly verify?: boolean;
}

/** The part of a run that concerns a dataset. */
interface DatasetSummary {
  readonly dataset: DatasetName;
  days: number;
  rows: number;
  readonly latest_date: string | null;
  readonly revision: number | null;
  readonly complete_as_of: string | null;
}

/** Runs `brandport pull`. @throws CliError, BrandportError */
export async function runPull(
  context: CliContext,
  list: string | undefined,
  options: PullOptions,
): Promise<number | undefined> {
  const warehouse = await openWarehouse(context, list, options);
  context.resumeWith('What was pulled is stored. Run the same command again: it continues.');
  const summaries = new Map<DatasetName, DatasetSummary>();
  const bar = context.progress('days');
  const days = { pulled: 0, planned: 0 };
  const onPlanned = (plans: readonly DatasetPlan[]) => {
    for (const { table, changes } of plans) summaries.set(table.name, newSummary(table.name, changes));
    days.planned = plans.reduce((sum, plan) => sum + plan.days.length, 0);
    bar.update(0, days.planned);
  };
  const onEvent = (event: PullEvent) => {
    if (event.kind === 'replaced') {
      const summary = summaries.get(event.dataset);
      if (summary !== undefined) {
        summary.days += event.days;
        summary.rows += event.rows;
      }
      days.pulled += event.days;
      bar.update(days.pulled, days.planned);
    } else if (event.kind === 'widened')
      context.tell(
        `${event.dataset}: the stored days lack ${event.columns.join(', ')}; pulling all days again.`,
      );
    else if (event.kind === 'repeated')
      context.tell(
        `${event.dataset}: days from ${event.from} to ${event.to} changed while they were read; reading them again.`,
      );
  };
  try {
    await pull({
      ...warehouse,
      from: options.from,
      full: options.full,
      signal: context.signal,
      onPlanned,
      onEvent,
    });
  } catch (error) {
    if (context.signal.aborted || summaries.size === 0 || !isRetryable(error)) throw error;
    throw new CliError(
      `${(error as Error).message}\nPartly done. Run the same command again: it continues.`,
      exitCodes.partial,
    );
  } finally {
    await warehouse.target.close();
  }
  await context.output.list([...summaries.values()], {
    columns: [
      { head: 'DATASET', value: ({ dataset }) => dataset },
      { head: 'DAYS', value: ({ days }) => days },
      { head: 'ROWS', value: ({ rows }) => rows },
      { head: 'UP TO', value: ({ latest_date }) => latest_date },
      { head: 'REVISION', value: ({ revision }) => revision },
    ],
    id: ({ dataset }) => dataset,
  });
  return exitCodes.done;
}

function newSummary(
  dataset: DatasetName,
  { latest, revision, asOf }: DatasetPlan['changes'],
): DatasetSummary {
  return { dataset, days: 0, rows: 0, latest_date: latest, revision, complete_as_of: asOf };
}

/** Returns whether the same command can do the rest. The SDK has already retried. */
function isRetryable(error: unknown): boolean {
  return (error as { retryable?: unknown }).retryable === true;
}
