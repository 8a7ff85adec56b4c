import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { BrandOption } from '../../arguments/brand-option.ts';
import type { CliContext } from '../../context/cli-context.ts';
import { exitCodes, UsageError } from '../../errors/cli-error.ts';
import type { Problem } from '../../input/problems.ts';
import { type ApplyResult, applyPlan } from '../../sync/apply/apply-plan.ts';
import { describeDuration, describePlan, secondsAtLimits } from '../../sync/plan/plan-summary.ts';
import type { SyncPlan } from '../../sync/plan/plan-types.ts';
import { type PlanOptions, planSync } from '../../sync/plan/planner.ts';
import { WantedCatalog } from '../../sync/wanted/wanted-catalog.ts';
import { inputFiles } from '../input-files.ts';
import { createsOf, describeDifferences, snakeCased } from './describe-plan.ts';

export interface SyncOptions
  extends BrandOption,
    Pick<PlanOptions, 'createAxes' | 'allStock' | 'archiveMissing' | 'maxArchive'> {
  readonly dryRun?: boolean;
  readonly delimiter?: string;
  readonly decimal?: '.' | ',';
  readonly column?: Record<string, string>;
  readonly location?: string;
  readonly ignore?: string[];
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
  const { column: columns, decimal, location } = options;
  const ignore = new Set(options.ignore);
  const files = inputFiles(context, paths, options.delimiter);
  const wanted = await WantedCatalog.read(
    files.map((file) => ({ ...file, columns, decimal, ignore })),
    { location, ignoresUnknown: ignore.has('*') },
  );
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
  if (context.output.format === 'table')
    context.output.write(
      `${describeDifferences(plan)}${describePlan(counts)}\n${describeDuration(counts, plan.limits)}\n`,
    );
  tellNotes(context, plan);
  const mayWrite = problems.count === 0 || skipProblems;
  if (dryRun || !mayWrite || counts.writes === 0) {
    writeJson(context, plan, null);
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
  writeJson(context, plan, result);
  return result.isComplete ? exitCodes.done : exitCodes.partial;
}

/** Returns the file that remembers the products of a brand of a service. */
function memoryPath(folder: string, url: string, brandId: number): string {
  const service = createHash('sha256').update(url).digest('hex').slice(0, 12);
  return join(folder, `products-${service}-${brandId}.jsonl`);
}

function writeJson({ output }: CliContext, plan: SyncPlan, result: ApplyResult | null): void {
  if (output.format === 'table') return;
  const { counts, limits, library, stock, archives, changes, problems } = plan;
  const all = {
    ...{ counts, limits, summary: describePlan(counts), duration: describeDuration(counts, limits) },
    isEmpty: counts.writes === 0,
    problems: problems.kept,
    ...{ library, creates: createsOf(plan), changes },
    archives: archives.map(({ sku }) => sku),
    stock: stock.map(({ from, line }) => ({ from, ...line })),
    result,
  };
  output.item(snakeCased(all) as object, { id: () => result?.written ?? 0 });
}

/** A first load that takes longer is worth a separate limit, in minutes. */
const longLoad = 10;

function tellNotes(context: CliContext, { counts, limits, keyId }: SyncPlan): void {
  const notes: [number, string][] = [
    [counts.staleLevels, 'stock rows are older than the stored level and are left out.'],
    [counts.missing - counts.archive, 'active products are not in the files and stay as they are.'],
  ];
  for (const [count, text] of notes) if (count > 0) context.tell(`note: ${count} ${text}`);
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

function repetitions({ count, alsoAt = [] }: Problem): string {
  if (count === undefined) return '';
  const places = [...alsoAt.slice(0, shownPlaces), ...(count - 1 > shownPlaces ? ['…'] : [])];
  return ` (${count} times, also at ${places.join(', ')})`;
}
