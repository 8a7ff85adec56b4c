import type { BrandOption } from '../../arguments/brand-option.ts';
import type { CliContext } from '../../context/cli-context.ts';
import { readLearners } from './read-learners.ts';

interface OptOutOptions extends BrandOption {
  readonly file?: string;
  readonly isOut: boolean;
}

/** The most items of a request. */
const batchSize = 10_000;

/** Excludes learners or includes them again. Setting it twice changes nothing, so that an interrupted run is repeated. */
export async function setOptOut(
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
  const bar = await context.progress('learners', learners.length);
  let upserted = 0;
  for (let at = 0; at < learners.length; at += batchSize) {
    const items = learners.slice(at, at + batchSize).map((tu_id) => ({ tu_id, analytics_opt_out: isOut }));
    upserted += (await directory.putLearners(brandId, { items }, { signal: context.signal })).upserted;
    bar.advance(items.length);
  }
  bar.stop();
  context.output.item({ upserted }, { id: (done) => done.upserted });
}
