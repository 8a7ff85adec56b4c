import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { columnsOf, shapes } from '../../../extensions/clickhouse/src/store/dataset-shape.ts';
import { monthOf } from '../../../extensions/clickhouse/src/store/literals.ts';
import { addDays, type Day, type DayRange, dayNumberOf } from '../../../server/src/analytics/day.ts';
import type { RowStore } from './two-stores.ts';

/** Rows of learner x content x day in ClickHouse, over the longest window that a page accepts. */
export interface LoadedRows {
  readonly brandId: number;
  readonly range: DayRange;
  readonly rows: number;
  readonly learners: number;
  readonly contents: number;
}

const days = 91;
const contents = 1_000;
const contentsADay = 5;

/**
 * Loads `content_engagement` and `users` of one brand by rule, as an aggregation of each day would have published them. Running
 * totals are larger than the day's values and otherwise arbitrary.
 */
export async function loadRows(
  { engineUrl, coordination }: RowStore,
  { rows, lastDay, note }: { readonly rows: number; readonly lastDay: Day; note(line: string): void },
): Promise<LoadedRows> {
  const brandId = 2;
  const learners = Math.ceil(rows / days / contentsADay);
  const range = { from: addDays(lastDay, 1 - days), to: lastDay };
  const client = createClient({
    url: engineUrl,
    request_timeout: 600_000,
    log: { level: ClickHouseLogLevel.OFF },
  });
  note(`loading ${rows.toLocaleString('en-US')} rows into ClickHouse …`);
  try {
    for (let day = range.from, generation = 1; day <= range.to; day = addDays(day, 1), generation += 1) {
      const parameters = { day, generation, learners, brandId };
      await client.command({ query: engagementOf(parameters) });
      await client.command({ query: usersOf(parameters) });
    }
    for (const table of ['content_engagement', 'users'])
      await client.command({
        query: `optimize table ${table} final`,
        clickhouse_settings: { alter_sync: '2' },
      });
  } finally {
    await client.close();
  }
  await publish(coordination, brandId, range, learners);
  return { brandId, range, rows: learners * contentsADay * days, learners, contents };
}

interface DayToLoad {
  readonly day: Day;
  readonly generation: number;
  readonly learners: number;
  readonly brandId: number;
}

/** A number below `limit` from bits of the row's hash that no other column uses. */
const bits = (from: number, limit: number) => `bitShiftRight(h, ${from}) % ${limit}`;

/** The expressions of the columns; all others are 0. They are independent, and compress no better than those of real rows. */
const figures: Readonly<Record<string, string>> = {
  views: `1 + ${bits(0, 3)}`,
  completions: `${bits(4, 4)} = 0`,
  successes: `${bits(8, 8)} = 0`,
  xp_earned: bits(12, 20),
  time_spent_seconds: bits(20, 600),
  questions: `if(${bits(32, 5)} = 0, 5, 0)`,
  answered: `if(${bits(32, 5)} = 0, ${bits(36, 6)}, 0)`,
  score_sum: `if(${bits(32, 5)} = 0, ${bits(40, 101)}, 0)`,
  score_count: `${bits(32, 5)} = 0`,
};

/** Running totals: the value of the day plus those of earlier days. */
const earlier: Readonly<Record<string, string>> = {
  views: bits(48, 20),
  xp_earned: bits(49, 100),
  time_spent_seconds: bits(50, 3_000),
  score_sum: bits(51, 300),
  score_count: bits(52, 4),
};

function expressionOf(column: string): string {
  const name = column.replace('cumulative_', '');
  const value = figures[name] ?? '0';
  return name === column ? value : `${value} + ${earlier[name] ?? '0'}`;
}

function selectOf(table: 'content_engagement' | 'users', { day, generation, brandId }: DayToLoad): string {
  const fixed: Readonly<Record<string, string | number>> = {
    brand_id: brandId,
    month: monthOf(day),
    day: dayNumberOf(day),
    generation,
    user_id: 'learner',
    content_ref_id: 'content',
    content_type: `if(content % 2 = 0, 'episode', 'program')`,
  };
  const columns = columnsOf(shapes[table]);
  const values = columns.map((column) => fixed[column] ?? expressionOf(column));
  return `insert into ${table} (${columns.join(', ')}) select ${values.join(', ')}`;
}

function engagementOf(load: DayToLoad): string {
  const number = dayNumberOf(load.day);
  return `${selectOf('content_engagement', load)} from (
      select number % ${load.learners} as learner, intDiv(number, ${load.learners}) as part,
        (learner * 31 + ${number * 17} + part * ${contents / contentsADay}) % ${contents} as content,
        cityHash64(learner, content, ${number}) as h
      from numbers(${load.learners * contentsADay})
    )`;
}

function usersOf(load: DayToLoad): string {
  return `${selectOf('users', load)} from (
      select number as learner, 0 as content, cityHash64(learner, ${dayNumberOf(load.day)}) as h
      from numbers(${load.learners})
    )`;
}

async function publish(
  coordination: RowStore['coordination'],
  brandId: number,
  { from, to }: DayRange,
  learners: number,
): Promise<void> {
  const counts = { daily: 0, contents: 0, users: learners, content_engagement: learners * contentsADay };
  const eachDay = `from (select $2::date + n as day, n + 1 as number from generate_series(0, $3::date - $2::date) n) d`;
  const eachDataset = `cross join unnest(array['users', 'content_engagement']) as s (dataset)`;
  await coordination.query(
    `insert into analytics.brand_days (brand_id, day, aggregated_at, row_counts)
     select $1::integer, d.day, now(), $4::jsonb ${eachDay}`,
    [brandId, from, to, JSON.stringify(counts)],
  );
  await coordination.query(
    `insert into analytics.published_layers (brand_id, dataset, day, generations)
     select $1::integer, s.dataset, d.day, array[d.number::bigint] ${eachDay} ${eachDataset}`,
    [brandId, from, to],
  );
  await coordination.query(
    `insert into analytics.dataset_revisions (brand_id, dataset, day, revision, refreshed_at)
     select $1::integer, s.dataset, d.day, d.number, now() ${eachDay} ${eachDataset}`,
    [brandId, from, to],
  );
  await coordination.query('analyze');
}
