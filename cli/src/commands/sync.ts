import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { addBrandCheck, type BrandOption } from '../arguments.ts';
import type { CliContext } from '../context/cli-context.ts';
import { exitCodes, UsageError } from '../errors.ts';
import { columnNames, families, type RowKind, rowKinds } from '../input/row-kinds.ts';
import type { Problem } from '../input/row-reader.ts';
import { jsonForTerminal, visibleText } from '../output/visible-text.ts';
import { type ApplyResult, applyPlan, nameOf } from '../sync/apply-plan.ts';
import {
  describeDuration,
  describePlan,
  type FieldChange,
  quantity,
  type SyncPlan,
  secondsAtLimits,
} from '../sync/plan/plan-types.ts';
import { type PlanOptions, planSync } from '../sync/plan/planner.ts';
import type { LeftOut } from '../sync/shops/shop.ts';
import type { Define } from './command.ts';
import { columnParser, parseDelimiter } from './input-files.ts';
import { addShopOptions, readSyncInput, type SyncInputOptions } from './sync-input.ts';

export const defineSync: Define = (command, run) => {
  addShopOptions(addBrandCheck(command, 'the key'))
    .argument(
      '<files...>',
      'CSV or JSONL of products, variants, axes, locations and stock; - is standard input',
    )
    .option('--dry-run', 'show what would be done, and write nothing')
    .option('--delimiter <character>', 'the delimiter of CSV, or tab (default: ,)', parseDelimiter)
    .option('--decimal <character>', 'the character before decimal places in CSV (default: .)', parseDecimal)
    .option(
      '--column <column=name>',
      'a column under another name, such as sku=Handle',
      columnParser(isColumnName),
    )
    .option('--location <code>', 'the location of stock rows that name none, such as those of a shop')
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
        const { runSync } = await import('./sync.ts');
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

export interface SyncOptions
  extends BrandOption,
    SyncInputOptions,
    Pick<PlanOptions, 'createAxes' | 'allStock' | 'archiveMissing' | 'maxArchive'> {
  readonly dryRun?: boolean;
  readonly skipProblems?: boolean;
  readonly source?: string;
  readonly detailedExitcode?: boolean;
}

/** Compares, shows, asks and writes. Returns the exit code. */
export async function runSync(
  context: CliContext,
  paths: readonly string[],
  options: SyncOptions,
): Promise<number> {
  const { dryRun = false, skipProblems = false } = options;
  if (['plan', 'apply'].includes(paths[0] ?? ''))
    throw new UsageError('It is one command now: sync <files...> --dry-run shows what sync <files...> does.');
  if (!dryRun && context.options.yes !== true && context.stdin.isTTY !== true)
    throw new UsageError('Nobody can answer here: add --yes, or --dry-run to write nothing.');
  const brandport = dryRun ? await context.brandport() : await context.writer(options.brand);
  const { wanted, left } = await readSyncInput(context, paths, options);
  const reading = context.progress('Reading products');
  const { url } = context.connection('client');
  const plan = await planSync(wanted, {
    ...options,
    brandport,
    memoryPath: (brandId) => memoryPath(context.stateFolder, url, brandId),
    listsAll: context.output.format === 'json',
    signal: context.signal,
    onProgress: ({ done, of }) => reading.update(done, of),
  }).finally(() => reading.stop());
  const { problems, counts } = plan;
  tellProblems(context, problems.kept, problems.count);
  tellWarnings(context, plan, options.from === undefined);
  if (context.output.format === 'table')
    context.output.write(
      `${describeDifferences(plan)}${describePlan(counts)}\n${describeDuration(counts, plan.limits)}\n`,
    );
  tellNotes(context, plan);
  const leftOut = left.describe();
  if (leftOut !== null) context.tell(`note: ${leftOut}`);
  const mayWrite = problems.count === 0 || skipProblems;
  if (dryRun || !mayWrite || counts.writes === 0) {
    writeJson(context, plan, left, null);
    if (!mayWrite) return exitCodes.input;
    return dryRun && options.detailedExitcode === true && counts.writes > 0
      ? exitCodes.changes
      : exitCodes.done;
  }
  await context.confirm(`Write this with ${counts.writes} requests?`);
  context.resumeWith('Run the same command again: it continues.');
  const writing = context.progress('Writing');
  const result = await applyPlan(plan, {
    brandport,
    source: options.source,
    signal: context.signal,
    onProgress: ({ done, of }) => writing.update(done, of),
  }).finally(() => writing.stop());
  tellProblems(context, result.refused, result.refused.length);
  tellProblems(context, result.failed, result.failed.length);
  if (context.output.format === 'table') context.output.write(`${describeResult(result)}\n`);
  writeJson(context, plan, left, result);
  return result.isComplete ? exitCodes.done : exitCodes.partial;
}

/** Returns the file that remembers the products of a brand of a service. */
function memoryPath(folder: string, url: string, brandId: number): string {
  const service = createHash('sha256').update(url).digest('hex').slice(0, 12);
  return join(folder, `products-${service}-${brandId}.jsonl`);
}

function writeJson({ output }: CliContext, plan: SyncPlan, left: LeftOut, result: ApplyResult | null): void {
  if (output.format === 'table') return;
  const { counts, limits, library, stock, archives, changes, problems, warnings } = plan;
  const all = {
    ...{ counts, limits, summary: describePlan(counts), duration: describeDuration(counts, limits) },
    isEmpty: counts.writes === 0,
    problems: problems.kept,
    ...{ warnings, library, creates: createsOf(plan), changes },
    archives: archives.map(({ sku }) => sku),
    stock: stock.map(({ from, line }) => ({ from, ...line })),
    leftOut: left.list(),
    result,
  };
  output.item(snakeCased(all) as object, { id: () => result?.written ?? 0 });
}

/** A first load that takes longer is worth a separate limit, in minutes. */
const longLoad = 10;

function tellNotes(context: CliContext, { counts, limits, keyId }: SyncPlan): void {
  const notes: [number, string, string][] = [
    [counts.staleLevels, 'stock row', 'older than the stored level and left out.'],
    [counts.missing - counts.archive, 'active product', 'not in the files and left as before.'],
  ];
  for (const [count, what, text] of notes)
    if (count > 0) context.tell(`note: ${quantity(count, what)} ${count === 1 ? 'is' : 'are'} ${text}`);
  if (secondsAtLimits(counts, limits) > longLoad * 60)
    context.tell(
      `note: for a first load, an operator can raise the limit of the key: brandport limits set --key ${keyId} --catalog-writes 6000 --until <time>`,
    );
}

function describeResult({ written, refused, failed, feed }: ApplyResult): string {
  const parts = [
    `${written} written`,
    ...(refused.length > 0 ? [`${refused.length} products refused: they have changed meanwhile`] : []),
    ...(failed.length > 0 ? [`${failed.length} failed`] : []),
    ...(feed === null ? [] : [`feed: ${describeTotals(feed)}`]),
  ];
  return parts.join(', ');
}

function describeTotals({ received = 0, ...results }: Readonly<Record<string, number>>): string {
  const parts = Object.entries(results).map(([result, count]) => `${count} ${result}`);
  return `${received} lines (${parts.join(', ')})`;
}

const shown = 20;
const shownPlaces = 3;

/** Writes problems to standard error: the first ones, and the number of the others. `--json` has all. */
function tellProblems(context: CliContext, problems: readonly Problem[], count: number): void {
  let left = count;
  for (const problem of problems.slice(0, shown)) {
    context.tell(`problem: ${problem.at}: ${problem.message}${repetitions(problem)}`);
    left -= problem.count ?? 1;
  }
  if (left > 0) context.tell(`problem: and ${left} more; --json lists up to 1,000.`);
}

/** Names what is written although it is doubtful, before the list, which may be cut. */
function tellWarnings(context: CliContext, plan: SyncPlan, hasOurColumns: boolean): void {
  const { warnings } = plan;
  for (const { at, message } of warnings.slice(0, shown))
    context.tell(`warning: ${visibleText(at)}: ${visibleText(message)}`);
  if (warnings.length > shown)
    context.tell(`warning: and ${warnings.length - shown} more doubtful SKUs; --json lists all.`);
  const inactive = createsOf(plan).filter(({ isActive }) => !isActive);
  if (inactive.length === 0) return;
  const names = inactive.slice(0, shownPlaces).map(({ sku }) => visibleText(sku));
  const more = inactive.length > shownPlaces ? ', …' : '';
  const hint = hasOurColumns ? ' A column is_active with true creates active ones.' : '';
  context.tell(
    `warning: ${quantity(inactive.length, 'product')} will be created inactive: ${names.join(', ')}${more}.${hint}`,
  );
}

function repetitions({ count, alsoAt = [] }: Problem): string {
  if (count === undefined) return '';
  const places = [...alsoAt.slice(0, shownPlaces), ...(count - 1 > shownPlaces ? ['…'] : [])];
  return ` (${count} times, also at ${places.join(', ')})`;
}

const shownOfKind = 20;
const shownFields = 10;
const shownCharacters = 60;

/** Returns what a plan does by name: the first of each kind, and the number of the others [D275]. */
export function describeDifferences(plan: SyncPlan): string {
  const { library, changes, changed, archives, stock } = plan;
  const lines = [
    ...first(library, library.length, (step) => [`# ${visibleText(nameOf(step))}`]),
    ...first(createsOf(plan), plan.counts.create, ({ sku, title, variants }) => [
      `+ ${visibleText(sku)}${title === null ? '' : `  ${visibleText(title)}`}${variants === 0 ? '' : `  (${variants} variants)`}`,
    ]),
    ...first(changes, changed, ({ sku, fields }) => [
      `~ ${visibleText(sku)}`,
      ...fields.slice(0, shownFields).map((field) => `    ${describeField(field)}`),
      ...(fields.length > shownFields ? [`    … and ${fields.length - shownFields} more`] : []),
    ]),
    ...first(stock, stock.length, ({ from, line }) => [
      `↑ ${visibleText(`${line.sku} at ${line.location_code}`)}: ${from ?? 'none'} → ${line.quantity}`,
    ]),
    ...first(archives, archives.length, ({ sku }) => [
      `- ${visibleText(sku)}`,
      '    is_active: true → false',
    ]),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

/** Returns the products that a plan creates, with the number of their variants. */
export function createsOf({ products }: SyncPlan) {
  return products.flatMap(({ sku, steps }) => {
    const [step] = steps;
    if (step?.do !== 'create') return [];
    const [translated] = Object.values(step.body.versions ?? {});
    const variants = steps.reduce(
      (count, one) => count + (one.do === 'generate' ? one.creates : one.do === 'create_variant' ? 1 : 0),
      0,
    );
    const { title, is_active: isActive = false } = step.body;
    return [{ sku, title: title ?? translated?.title ?? null, variants, isActive }];
  });
}

function first<T>(items: readonly T[], count: number, linesOf: (item: T) => readonly string[]): string[] {
  const left = count - Math.min(items.length, shownOfKind);
  return [
    ...items.slice(0, shownOfKind).flatMap(linesOf),
    ...(left > 0 ? [`… and ${left} more; --json lists all`] : []),
  ];
}

function describeField({ variant, field, from, to }: FieldChange): string {
  const [before, after] = [from, to].map((value) => [...jsonForTerminal(value)]) as [string[], string[]];
  const differs = before.findIndex((letter, at) => letter !== after[at]);
  const same = differs === -1 ? before.length : differs;
  // Of long values, the place where they differ is shown.
  const start = same < shownCharacters / 2 ? 0 : same - shownCharacters / 4;
  const part = (letters: string[]) =>
    [
      start > 0 ? '…' : '',
      ...letters.slice(start, start + shownCharacters),
      letters.length > start + shownCharacters ? '…' : '',
    ].join('');
  const name = variant === undefined ? field : `${visibleText(variant)} ${field}`;
  return `${visibleText(name)}: ${part(before)} → ${part(after)}`;
}

/** Returns a value whose objects have the names of the API: `generatedVariants` becomes `generated_variants`. */
export function snakeCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeCased);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      snakeCased(part),
    ]),
  );
}
