import { type BrandportAdmin, isBrandportError } from '@brandport/client/admin';
import { addBrandOption, type BrandOption } from '../../arguments/brand-option.ts';
import type { CliContext } from '../../context/cli-context.ts';
import type { Define } from '../command.ts';
import { readLearners } from './read-learners.ts';

export const defineLearners: Define = (group, run) => {
  for (const [name, isOut, description] of [
    ['opt-out', true, 'exclude learners from all analytics, also from past days'],
    ['opt-in', false, 'include learners in the analytics again'],
  ] as const)
    addBrandOption(group.command(name).argument('[tu_id...]', 'the learners'))
      .description(description)
      .option('--file <path>', 'a tu_id a line; - is standard input')
      .action((ids, options) => run((context) => setOptOut(context, ids, { ...options, isOut })));
  addBrandOption(group.command('erase').argument('[tu_id...]', 'the learners'))
    .description(
      'erase learners from the datasets of learners and from the raw events; this cannot be undone',
    )
    .option('--file <path>', 'a tu_id a line; - is standard input')
    .action((ids, options) => run((context) => eraseLearners(context, ids, options)));
};

interface OptOutOptions extends BrandOption {
  readonly file?: string;
  readonly isOut: boolean;
}

/** The most items of a request. */
const batchSize = 10_000;

/** Excludes learners or includes them again. Setting it twice changes nothing, so that an interrupted run is repeated. */
async function setOptOut(
  context: CliContext,
  ids: readonly string[],
  { brand, file, isOut }: OptOutOptions,
): Promise<undefined> {
  const brandId = context.brandId(brand);
  const learners = await readLearners(context, ids, file);
  const { directory } = await context.admin();
  if (learners.length > 1)
    await context.confirm(
      `${isOut ? 'Exclude' : 'Include'} ${learners.length} learners of brand ${brandId}?`,
    );
  context.resumeWith('Run the same command again: what is done stays.');
  const bar = context.progress('learners');
  let upserted = 0;
  for (let at = 0; at < learners.length; at += batchSize) {
    const items = learners.slice(at, at + batchSize).map((tu_id) => ({ tu_id, analytics_opt_out: isOut }));
    upserted += (await directory.putLearners(brandId, { items }, { signal: context.signal })).upserted;
    bar.update(at + items.length, learners.length);
  }
  bar.stop();
  context.output.item({ upserted }, { id: (done) => done.upserted });
}

/** Concurrent requests: an erasure waits for the database, not for this process. */
const concurrency = 4;

/** Erases learners. One that does not exist counts as unknown, so that an interrupted run is repeated. */
async function eraseLearners(
  context: CliContext,
  ids: readonly string[],
  { brand, file }: BrandOption & { readonly file?: string },
): Promise<undefined> {
  const brandId = context.brandId(brand);
  const learners = await readLearners(context, ids, file);
  const { directory } = await context.admin();
  await context.confirm(`Erase ${learners.length} learners of brand ${brandId}? This cannot be undone.`);
  context.resumeWith('Run the same command again: learners that are erased are skipped.');
  const bar = context.progress('learners');
  const done = { erased: 0, unknown: 0 };
  const queue = learners.values();
  const work = async () => {
    for (const tuId of queue) {
      if (await erase(directory, { brandId, tuId }, context.signal)) done.erased += 1;
      else done.unknown += 1;
      bar.update(done.erased + done.unknown, learners.length);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  bar.stop();
  context.output.item(done, { id: ({ erased }) => erased });
}

/** Returns whether the learner existed. */
async function erase(
  directory: BrandportAdmin['directory'],
  { brandId, tuId }: { readonly brandId: number; readonly tuId: string },
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await directory.deleteLearner(brandId, tuId, { signal });
    return true;
  } catch (error) {
    if (isBrandportError(error, 'not_found')) return false;
    throw error;
  }
}
