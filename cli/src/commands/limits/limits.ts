import { addBrandOption, type BrandOption } from '../../arguments/brand-option.ts';
import type { CliContext } from '../../context/cli-context.ts';
import type { Define } from '../command.ts';

export const defineLimits: Define = (command, run) => {
  addBrandOption(command).action((options) => run((context) => showLimits(context, options)));
};

async function showLimits(context: CliContext, { brand }: BrandOption): Promise<undefined> {
  const brandId = context.brandId(brand);
  const { keys } = await context.admin();
  const { data, counted_by } = await keys.limits(brandId, { signal: context.signal });
  await context.output.list(data, {
    id: ({ bucket }) => bucket,
    columns: [
      { head: 'limit', value: ({ bucket }) => bucket },
      { head: 'key', value: ({ key_id }) => key_id },
      { head: 'requests', value: ({ limit }) => limit },
      { head: 'used', value: ({ used }) => used },
      { head: 'resets', value: ({ resets_at }) => resets_at },
    ],
  });
  if (counted_by === 'process')
    context.tell('Each process counts for itself: these are the counts of the one that responded.');
}
