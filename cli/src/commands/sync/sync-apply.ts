import { addBrandCheck, type BrandOption } from '../../arguments/brand-option.ts';
import type { CliContext } from '../../context/cli-context.ts';
import { exitCodes } from '../../errors/cli-error.ts';
import type { ApplyOptions, ApplyResult } from '../../sync/apply/apply-options.ts';
import type { Define } from '../command.ts';
import { snakeCased, tellProblems } from './describe-changes.ts';
import { parseShare } from './sync-plan.ts';

type Options = BrandOption &
  Pick<ApplyOptions, 'journal' | 'force' | 'skipProblems' | 'archiveMissing' | 'maxArchive'>;

export const defineApply: Define = (command, run) => {
  addBrandCheck(command, 'the key')
    .argument('<plan>', 'a file of sync plan --out')
    .option('--journal <file>', 'what is done (default: the name of the plan with .journal)')
    .option('--force <sku...>', 'write these products although they have changed since the plan')
    .option('--skip-problems', 'apply a plan whose files had problems: what they concern is not in it')
    .option('--archive-missing', 'archive the products that the plan archives')
    .option(
      '--max-archive <share>',
      'the largest share of active products to archive (default: 5%)',
      parseShare,
    )
    .addHelpText(
      'after',
      '\nAsks nothing. Exits with 5 if a part was refused: correct the cause, plan and apply again.',
    )
    .action((path: string, options: Options) => run((context) => apply(context, path, options)));
};

async function apply(context: CliContext, path: string, options: Options): Promise<number> {
  const { applyPlan } = await import('../../sync/apply/apply-plan.ts');
  context.resumeWith('Run the same command again: it continues.');
  const bar = context.progress('Applying');
  const result = await applyPlan({
    ...options,
    brandport: await context.writer(options.brand),
    plan: path,
    signal: context.signal,
    onProgress: ({ done, of }) => bar.update(done, of),
  }).finally(() => bar.stop());
  tellProblems(context, result.refused, result.refused.length);
  tellProblems(context, result.failed, result.failed.length);
  if (result.archivesLeftOut > 0)
    context.tell(`note: ${result.archivesLeftOut} products are not archived without --archive-missing.`);
  write(context, result);
  return result.isComplete ? exitCodes.done : exitCodes.partial;
}

function write(context: CliContext, result: ApplyResult): void {
  if (context.output.format !== 'table') {
    context.output.item(snakeCased(result) as object, { id: () => result.written });
    return;
  }
  const { written, skipped, refused, failed, feed } = result;
  const parts = [
    `${written} written`,
    ...(skipped > 0 ? [`${skipped} done before`] : []),
    ...(refused.length > 0 ? [`${refused.length} products refused: they have changed since the plan`] : []),
    ...(failed.length > 0 ? [`${failed.length} failed`] : []),
    ...(feed === null ? [] : [`feed: ${describeTotals(feed)}`]),
  ];
  context.output.write(`${parts.join(', ')}\n`);
}

function describeTotals({ received = 0, ...results }: Readonly<Record<string, number>>): string {
  const parts = Object.entries(results).map(([result, count]) => `${count} ${result}`);
  return `${received} lines (${parts.join(', ')})`;
}
