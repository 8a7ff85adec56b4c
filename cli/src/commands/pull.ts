import type { Brandport } from '@brandport/client';
import { type DatasetName, datasetNames, datasetTables } from '../columns/datasets.ts';
import type { CliContext } from '../context/cli-context.ts';
import { exitCodes, UsageError } from '../errors.ts';
import { quantity } from '../output/quantity.ts';
import { findPlace, openPlace } from '../pull/place.ts';
import { type DatasetPlan, isDay, type ServiceStatus } from '../pull/plan.ts';
import { type PullEvent, pull, readIdentity, verify } from '../pull/pull.ts';
import { stateVersion, type WarehouseTarget } from '../pull/state.ts';
import type { Define } from './command.ts';

/** The options that name a warehouse. */
interface WarehouseOptions {
  readonly out: string;
  readonly format?: string;
  readonly withoutCumulative?: boolean;
}

interface OpenWarehouse {
  readonly brandport: Brandport;
  readonly target: WarehouseTarget;
  readonly datasets: readonly DatasetName[];
}

interface PullOptions extends WarehouseOptions {
  readonly from?: string;
  readonly full?: boolean;
  readonly verify?: boolean;
}

const notes = `
Datasets: ${datasetNames.join(', ')}; separated by commas. Default: all that the key can read.

Each day is replaced as a whole when the service says that it changed. A run that was interrupted is continued by the
next one; the result is the same. Read the files of a run that has ended: while it runs, a day can be there twice.

Exit codes: 3 with --verify: differences; 5: partly done, run again.`;

export const definePull: Define = (command, run) => {
  command
    .argument('[datasets]', 'the datasets to pull')
    .requiredOption('--out <place>', 'a directory or postgresql://USER@HOST/DATABASE')
    .option('--format <format>', 'parquet (default) or csv; an existing directory keeps its format')
    .option('--from <day>', 'the first day of a first load; default: the first day of the service')
    .option('--full', 'pull all days again, as after a restored backup')
    .option('--without-cumulative', 'leave out running totals: fewer days change')
    .option('--verify', 'compare the place with the service instead of pulling')
    .addHelpText('after', notes)
    .action((datasets: string | undefined, options: PullOptions) =>
      run((context) => start(context, datasets, options)),
    );
};

async function start(
  context: CliContext,
  datasets: string | undefined,
  options: PullOptions,
): Promise<number | undefined> {
  if (options.from !== undefined && !isDay(options.from))
    throw new UsageError(`--from ${options.from} is not a day, such as 2026-03-01.`);
  if (options.verify !== true) return runPull(context, datasets, options);
  const others = ['from', 'full'] as const;
  const other = others.find((name) => options[name] !== undefined);
  if (other !== undefined)
    throw new UsageError('--verify changes nothing: use it with --out and --format alone.');
  return runVerify(context, datasets, options);
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

/** Runs `brandport pull`. @throws UsageError, BrandportError */
async function runPull(
  context: CliContext,
  list: string | undefined,
  options: PullOptions,
): Promise<number | undefined> {
  const warehouse = await openWarehouse(context, list, options);
  context.resumeWith('What was pulled is stored. Run the same command again: it continues.');
  const summaries = new Map<DatasetName, DatasetSummary>();
  const bar = context.progress('Pulling days');
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
  } finally {
    await warehouse.target.close();
  }
  await context.output.list([...summaries.values()], {
    columns: { DATASET: 'dataset', DAYS: 'days', ROWS: 'rows', 'UP TO': 'latest_date', REVISION: 'revision' },
    id: ({ dataset }) => dataset,
  });
  const rows = [...summaries.values()].reduce((sum, summary) => sum + summary.rows, 0);
  context.tell(`${quantity(rows, 'row')} of ${quantity(days.pulled, 'day')} written.`);
  return exitCodes.done;
}

function newSummary(
  dataset: DatasetName,
  { latest, revision, asOf }: DatasetPlan['changes'],
): DatasetSummary {
  return { dataset, days: 0, rows: 0, latest_date: latest, revision, complete_as_of: asOf };
}

/** Lists the differences, and returns 3 if there are any. @throws CliError, BrandportError */
async function runVerify(
  context: CliContext,
  list: string | undefined,
  options: WarehouseOptions,
): Promise<number> {
  const warehouse = await openWarehouse(context, list, options);
  let [days, rows] = [0, 0];
  try {
    const onDays = (more: number, moreRows: number) => {
      days += more;
      rows += moreRows;
    };
    const problems = await verify({ ...warehouse, signal: context.signal, onDays });
    // A table without rows is not worth its head.
    if (problems.length > 0 || context.output.format !== 'table')
      await context.output.list(problems, {
        columns: { PROBLEM: 'kind', 'DAY OR FILE': 'what' },
        id: ({ what }) => what,
      });
    const found = problems.length === 0 ? 'no differences' : quantity(problems.length, 'difference');
    context.tell(`${quantity(days, 'day')} with ${quantity(rows, 'row')} compared: ${found}.`);
    return problems.length === 0 ? exitCodes.done : exitCodes.input;
  } finally {
    await warehouse.target.close();
  }
}

/** Opens the warehouse of a command. The caller closes it. @throws UsageError, WarehouseRefused, BrandportError */
async function openWarehouse(
  context: CliContext,
  list: string | undefined,
  options: WarehouseOptions & { readonly verify?: boolean },
): Promise<OpenWarehouse> {
  const place = await findPlace(options.out, options.format);
  const named = parseDatasets(list);
  const service = context.connection('client').url.replace(/\/+$/, '');
  const brandport = await context.brandport({ isPatient: true });
  const status = await readIdentity(brandport, context.signal);
  const identity = {
    version: stateVersion,
    service,
    brand_id: status.brandId,
    cumulative: options.withoutCumulative !== true,
  };
  const datasets = named ?? readableDatasets(status);
  return { brandport, datasets, target: await openPlace(place, identity, { isFilled: options.verify }) };
}

/** Parses a list of datasets; null without one. @throws UsageError */
function parseDatasets(list: string | undefined): DatasetName[] | null {
  if (list === undefined) return null;
  return list.split(',').map((text) => {
    const name = datasetNames.find((known) => known === text.trim());
    if (name === undefined)
      throw new UsageError(`There is no dataset "${text}": ${datasetNames.join(', ')}.`);
    return name;
  });
}

/** Returns the datasets that a key can read. @throws UsageError if there is none */
export function readableDatasets({ scopes }: ServiceStatus): DatasetName[] {
  const names = datasetNames.filter((name) => scopes.has(datasetTables[name].scope));
  if (names.length === 0) throw new UsageError('The key can read no dataset: it has no scope of analytics.');
  return names;
}
