import type pg from 'pg';
import { type BenchContext, perSecond, rate } from '../bench-context.ts';
import { sampleProducts } from '../data/catalog-data.ts';
import { openFeeds } from '../load/feeds.ts';
import type { Part } from '../part.ts';
import { compare } from '../rounds.ts';

/** The place of a stock level and its quantity. */
interface Place {
  readonly sku: string;
  readonly location_code: string;
  quantity: number;
}

/** Lines per statement of the yardstick; the size of a chunk. */
const batch = 1_000;

/**
 * Applies feeds for random places of brand B in random order. Every feed names the same places with other quantities,
 * like the hourly export of an ERP. The first feed is not measured, because it takes over levels that were set by hand.
 */
export const stockFeed: Part = {
  name: 'feed',
  async run(context) {
    const { scale, service, large, client } = context;
    const places = await samplePlaces(context, scale.name === 'full' ? 100_000 : 2_000);
    const feeds = openFeeds(service.clientUrl, large.headers);
    const feed = async () => {
      for (const place of places) place.quantity = Math.floor(Math.random() * 1_000_000);
      return places.length / (await feeds.secondsToApply(await feeds.send(places)));
    };
    await feed();
    await updateLevels(client, large.brandId, places);
    const { a, b, ratio, rounds } = await compare(scale.rounds, feed, () =>
      updateLevels(client, large.brandId, places),
    );
    return [
      {
        work: `feed of ${places.length.toLocaleString('en-US')} lines in brand B, from 202 to completed`,
        measured: perSecond(a, 'lines'),
        yardstick: `bare updates in batches of ${batch.toLocaleString('en-US')} ${perSecond(b, 'lines')}`,
        ratio,
        rounds,
        target: { atLeast: 0.3 },
      },
    ];
  },
};

/** Reads product details of brand B during a feed of that brand, compared with reads without a feed. */
export const readsBesideFeed: Part = {
  name: 'feed-reads',
  async run(context) {
    const { scale, service, large, client } = context;
    const places = await samplePlaces(context, scale.name === 'full' ? 100_000 : 2_000);
    const feeds = openFeeds(service.clientUrl, large.headers);
    const tuIds = await sampleProducts(client, large, 3_200, true);
    const requests = tuIds.map((tuId) => ({
      path: `/v1/client/catalog/products/${tuId}`,
      headers: large.headers,
    }));
    const load = { url: service.clientUrl, requests };
    await rate(context, { ...load, seconds: scale.warmUpSeconds });
    const { a, b, ratio, rounds } = await compare(
      scale.rounds,
      async () => {
        // Two feeds, so that work lasts for the measured time.
        const sent: string[] = [];
        for (const shift of [1, 2]) {
          for (const place of places) place.quantity += shift;
          sent.push(await feeds.send(places));
        }
        const reads = await rate(context, load);
        for (const feedId of sent) await feeds.secondsToApply(feedId);
        return reads;
      },
      () => rate(context, load),
    );
    return [
      {
        work: 'product detail while a feed of its brand is applied',
        measured: perSecond(a),
        yardstick: `the same without a feed ${perSecond(b)}`,
        ratio,
        rounds,
        target: { atLeast: 0.7 },
      },
    ];
  },
};

async function samplePlaces(
  { client, large }: Pick<BenchContext, 'client' | 'large'>,
  count: number,
): Promise<Place[]> {
  const { rows } = await client.query<Place>(
    `select sku, location_code, quantity from stock_levels
     where brand_id = $1 and not is_hidden
     order by hashtext(sku || location_code), id
     limit $2`,
    [large.brandId, count],
  );
  return rows;
}

/**
 * Runs the yardstick: the same lines in the same order, one statement and commit per batch, without look-up, ledger,
 * rollup or results. It writes the quantities that the levels have already, so the ledger stays correct. Returns lines
 * per second.
 */
async function updateLevels(client: pg.Client, brandId: number, places: readonly Place[]): Promise<number> {
  const start = performance.now();
  for (let first = 0; first < places.length; first += batch) {
    const some = places.slice(first, first + batch);
    await client.query({
      name: 'bench_update_levels',
      text: `update stock_levels l set quantity = n.quantity, updated_at = now()
        from unnest($2::text[], $3::text[], $4::integer[]) as n (sku, location_code, quantity)
        where l.brand_id = $1 and l.sku = n.sku and l.location_code = n.location_code and not l.is_hidden`,
      values: [
        brandId,
        some.map(({ sku }) => sku),
        some.map(({ location_code }) => location_code),
        some.map(({ quantity }) => quantity),
      ],
    });
  }
  return places.length / ((performance.now() - start) / 1000);
}
