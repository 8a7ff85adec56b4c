import { InvalidArgumentError } from 'commander';
import type { CliContext } from '../../context/cli-context.ts';
import { exitCodes } from '../../errors/cli-error.ts';
import type { PlanOptions, PlanResult } from '../../sync/plan/plan-options.ts';
import { rowKinds } from '../../sync/wanted/row-kinds.ts';
import type { Define } from '../command.ts';
import { inputFiles } from '../input-files.ts';
import { describeChanges, snakeCased, tellProblems } from './describe-changes.ts';

interface Options
  extends Pick<
    PlanOptions,
    'out' | 'source' | 'location' | 'createAxes' | 'allStock' | 'archiveMissing' | 'maxArchive' | 'cache'
  > {
  readonly delimiter?: string;
  readonly ignore?: string[];
  readonly writesPerMinute?: number;
  readonly detailedExitcode?: boolean;
}

export const definePlan: Define = (command, run) => {
  command
    .argument(
      '<files...>',
      'CSV or JSONL of products, variants, axes, locations and stock; - is standard input',
    )
    .option('-o, --out <file>', 'write the plan, for sync apply')
    .option('--delimiter <character>', 'the delimiter of CSV (default: ,)')
    .option('--location <code>', 'the location of stock rows that name none')
    .option('--ignore <column...>', 'columns to leave alone')
    .option('--create-axes', 'create axes and values that only products name')
    .option('--all-stock', 'send stock that is stored already as well, which renews its time')
    .option('--archive-missing', 'archive active products that are not in the files')
    .option(
      '--max-archive <share>',
      'the largest share of active products to archive (default: 5%)',
      parseShare,
    )
    .option('--source <name>', 'the source of the stock feed (default: brandport-sync)')
    .option('--cache <file>', 'keep the variants of products for the next plan')
    .option(
      '--writes-per-minute <number>',
      'the limit of the key, for the estimated time (default: 60)',
      Number,
    )
    .option('--detailed-exitcode', 'exit with 6 if there are changes')
    .addHelpText('after', columnsHelp())
    .addHelpText('after', '\nExits with 3 if rows have problems; the plan then leaves them out.')
    .action((files: string[], options: Options) => run((context) => plan(context, files, options)));
};

async function plan(context: CliContext, paths: readonly string[], options: Options): Promise<number> {
  const { planSync } = await import('../../sync/plan/plan-sync.ts');
  const { delimiter, detailedExitcode, ...more } = options;
  const bar = context.progress('Reading products');
  const result = await planSync({
    ...more,
    brandport: await context.brandport(),
    files: inputFiles(context, paths, delimiter),
    signal: context.signal,
    onProgress: ({ read, of }) => bar.update(read, of),
  }).finally(() => bar.stop());
  tellProblems(context, result.problems, result.counts.problems);
  write(context, result);
  if (result.counts.problems > 0) return exitCodes.input;
  return detailedExitcode === true && !result.isEmpty ? exitCodes.changes : exitCodes.done;
}

function write(context: CliContext, result: PlanResult): void {
  const { summary, duration, counts } = result;
  if (context.output.format === 'table')
    context.output.write(`${describeChanges(result)}${summary}\n${duration}\n`);
  else context.output.item(snakeCased(result) as object, { id: () => result.out ?? '-' });
  const notes: [number, string][] = [
    [counts.staleLevels, 'stock rows are older than the stored level and are left out.'],
    [counts.missing - counts.archive, 'active products are not in the files and stay as they are.'],
  ];
  for (const [count, text] of notes) if (count > 0) context.tell(`note: ${count} ${text}`);
}

/** Parses `5%` or `0.05`. */
export function parseShare(text: string): number {
  const [, number, percent] = /^(\d+(?:\.\d+)?)\s*(%?)$/.exec(text) ?? [];
  const share = Number(number) / (percent === '%' ? 100 : 1);
  if (!(share >= 0 && share <= 1)) throw new InvalidArgumentError('It is not a share such as 5% or 0.05.');
  return share;
}

/** Returns the names of all columns. */
function columnsHelp(): string {
  const lines = Object.values(rowKinds)
    .toReversed()
    .map(({ rows, columns: named }) => `  ${rows.padEnd(9)}  ${Object.keys(named).join(', ')}\n`);
  return `\nColumns, which brandport sync columns describes:\n${lines.join('')}`;
}
