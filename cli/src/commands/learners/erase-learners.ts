import type { BrandportAdmin } from '@brandport/client/admin';
import { isBrandportError } from '@brandport/client/admin';
import type { BrandOption } from '../../arguments/brand-option.ts';
import type { CliContext } from '../../context/cli-context.ts';
import { readLearners } from './read-learners.ts';

/** Concurrent requests: an erasure waits for the database, not for this process. */
const concurrency = 4;

/** Erases learners. One that does not exist counts as unknown, so that an interrupted run is repeated. */
export async function eraseLearners(
  context: CliContext,
  ids: readonly string[],
  { brand, file }: BrandOption & { readonly file?: string },
): Promise<undefined> {
  const brandId = context.brandId(brand);
  const learners = await readLearners(context, ids, file);
  const { directory } = await context.admin();
  await context.confirm(`Erase ${learners.length} learners of brand ${brandId}? This cannot be undone.`);
  context.resumeWith('Run the same command again: learners that are erased are skipped.');
  const bar = await context.progress('learners', learners.length);
  const done = { erased: 0, unknown: 0 };
  const queue = learners.values();
  const work = async () => {
    for (const tuId of queue) {
      if (await erase(directory, { brandId, tuId }, context.signal)) done.erased += 1;
      else done.unknown += 1;
      bar.advance();
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
