import { Option } from 'commander';
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

const noReport =
  '--json says the revision of each dataset, and up to when opt-outs are included; --verify compares.';

/** Options of earlier versions, and what to use instead. */
const removedOptions: Readonly<Record<string, string>> = {
  '--relocate': 'keep the address of the service, or fill a new place.',
  '--erasure-report <file>': noReport,
  '--sign-key <file>': noReport,
};

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
  for (const flags of Object.keys(removedOptions)) command.addOption(new Option(flags).hideHelp());
};

async function start(
  context: CliContext,
  datasets: string | undefined,
  options: PullOptions,
): Promise<number | undefined> {
  if (options.from !== undefined && !isDay(options.from))
    throw new UsageError(`--from ${options.from} is not a day, such as 2026-03-01.`);
  for (const [flags, advice] of Object.entries(removedOptions))
    if (new Option(flags).attributeName() in options)
      throw new UsageError(`${flags.split(' ')[0]} was removed: ${advice}`);
  if (options.verify !== true) return runPull(context, datasets, options);
  const others = ['from', 'full'] as const;
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
