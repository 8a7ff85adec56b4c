import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { addBrandCheck, type BrandOption } from '../arguments.ts';
import type { CliContext } from '../context/cli-context.ts';
import { exitCodes, UsageError } from '../errors.ts';
import { rowKinds } from '../input/row-kinds.ts';
import type { Problem } from '../input/row-reader.ts';
import { number, quantity } from '../output/quantity.ts';
import { jsonForTerminal, visibleText } from '../output/visible-text.ts';
import {
  type ApplyOptions,
  type ApplyResult,
  applyPlan,
  nameOf,
  type WriteCounts,
} from '../sync/apply-plan.ts';
import {
  describeDuration,
  describePlan,
  type FieldChange,
  type SyncPlan,
  secondsAtLimits,
  secondsFor,
} from '../sync/plan/plan-types.ts';
import { type PlanOptions, planSync } from '../sync/plan/planner.ts';
import type { LeftOut } from '../sync/shops/shop.ts';
import type { Define } from './command.ts';
import { addInputOptions, readSyncInput, type SyncInputOptions } from './sync-input.ts';
import { withMap } from './sync-map.ts';

export const defineSync: Define = (command, run) => {
  addInputOptions(addBrandCheck(command, 'the key'))
    .argument(
      '<files...>',
      'CSV or JSONL of products, variants, axes, locations and stock; - is standard input',
    )
    .option('--dry-run', 'show what would be done, and write nothing')
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
Exits with 3 if rows have problems: nothing is written; with 5 if a part was refused, or left out by --skip-problems.
An outage of up to ten minutes is waited for. A longer one ends it with 5 as well: the same command does the rest.`,
    )
    .action((files: string[], options: SyncOptions) =>
      run(async (context: CliContext) => {
        const { runSync } = await import('./sync.ts');
        return runSync(context, files, options);
      }),
    );
  command
    .command('columns')
    .argument('[files...]', 'files, whose columns are listed with what they are read as')
    .description('list the columns that sync reads, or those of files')
    .option('--save <map>', 'write the options as a map for --map; unknown columns are left alone')
    .action((files: string[], _: unknown, own: Command) =>
      run(async (context) => {
        const options: ColumnsOptions = own.optsWithGlobals();
        if (files.length === 0 && options.save === undefined) return listColumns(context);
        return (await import('./sync-map.ts')).listFileColumns(context, files, options);
      }),
    );
};

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
    columns: { rows: 'rows', column: 'column', value: 'value' },
  });
}

interface ColumnsOptions extends SyncInputOptions {
  readonly map?: string;
  readonly save?: string;
}

export interface SyncOptions
  extends BrandOption,
    SyncInputOptions,
    Pick<PlanOptions, 'createAxes' | 'allStock' | 'archiveMissing' | 'maxArchive'> {
  readonly map?: string;
  readonly dryRun?: boolean;
  readonly skipProblems?: boolean;
  readonly source?: string;
  readonly detailedExitcode?: boolean;
}

/** Compares, shows, asks and writes. Returns the exit code. */
export async function runSync(
  context: CliContext,
  paths: readonly string[],
  given: SyncOptions,
): Promise<number> {
  const options = withMap(given);
  const { dryRun = false, skipProblems = false } = options;
  if (['plan', 'apply'].includes(paths[0] ?? ''))
    throw new UsageError('It is one command now: sync <files...> --dry-run shows what sync <files...> does.');
  if (!dryRun && context.options.yes !== true && context.stdin.isTTY !== true)
    throw new UsageError('Nobody can answer here: add --yes, or --dry-run to write nothing.');
  const patience = { isPatient: true };
  const brandport = dryRun
    ? await context.brandport(patience)
    : await context.writer(options.brand, patience);
  const { wanted, left, note } = await readSyncInput(context, paths, options);
  const reading = context.progress('Reading products');
  const { url } = context.connection('client');
  const plan = await planSync(wanted, {
    ...options,
    brandport,
    memoryPath: (brandId) => memoryPath(context.stateFolder, url, brandId),
    listsAll: context.output.format === 'json',
    signal: context.signal,
    onProgress: ({ done, of, secondsLeft }) => reading.update(done, of, secondsLeft),
  }).finally(() => reading.stop());
  const { problems, counts } = plan;
  tellProblems(context, problems.kept, problems.count);
  tellWarnings(context, plan, options.from === undefined);
  if (context.output.format === 'table')
    context.output.write(
      `${describeDifferences(plan)}${describePlan(counts)}\n${describeDuration(counts, plan.limits)}\n`,
    );
  tellNotes(context, plan);
  if (note !== null) context.tell(`note: ${note}`);
  const mayWrite = problems.count === 0 || skipProblems;
  const leftOutRows = mayWrite && problems.count > 0;
  if (dryRun || !mayWrite || counts.writes === 0) {
    writeJson(context, plan, left, null);
    if (!mayWrite) return exitCodes.input;
    if (dryRun && options.detailedExitcode === true && counts.writes > 0) return exitCodes.changes;
    return leftOutRows ? exitCodes.partial : exitCodes.done;
  }
  await context.confirm(`Write this with ${counts.writes} requests?`);
  const result = await write(context, plan, { brandport, source: options.source });
  tellProblems(context, result.refused, result.refused.length);
  tellProblems(context, result.failed, result.failed.length);
  writeJson(context, plan, left, result);
  if (result.stopped !== null) throw result.stopped;
  if (context.output.format === 'table') context.output.write(`${describeResult(result)}\n`);
  return result.isComplete && !leftOutRows ? exitCodes.done : exitCodes.partial;
}

/** Carries out a plan, and says how far it came, also if it ends early. */
async function write(
  context: CliContext,
  plan: SyncPlan,
  options: Pick<ApplyOptions, 'brandport' | 'source'>,
): Promise<ApplyResult> {
  const progress = context.progress('Writing');
  const { counts: planned, limits } = plan;
  const update = ({ written, repeated }: WriteCounts) => {
    const left = planned.writes - written - repeated;
    const reads = (planned.reads * left) / planned.writes;
    progress.update(written + repeated, planned.writes, secondsFor({ writes: left, reads }, limits));
    context.resumeWith(`${number.format(written)} written, ${number.format(left)} left; run it again.`);
  };
  update({ written: 0, repeated: 0 });
  const { signal } = context;
  return applyPlan(plan, { ...options, signal, onProgress: update }).finally(() => progress.stop());
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
    result: result === null ? null : jsonResult(result, counts.writes),
  };
  output.item(snakeCased(all) as object, { id: () => result?.written ?? 0 });
}

function jsonResult({ stopped: _, ...result }: ApplyResult, writes: number) {
  return { ...result, left: writes - result.written - result.repeated };
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
      `note: for a first load, an operator can raise the limit of the key: brandport limits set --key ${keyId} --catalog-writes 600 --until <time>`,
    );
}

function describeResult({ written, repeated, refused, failed, feed }: ApplyResult): string {
  const parts = [
    `${written} written`,
    ...(repeated > 0 ? [`${repeated} already written`] : []),
    ...(refused.length > 0 ? [`${quantity(refused.length, 'product')} refused: changed meanwhile`] : []),
    ...(failed.length > 0 ? [`${failed.length} failed`] : []),
    ...(feed === null ? [] : [`feed: ${describeTotals(feed)}`]),
  ];
  return parts.join(', ');
}

function describeTotals({ received = 0, ...results }: Readonly<Record<string, number>>): string {
  const parts = Object.entries(results).map(([result, count]) => `${count} ${result}`);
  return `${quantity(received, 'line')} (${parts.join(', ')})`;
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
  // Long values are shown where they differ.
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
