import { InvalidArgumentError } from 'commander';
import { addBrandCheck } from '../../arguments/brand-option.ts';
import type { CliContext } from '../../context/cli-context.ts';
import { families } from '../../input/column-names.ts';
import { columnNames, type RowKind, rowKinds } from '../../input/row-kinds.ts';
import type { Define } from '../command.ts';
import { columnParser } from '../input-files.ts';
import type { SyncOptions } from './run-sync.ts';

export const defineSync: Define = (command, run) => {
  addBrandCheck(command, 'the key')
    .argument(
      '<files...>',
      'CSV or JSONL of products, variants, axes, locations and stock; - is standard input',
    )
    .option('--dry-run', 'show what would be done, and write nothing')
    .option('--delimiter <character>', 'the delimiter of CSV (default: ,)')
    .option('--decimal <character>', 'the character before decimal places in CSV (default: .)', parseDecimal)
    .option(
      '--column <column=name>',
      'a column under another name, such as sku=Handle',
      columnParser(isColumnName),
    )
    .option('--location <code>', 'the location of stock rows that name none')
    .option('--ignore <column...>', 'columns to leave alone; * is every unknown one')
    .option('--create-axes', 'create axes and values that only products name')
    .option('--all-stock', 'send stock that is stored already as well, which renews its time')
    .option('--skip-problems', 'leave out the rows that have problems, and write the others')
    .option('--archive-missing', 'archive active products that are not in the files')
    .option(
      '--max-archive <share>',
      'the largest share of active products to archive (default: 5%)',
      parseShare,
    )
    .option('--source <name>', 'the source of the stock feed (default: brandport-sync)')
    .option('--detailed-exitcode', 'with --dry-run: exit with 6 if there are changes')
    .addHelpText('after', columnsHelp())
    .addHelpText(
      'after',
      `
Compares the files with the catalog, shows the differences, asks, and writes them. Run again, it continues.
Exits with 3 if rows have problems: nothing is written; with 5 if a part was refused.`,
    )
    .action((files: string[], options: SyncOptions) =>
      run(async (context: CliContext) => {
        const { runSync } = await import('./run-sync.ts');
        return runSync(context, files, options);
      }),
    );
  command
    .command('columns')
    .description('list the columns that sync reads')
    .action(() => run(listColumns));
};

function isColumnName(column: string): boolean {
  const plain = (Object.keys(rowKinds) as RowKind[]).flatMap(columnNames);
  return plain.includes(column) || families.some((family) => column.startsWith(family) && column !== family);
}

function parseDecimal(text: string): '.' | ',' {
  if (text !== '.' && text !== ',') throw new InvalidArgumentError('It is . or a comma.');
  return text;
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

async function listColumns({ output }: CliContext): Promise<undefined> {
  const columns = Object.values(rowKinds)
    .toReversed()
    .flatMap(({ rows, columns: named }) =>
      Object.entries(named).map(([column, value]) => ({ rows, column, value })),
    );
  await output.list(columns, {
    id: ({ column }) => column,
    columns: [
      { head: 'rows', value: ({ rows }) => rows },
      { head: 'column', value: ({ column }) => column },
      { head: 'value', value: ({ value }) => value },
    ],
  });
}
