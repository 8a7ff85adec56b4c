import type { FeedRequeue } from '@brandport/client/admin';
import type { BrandOption } from '../../arguments/brand-option.ts';
import type { CliContext } from '../../context/cli-context.ts';

/** The results for which sending a line again can help. */
export const correctable: readonly string[] = ['unknown_sku', 'unknown_location', 'not_stockable'];

export async function requeueLines(
  context: CliContext,
  feedId: string,
  { brand, result }: BrandOption & { readonly result: string },
): Promise<undefined> {
  const brandId = context.brandId(brand);
  const results = result.split(',').map((one) => one.trim()) as unknown as FeedRequeue['results'];
  const { feeds } = await context.admin();
  await context.confirm(
    `Send the lines of feed ${feedId} with ${results.join(', ')} of brand ${brandId} again?`,
  );
  context.resumeWith('The lines may be queued: `brandport feeds list` shows a batch of the name requeue:….');
  const feed = await feeds.requeue(brandId, feedId, { results }, { signal: context.signal });
  context.output.item(feed, { id: ({ feed_id }) => feed_id });
}
