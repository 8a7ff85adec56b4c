import type pg from 'pg';
import { perSecond, type Subject } from '../bench-context.ts';
import { type Feeds, openFeeds } from '../load/feeds.ts';
import { measureWork } from '../load/measure-load.ts';
import { type Part, ratioOf } from '../part.ts';
import { compare, type Measured } from '../rounds.ts';
import { hourlyExport } from './targets.ts';

/** The place of a stock level and its quantity. */
export interface Place {
  readonly sku: string;
  readonly location_code: string;
  quantity: number;
}

/** Lines per statement of the yardstick; the size of a chunk. */
const batch = 1_000;

/** Applies feeds of brand B, compared with the bare updates of their lines. */
export const stockFeed: Part = {
  name: 'feed',
  async run(context) {
    const { scale, large, client, postgres } = context;
    const { places, apply } = await openExports(context);
    await updateLevels(client, large.brandId, places);
    const compared = await compare(scale.rounds, apply, () =>
      measureWork({ postmasterPid: postgres.pid }, places.length, () =>
        updateLevels(client, large.brandId, places),
      ),
    );
    return [
      ratioOf(compared, {
        work: `feed of ${places.length.toLocaleString('en-US')} lines in brand B, from 202 to completed`,
        format: (value) => perSecond(value, 'lines'),
        yardstick: (value) =>
          `bare updates in batches of ${batch.toLocaleString('en-US')} ${perSecond(value, 'lines')}`,
        target: hourlyExport,
      }),
    ];
  },
};

/** Feeds that name the same places with other quantities, like the hourly export of an ERP. */
export interface Exports {
  readonly places: readonly Place[];
  /** Applies one and returns its lines per second. */
  apply(): Promise<Measured>;
}

/**
 * Opens feeds for random places of brand B in random order. Applies the first, which is not measured: it takes over levels that
 * were set by hand.
 */
export async function openExports(subject: Subject): Promise<Exports> {
  const { service, large } = subject;
  const places = await samplePlaces(subject);
  const feeds = openFeeds(service.clientUrl, large.headers);
  const apply = () =>
    measureWork(service.endpoint, places.length, async () => {
      return places.length / (await feeds.secondsToApply(await sendQuantities(feeds, places)));
    });
  await apply();
  return { places, apply };
}

/** Sends a feed that sets each place to another quantity, and returns its id. */
export function sendQuantities(feeds: Feeds, places: readonly Place[]): Promise<string> {
  for (const place of places) place.quantity = Math.floor(Math.random() * 1_000_000);
  return feeds.send(places);
}

/** Returns the places of a feed, 100,000 at full scale, in random order. */
export async function samplePlaces({ client, large, scale }: Subject): Promise<Place[]> {
  const { rows } = await client.query<Place>(
    `select sku, location_code, quantity from stock_levels
     where brand_id = $1 and not is_hidden
     order by hashtext(sku || location_code), id
     limit $2`,
    [large.brandId, scale.name === 'full' ? 100_000 : 10_000],
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
