import type pg from 'pg';
import { addDays, type Day, type DayRange, yesterdayOf } from '../../../server/src/analytics/day.ts';
import { publishDays } from '../../../server/src/analytics/store/aggregate-store.ts';
import type { DirectoryAtAggregation } from '../../../server/src/analytics/store/engine.ts';
import { createFold, replaceByFold } from '../../../server/src/analytics/store/postgres/aggregation.ts';
import { Database } from '../../../server/src/postgres/database.ts';
import { statement } from '../../../server/src/postgres/statement.ts';
import type { Transaction } from '../../../server/src/postgres/transaction.ts';
import type { BenchContext } from '../bench-context.ts';
import { type BenchBrand, makeBrand, makeKey } from './catalog-data.ts';

/**
 * A brand with learning analytics: `rows` rows of learner x content x day over the longest window that a page accepts.
 */
export interface AnalyticsBrand extends BenchBrand {
  /** The aggregated days. */
  readonly range: DayRange;
  /** The day after the aggregated days. It is over, and its only events are those of a part. */
  readonly nextDay: Day;
  readonly learners: number;
  readonly contents: number;
  /** Rows of learner x content x day. */
  readonly rows: number;
}

/** The longest window, in days. */
export const days = 91;
export const contents = 1_000;
/** Contents that an active learner uses per day. */
const contentsADay = 5;
/** A divisor of the number of days. */
const daysAtATime = 13;

let made: Promise<AnalyticsBrand> | null = null;

/** Returns the analytics brand of this run; the first call creates it. */
export function analyticsBrand(context: BenchContext): Promise<AnalyticsBrand> {
  made ??= makeAnalyticsBrand(context);
  return made;
}

/** No statement timeout while loading. */
const noLimits = { connect: 5_000, lock: 0, statement: 0, answer: 3_600_000, idleTransaction: 0 };

export const analyticsScopes = ['analytics.metrics:read', 'analytics.users:read'];

async function makeAnalyticsBrand(context: BenchContext): Promise<AnalyticsBrand> {
  const { service, postgres, client, scale, note } = context;
  const name = `Analytics ${scale.analyticsRows}`;
  const learners = Math.max(200, Math.ceil(scale.analyticsRows / (days * contentsADay)));
  const kept = await findKept(client, name);
  if (kept !== null) {
    const range = { from: addDays(kept.last, 1 - days), to: kept.last };
    const key = await makeKey(service, kept.brandId, analyticsScopes);
    return { ...kept, ...key, range, nextDay: addDays(kept.last, 1), learners, contents };
  }
  const brand = await makeBrand(service, name, analyticsScopes);
  await makeDirectory(client, brand.brandId, learners);
  const nextDay = yesterdayOf(Date.now());
  const range = { from: addDays(nextDay, -days), to: addDays(nextDay, -1) };
  note(`loading ${scale.analyticsRows.toLocaleString('en-US')} analytics rows …`);
  const start = performance.now();
  const activeLearners = Math.ceil(scale.analyticsRows / days / contentsADay);
  const database = new Database({
    address: postgres.address,
    applicationName: 'brandport-bench',
    limits: noLimits,
  });
  let rows = 0;
  for (let from = range.from; from <= range.to; from = addDays(from, daysAtATime)) {
    const part = { from, to: addDays(from, daysAtATime - 1) };
    rows += await database.transaction((tx) =>
      writeDays(tx, brand.brandId, part, { learners, activeLearners }),
    );
  }
  await database.close();
  // Marks the days as if their raw events had been dropped: they cannot be aggregated again.
  await client.query(
    `insert into analytics.event_retention (kept_since) values ($1)
     on conflict (is_only) do update set kept_since = greatest(event_retention.kept_since, excluded.kept_since)`,
    [nextDay],
  );
  await client.query('vacuum (analyze)');
  await proveTotals(client, brand.brandId, range.to);
  note(`loaded ${rows.toLocaleString('en-US')} in ${Math.round((performance.now() - start) / 1000)} s`);
  return { ...brand, range, nextDay, learners, contents, rows };
}

/** Finds the brand of an earlier run in a reused database. */
async function findKept(
  client: pg.Client,
  name: string,
): Promise<{ brandId: number; last: Day; rows: number } | null> {
  const { rows } = await client.query<{ brandId: number; last: Day; rows: number }>(
    `select b.id as "brandId", to_char(max(d.day), 'YYYY-MM-DD') as last,
       sum((d.row_counts ->> 'content_engagement')::bigint)::bigint as rows
     from brands b join analytics.brand_days d on d.brand_id = b.id
     where b.name = $1 and d.aggregated_at is not null
     group by b.id having count(*) = ${days}`,
    [name],
  );
  return rows[0] ?? null;
}

/** Creates the markets, learners and contents of a brand. */
export async function makeDirectory(client: pg.Client, brandId: number, learners: number): Promise<void> {
  await client.query(
    `insert into markets (brand_id, tu_id) select $1, 'm' || n from generate_series(0, 4) n`,
    [brandId],
  );
  await client.query(
    `insert into learners (brand_id, tu_id, market_id)
     select $1, 'u' || n, m.id
     from generate_series(0, $2::integer - 1) n join markets m on m.brand_id = $1 and m.tu_id = 'm' || n % 5`,
    [brandId, learners],
  );
  await client.query(
    `insert into contents (brand_id, type, tu_id, name, is_live, is_listed)
     select $1, case when n % 2 = 0 then 'episode' else 'program' end, 'c' || n, 'Content ' || n, true, true
     from generate_series(0, $2::integer - 1) n`,
    [brandId, contents],
  );
}

/**
 * Fills the input of an aggregation by rule instead of from raw events, then runs the product's own statements: rows
 * and running totals are those that an aggregation would write. Returns the number of learner x content x day rows.
 */
async function writeDays(
  tx: Transaction,
  brandId: number,
  range: DayRange,
  { learners, activeLearners }: { readonly learners: number; readonly activeLearners: number },
): Promise<number> {
  await createFold(tx);
  const ask = <Row>(text: string, values: readonly unknown[]) => tx.run(statement<Row>('', text, values));
  await ask<never>(
    `insert into pg_temp.fold_by_content (day, user_id, content_ref_id, content_type, views, completions, successes,
       xp_earned, time_spent_seconds, progress_sum, progress_count, score_sum, score_count, questions, answered)
     select d.day, l.id, c.id, c.type, 1 + h % 3, (h % 4 = 0)::integer, (h % 8 = 0)::integer, h % 20, h % 600,
       (h % 1000) / 10.0, 1, case when h % 5 = 0 then h % 101 else 0 end, (h % 5 = 0)::integer,
       case when h % 5 = 0 then 5 else 0 end, case when h % 5 = 0 then h % 6 else 0 end
     from (select $2::date + n as day, $2::date - date '2020-01-01' + n as number
           from generate_series(0, $3::date - $2::date) n) d
     cross join generate_series(0, $4::integer - 1) as k
     cross join generate_series(0, ${contentsADay - 1}) as j
     cross join lateral (select (d.number * 7919 + k) % $5::integer as learner) u
     cross join lateral (
       select (u.learner * 31 + d.number * 17 + j * ${Math.floor(contents / contentsADay)}) % ${contents} as content
     ) r
     cross join lateral (select abs(hashint8(u.learner * 1000003::bigint + r.content * 7 + d.number))::bigint % 1000000 as h) x
     join learners l on l.brand_id = $1 and l.tu_id = 'u' || u.learner
     join contents c on c.brand_id = $1 and c.tu_id = 'c' || r.content`,
    [brandId, range.from, range.to, activeLearners, learners],
  );
  const figures = [
    'views',
    'completions',
    'successes',
    'xp_earned',
    'time_spent_seconds',
    'progress_sum',
    'progress_count',
    'score_sum',
    'score_count',
    'questions',
    'answered',
  ];
  await ask<never>(
    `insert into pg_temp.fold_by_user (day, user_id, content_type, market_id, ${figures.join(', ')})
     select f.day, f.user_id, f.content_type, l.market_id, ${figures.map((name) => `sum(f.${name})`).join(', ')}
     from pg_temp.fold_by_content f join learners l on l.brand_id = $1 and l.id = f.user_id
     group by f.day, f.user_id, f.content_type, l.market_id`,
    [brandId],
  );
  const markets = await ask<{ id: number }>('select id from markets where brand_id = $1', [brandId]);
  const directory: DirectoryAtAggregation = {
    marketIds: markets.map(({ id }) => id),
    excludedLearnerIds: [],
    totalLearners: learners,
    liveContent: { episodes: contents / 2, programs: contents / 2, quests: 0, products: 0 },
  };
  const replaced = await replaceByFold(tx, brandId, { range, directory, hasLaterDays: false });
  await publishDays(tx, brandId, { range, at: new Date(), seen: new Map(), replaced });
  return [...replaced.rows.values()].reduce((sum, day) => sum + day.content_engagement, 0);
}

/** Compares totals that several datasets contain. @throws Error when they differ */
async function proveTotals(client: pg.Client, brandId: number, last: Day): Promise<void> {
  const { rows } = await client.query<{ figures: string[] }>(
    `select array[
       (select cumulative_views from analytics.daily where brand_id = $1 and day = $2 and market_id = 0),
       (select sum(cumulative_views) from analytics.daily where brand_id = $1 and day = $2 and market_id <> 0),
       (select sum(views) from analytics.content_engagement where brand_id = $1),
       (select sum(views) from analytics.users where brand_id = $1),
       (select sum(most) from (
          select max(cumulative_views) as most from analytics.users where brand_id = $1 group by user_id) u),
       (select sum(most) from (
          select max(cumulative_views) as most from analytics.contents where brand_id = $1 group by content_ref_id) c)
     ]::text[] as figures`,
    [brandId, last],
  );
  const figures = rows[0]?.figures ?? [];
  if (new Set(figures).size !== 1) throw new Error(`the analytics data do not add up: ${figures.join(', ')}`);
}
