import type { Day } from '../../../server/src/analytics/day.ts';
import { type BenchContext, type Load, milliseconds, rate, warmUp } from '../bench-context.ts';
import { type AnalyticsBrand, analyticsBrand } from '../data/analytics-data.ts';
import { insertEvents } from '../data/analytics-events.ts';
import { groupByHand, makeYardstickTables } from '../data/analytics-grouping.ts';
import { type Part, ratioOf } from '../part.ts';
import { compare, millisecondsOf } from '../rounds.ts';
import { aggregatedInAMinute } from './targets.ts';

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
      const aggregated = await compare(
        scale.rounds,
        async () => {
          await forgetDay(context, brand, nextDay);
          return millisecondsOf(() => aggregateDay(context, brand, nextDay));
        },
        () => groupByHand(client, brandId, nextDay),
      );
      const path = `/v1/client/analytics/users/contents?from=${brand.range.from}&to=${brand.range.to}&per_page=500`;
      const load: Load = {
        on: service.endpoint,
        connections: 1,
        requests: [{ path, headers: brand.headers }],
      };
      await warmUp(context, load);
      const reads = await compare(
        scale.rounds,
        async () => {
          await forgetDay(context, brand, nextDay);
          const aggregation = aggregateDay(context, brand, nextDay);
          const pages = await rate(context, load);
          await aggregation;
          return { value: 1000 / pages.value, cpu: pages.cpu };
        },
        async () => {
          const pages = await rate(context, load);
          return { value: 1000 / pages.value, cpu: pages.cpu };
        },
      );
      return [
        ratioOf(aggregated, {
          work: `aggregation of ${count.toLocaleString('en-US')} events of one day into all datasets`,
          format: milliseconds,
          yardstick: (value) => `the groupings by hand ${milliseconds(value)}`,
          target: aggregatedInAMinute,
        }),
        ratioOf(reads, {
          work: 'analytics page of other days while a day is aggregated',
          format: milliseconds,
          yardstick: (value) => `the same without ${milliseconds(value)}`,
          target: { atMost: 1.3, why: 'readers do not notice the night' },
        }),
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
