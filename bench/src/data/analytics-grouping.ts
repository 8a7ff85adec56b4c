import type pg from 'pg';
import type { Day } from '../../../server/src/analytics/day.ts';
import { millisecondsOf } from '../rounds.ts';

/** Creates tables with the columns and primary keys of the datasets, and no other index. */
export async function makeYardstickTables(client: pg.Client): Promise<void> {
  await client.query('drop schema if exists bench_analytics cascade; create schema bench_analytics');
  for (const [table, { key }] of Object.entries(groupings)) {
    const { rows } = await client.query<{ column: string }>(
      `select attname as column from pg_attribute
       where attrelid = $1::regclass and attnum > 0
         and (attname like 'cumulative%' or attname like 'live%' or attname = 'total_users')`,
      [`analytics.${table}`],
    );
    const zeros = rows.map(({ column }) => `alter ${column} set default 0`);
    await client.query(
      `create table bench_analytics.${table} (like analytics.${table});
       alter table bench_analytics.${table} ${[`add primary key (${key})`, ...zeros].join(', ')}`,
    );
  }
}

/**
 * Fills the tables from the raw events of a day in one transaction, then empties them. Returns the milliseconds of the
 * fill.
 */
export async function groupByHand(client: pg.Client, brandId: number, day: Day): Promise<number> {
  const taken = await millisecondsOf(async () => {
    await client.query('begin');
    for (const [table, { columns, select }] of Object.entries(groupings))
      await client.query(`insert into bench_analytics.${table} (${columns}) ${select}`, [brandId, day]);
    await client.query('commit');
  });
  const tables = Object.keys(groupings).map((table) => `bench_analytics.${table}`);
  await client.query(`truncate ${tables.join(', ')}`);
  return taken;
}

const kind = (name: string, also = '') => `count(*) filter (where kind = '${name}'${also})`;
const counts = (also = '') => ['view', 'completion', 'success'].map((name) => kind(name, also)).join(', ');
const efforts = 'sum(xp_earned), sum(time_spent_seconds)';
const sumAndCount = (column: string, also = 'true') =>
  `coalesce(sum(${column}) filter (where ${also}), 0), count(${column}) filter (where ${also})`;
const types = ['episode', 'program', 'quest'];
const countNames = (prefix = '') =>
  ['views', 'completions', 'successes'].map((name) => prefix + name).join(', ');
const events = 'from analytics.learning_events where brand_id = $1 and day = $2';

const groupings = {
  daily: {
    key: 'brand_id, day, market_id',
    columns: `brand_id, day, market_id, active_users, ${countNames()}, xp_earned, time_spent_seconds,
      ${types
        .map(
          (type) => `${countNames(`${type}_`)}, ${type}_time_spent_seconds, ${type}_progress_sum,
          ${type}_progress_count, ${type}_score_sum, ${type}_score_count`,
        )
        .join(', ')}`,
    select: `select brand_id, day, coalesce(market_id, 0), count(distinct user_id), ${counts()}, ${efforts},
      ${types
        .map((type) => {
          const is = `content_type = '${type}'`;
          return `${counts(` and ${is}`)}, coalesce(sum(time_spent_seconds) filter (where ${is}), 0),
            ${sumAndCount('progress', is)}, ${sumAndCount('score', is)}`;
        })
        .join(', ')}
      ${events} group by grouping sets ((brand_id, day), (brand_id, day, market_id))`,
  },
  contents: {
    key: 'brand_id, content_ref_id, day',
    columns: `brand_id, content_ref_id, day, content_type, unique_views, active_users, ${countNames()}, xp_earned,
      time_spent_seconds, questions, progress_sum, progress_count, score_sum, score_count`,
    select: `select brand_id, content_ref_id, day, min(content_type), count(distinct user_id) filter (where kind = 'view'),
      count(distinct user_id), ${counts()}, ${efforts}, coalesce(sum(questions), 0), ${sumAndCount('progress')},
      ${sumAndCount('score')}
      ${events} and content_type <> 'quest' group by brand_id, content_ref_id, day`,
  },
  users: {
    key: 'brand_id, user_id, day',
    columns: `brand_id, user_id, day, ${countNames()}, xp_earned, time_spent_seconds, score_sum, score_count,
      ${types.map((type) => countNames(`${type}_`)).join(', ')}`,
    select: `select brand_id, user_id, day, ${counts()}, ${efforts}, ${sumAndCount('score')},
      ${types.map((type) => counts(` and content_type = '${type}'`)).join(', ')}
      ${events} group by brand_id, user_id, day`,
  },
  content_engagement: {
    key: 'brand_id, content_ref_id, day, user_id',
    columns: `brand_id, content_ref_id, day, user_id, content_type, ${countNames()}, xp_earned, time_spent_seconds,
      questions, answered, score_sum, score_count`,
    select: `select brand_id, content_ref_id, day, user_id, min(content_type), ${counts()}, ${efforts},
      coalesce(sum(questions), 0), coalesce(sum(answered), 0), ${sumAndCount('score')}
      ${events} and content_type <> 'quest' group by brand_id, content_ref_id, day, user_id`,
  },
};
