import type { CliContext } from '../../context/cli-context.ts';
import { exitCodes, UsageError } from '../../errors/cli-error.ts';
import { isDay } from '../../pull/days.ts';
import { verify } from '../../pull/verify.ts';
import type { Define } from '../command.ts';
import { openWarehouse, type WarehouseOptions } from './open-warehouse.ts';
import { type PullOptions, runPull } from './run-pull.ts';

const notes = `
Datasets: daily, daily_by_market, contents, users, content_engagement; separated by commas. Default: all that the key can read.

Each day is replaced as a whole when the service says that it changed. A run that was interrupted is continued by the
next one; the result is the same. Read the files of a run that has ended: while it runs, a day can be there twice.

Exit codes: 3 with --verify: differences; 5: partly done, run again.`;

export const definePull: Define = (command, run) => {
  command
    .argument('[datasets]', 'the datasets to pull')
    .requiredOption('--out <place>', 'a directory, duckdb:FILE or postgresql://USER@HOST/DATABASE')
    .option(
      '--format <format>',
      'parquet (default), csv, jsonl or duckdb; an existing place keeps its format',
    )
    .option('--from <day>', 'the first day of a first load; default: the first day of the service')
    .option('--full', 'pull all days again, as after a restored backup')
    .option('--without-cumulative', 'leave out running totals: fewer days change')
    .option('--relocate', 'continue a place although the service has another address')
    .option('--erasure-report <file>', 'write which days were replaced, and why')
    .option('--sign-key <file>', 'sign the report with an Ed25519 private key (PEM)')
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
  if (options.signKey !== undefined && options.erasureReport === undefined)
    throw new UsageError('--sign-key signs a report: name it with --erasure-report.');
  if (options.verify !== true) return runPull(context, datasets, options);
  const others = ['from', 'full', 'erasureReport'] as const;
  const other = others.find((name) => options[name] !== undefined);
  if (other !== undefined)
    throw new UsageError('--verify changes nothing: use it with --out and --format alone.');
  return runVerify(context, datasets, options);
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
    await context.output.list(problems, {
      columns: [
        { head: 'PROBLEM', value: ({ kind }) => kind },
        { head: 'DAY OR FILE', value: ({ what }) => what },
      ],
      id: ({ what }) => what,
    });
    const found = problems.length === 0 ? 'no differences' : `${problems.length} differences`;
    context.tell(`${days} days with ${rows} rows compared: ${found}.`);
    return problems.length === 0 ? exitCodes.done : exitCodes.input;
  } finally {
    await warehouse.target.close();
  }
}
