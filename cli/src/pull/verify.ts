import type { DatasetTable } from '../columns/dataset-table.ts';
import { readStatus, type ServiceStatus } from './dataset-changes.ts';
import { emptyDigest } from './day-spill.ts';
import { daysBetween } from './days.ts';
import { knownDaysOf } from './plan-datasets.ts';
import type { PlannedDay } from './plan-days.ts';
import { tablesOf } from './pull.ts';
import { readDays } from './read-days.ts';
import type { WarehouseProblem, WarehouseRun } from './target.ts';

export interface VerifyOptions extends WarehouseRun {
  readonly onDays?: ((days: number, rows: number) => void) | undefined;
}

/**
 * Compares a warehouse with its state and with the rows that the service returns, day by day. Reads all rows, and changes
 * nothing. The labels of contents are not compared. @throws CliError, BrandportError
 */
export async function verify(options: VerifyOptions): Promise<WarehouseProblem[]> {
  const { brandport, target, signal } = options;
  const tables = tablesOf(options.datasets, target.state.cumulative);
  const status = await readStatus(brandport, new Map(), signal);
  const problems: WarehouseProblem[] = [];
  for await (const problem of target.inspect(tables)) problems.push(problem);
  for (const table of tables) problems.push(...(await compareRows(options, table, status)));
  return problems;
}

async function compareRows(
  options: VerifyOptions,
  table: DatasetTable,
  status: ServiceStatus,
): Promise<WarehouseProblem[]> {
  const { brandport, target, signal, onDays } = options;
  const { oldest, latest } = status.datasets[table.name];
  const stored = target.state.datasets[table.name]?.days ?? {};
  const from = knownDaysOf(target, table.name, undefined).from ?? oldest ?? latest;
  const served = from === null || latest === null ? [] : daysBetween(from, latest);
  const problems: WarehouseProblem[] = [];
  const days = served.map((date): PlannedDay => ({ date, revision: null }));
  await readDays(
    { brandport, table, cumulative: target.state.cumulative, signal, folder: null },
    days,
    async (read) => {
      for (const { date, digest } of read) {
        const what = `${table.name} ${date}`;
        if (stored[date] === undefined) problems.push({ kind: 'missing', what });
        else if (stored[date].digest !== digest) problems.push({ kind: 'differs', what });
      }
      onDays?.(
        read.length,
        read.reduce((sum, { rows }) => sum + rows, 0),
      );
    },
  );
  const isServed = new Set(served);
  for (const [date, { digest }] of Object.entries(stored))
    if (!isServed.has(date) && digest !== emptyDigest)
      problems.push({ kind: 'superfluous', what: `${table.name} ${date}` });
  return problems.sort((a, b) => (a.what < b.what ? -1 : 1));
}
