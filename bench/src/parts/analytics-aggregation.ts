import type { Day } from '../../../server/src/analytics/day.ts';
import { type BenchContext, milliseconds, rate } from '../bench-context.ts';
import { type AnalyticsBrand, analyticsBrand } from '../data/analytics-data.ts';
import { insertEvents } from '../data/analytics-events.ts';
import { groupByHand, makeYardstickTables } from '../data/analytics-grouping.ts';
import type { Part } from '../part.ts';
import { compare, millisecondsOf } from '../rounds.ts';

/**
 * Aggregates a day's events into all datasets of a brand with millions of rows, compared with the same groupings into
 * empty tables that have the same primary keys, no other index and no running totals.
 */
export const aggregation: Part = {
  name: 'aggregation',
  async run(context) {
    const { scale, service, client } = context;
    const brand = await analyticsBrand(context);
    const { brandId, nextDay } = brand;
    const count = scale.name === 'full' ? 1_000_000 : 5_000;
    await insertEvents(client, brand, nextDay, count);
    await makeYardstickTables(client);
    try {
      const { a, b, ratio, rounds } = await compare(
        scale.rounds,
        async () => {
          await forgetDay(context, brand, nextDay);
          return millisecondsOf(() => aggregateDay(context, brand, nextDay));
        },
        () => groupByHand(client, brandId, nextDay),
      );
      const path = `/v1/client/analytics/users/contents?from=${brand.range.from}&to=${brand.range.to}&per_page=500`;
      const load = {
        url: service.clientUrl,
        connections: 1,
        requests: [{ path, headers: brand.headers }],
      };
      await rate(context, { ...load, seconds: scale.warmUpSeconds });
      const reads = await compare(
        scale.rounds,
        async () => {
          await forgetDay(context, brand, nextDay);
          const aggregated = aggregateDay(context, brand, nextDay);
          const pages = await rate(context, load);
          await aggregated;
          return 1000 / pages;
        },
        async () => 1000 / (await rate(context, load)),
      );
      return [
        {
          work: `aggregation of ${count.toLocaleString('en-US')} events of one day into all datasets`,
          measured: milliseconds(a),
          yardstick: `the groupings by hand ${milliseconds(b)}`,
          ratio,
          rounds,
          target: { atMost: 2 },
        },
        {
          work: 'analytics page of other days while a day is aggregated',
          measured: milliseconds(reads.a),
          yardstick: `the same without ${milliseconds(reads.b)}`,
          ratio: reads.ratio,
          rounds: reads.rounds,
          target: { atMost: 1.3 },
        },
      ];
    } finally {
      await forgetDay(context, brand, nextDay);
      for (const table of ['learning_events', 'event_claims'])
        await client.query(`delete from analytics.${table} where brand_id = $1 and day = $2`, [
          brandId,
          nextDay,
        ]);
    }
  },
};

async function aggregateDay({ service }: BenchContext, { brandId }: AnalyticsBrand, day: Day): Promise<void> {
  await service.admin('POST', `/brands/${brandId}/aggregations`, { from: day, to: day });
}

/** Restores the state before the aggregation. The day is the last one, so no later day depends on it. */
async function forgetDay({ client }: BenchContext, { brandId }: AnalyticsBrand, day: Day): Promise<void> {
  for (const table of [
    'daily',
    'contents',
    'users',
    'content_engagement',
    'brand_days',
    'dataset_revisions',
  ]) {
    const { rowCount } = await client.query(
      `delete from analytics.${table} where brand_id = $1 and day = $2`,
      [brandId, day],
    );
    if (rowCount !== null && rowCount > 0) await client.query(`vacuum analytics.${table}`);
  }
}
