import { startClickHouseEngine } from '../../../extensions/clickhouse/test/support/clickhouse-engine.ts';
import { createCursorCodec } from '../../../server/src/analytics/datasets/walk.ts';
import { addDays, type DayRange, yesterdayOf } from '../../../server/src/analytics/day.ts';
import { systemClock } from '../../../server/src/lib/clock.ts';
import { type BenchContext, type Load, milliseconds } from '../bench-context.ts';
import { compareLoads } from '../compare-loads.ts';
import {
  type AnalyticsBrand,
  analyticsScopes,
  contents,
  days,
  makeDirectory,
} from '../data/analytics-data.ts';
import { makeEvents } from '../data/analytics-events.ts';
import { makeBrand } from '../data/catalog-data.ts';
import { fillContentEngagement, lastKeyOfPage } from '../data/clickhouse-rows.ts';
import { type Part, type Ratio, ratioOf } from '../part.ts';
import { connect, createDatabase } from '../postgres.ts';
import { compare, millisecondsOf } from '../rounds.ts';
import type { Service } from '../service.ts';
import { sendEvents } from './analytics-events.ts';
import { aggregatedInAMinute, deepPages } from './targets.ts';

const perPage = 500;
/** Walkers at once. */
const walkers = 8;
const path = '/v1/client/analytics/users/contents';
const cursorSecret = 'bench-cursor-secret-of-32-characters';

/**
 * The analytics store in the ClickHouse engine of the tests, with 50,000,000 rows of learner x content x day: pages of a walk,
 * and the aggregation of a day compared with that of a brand without a history.
 */
export const analyticsInClickHouse: Part = {
  name: 'analytics-clickhouse',
  needs: 'ClickHouse',
  async run(context) {
    const engine = await startClickHouseEngine({ within: context.dataDir });
    const postgres = await createDatabase(context.postgres, context.client, 'bench_clickhouse');
    const env = { BRANDPORT_CLICKHOUSE_URL: `${engine.url}/default`, BRANDPORT_CURSOR_SECRET: cursorSecret };
    const service = await context.startProcess({ postgres, env });
    try {
      const client = await connect(postgres.address);
      const brands: AnalyticsBrand[] = [];
      for (const name of ['With a history', 'New'])
        brands.push(await makeAnalyticsBrand(context, service, client, name));
      await client.end();
      const [large, fresh] = brands as [AnalyticsBrand, AnalyticsBrand];
      const [firstLearner, firstContent] = await firstIds(postgres.address, large);
      context.note(`loading ${context.scale.clickHouseRows.toLocaleString('en-US')} rows into ClickHouse …`);
      const rows = await fillContentEngagement(env.BRANDPORT_CLICKHOUSE_URL, postgres, {
        ...large,
        firstLearner,
        firstContent,
        rows: context.scale.clickHouseRows,
      });
      const pages = await comparePages(context, service, large, {
        url: env.BRANDPORT_CLICKHOUSE_URL,
        rows,
      });
      return [pages, await compareAggregations(context, service, [large, fresh])];
    } finally {
      await service.stop();
      await engine.stop();
    }
  },
};

async function makeAnalyticsBrand(
  { scale }: BenchContext,
  service: Service,
  client: Awaited<ReturnType<typeof connect>>,
  name: string,
): Promise<AnalyticsBrand> {
  const brand = await makeBrand(service, name, analyticsScopes);
  const learners = Math.max(200, Math.ceil(scale.clickHouseRows / (days * 5)));
  await makeDirectory(client, brand.brandId, learners);
  const nextDay = yesterdayOf(Date.now());
  const range: DayRange = { from: addDays(nextDay, -days), to: addDays(nextDay, -1) };
  return { ...brand, range, nextDay, learners, contents, rows: 0 };
}

async function firstIds(
  address: Parameters<typeof connect>[0],
  { brandId }: AnalyticsBrand,
): Promise<readonly [learner: number, content: number]> {
  const client = await connect(address);
  const { rows } = await client.query<{ learner: number; content: number }>(
    `select (select min(id) from learners where brand_id = $1) as learner,
       (select min(id) from contents where brand_id = $1) as content`,
    [brandId],
  );
  await client.end();
  const [row] = rows;
  return [Number(row?.learner), Number(row?.content)];
}

async function comparePages(
  context: BenchContext,
  { endpoint }: Service,
  { brandId, range, headers }: AnalyticsBrand,
  { url, rows }: { readonly url: string; readonly rows: number },
): Promise<Ratio> {
  const number = Math.min(10_000, Math.floor(rows / perPage) - 1);
  const position = await lastKeyOfPage(url, brandId, { page: number - 1, perPage });
  const cursor = createCursorCodec([cursorSecret], systemClock).encode(
    { brandId, dataset: 'content_engagement', filters: {} },
    { window: range, defaulted: { from: false, to: false }, position },
  );
  const loadOf = (query: string): Load => ({
    on: endpoint,
    connections: walkers,
    requests: [{ path: `${path}?from=${range.from}&to=${range.to}&per_page=${perPage}${query}`, headers }],
  });
  const [first, later] = [loadOf(''), loadOf(`&cursor=${cursor}`)];
  return compareLoads(context, {
    work: `analytics page ${number.toLocaleString('en-US')} of ${rows.toLocaleString('en-US')} rows in ClickHouse`,
    loads: () => [later, first],
    yardstick: 'the first page',
    target: deepPages,
  });
}

async function compareAggregations(
  context: BenchContext,
  service: Service,
  [large, fresh]: readonly [AnalyticsBrand, AnalyticsBrand],
): Promise<Ratio> {
  const count = context.scale.name === 'full' ? 250_000 : 5_000;
  for (const brand of [large, fresh])
    await sendEvents({ service }, brand, makeEvents(count, brand.nextDay, brand));
  const aggregate = ({ brandId, nextDay: day }: AnalyticsBrand) =>
    millisecondsOf(() => service.admin('POST', `/brands/${brandId}/aggregations`, { from: day, to: day }));
  const compared = await compare(
    context.scale.rounds,
    () => aggregate(large),
    () => aggregate(fresh),
  );
  return ratioOf(compared, {
    work: `aggregation of a day of ${count.toLocaleString('en-US')} events in ClickHouse, next to all rows`,
    format: milliseconds,
    yardstick: (value) => `in a brand without a history ${milliseconds(value)}`,
    target: aggregatedInAMinute,
  });
}
