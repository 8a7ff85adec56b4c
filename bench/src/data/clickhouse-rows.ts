import { ClickHouse } from '../../../extensions/clickhouse/src/store/clickhouse.ts';
import {
  countDays,
  type Day,
  type DayRange,
  dayNumberOf,
  dayOfNumber,
  daysOf,
} from '../../../server/src/analytics/day.ts';
import { publishDays } from '../../../server/src/analytics/store/aggregate-store.ts';
import { type DatasetName, datasetNames, ofDatasets } from '../../../server/src/analytics/store/datasets.ts';
import { Database } from '../../../server/src/postgres/database.ts';
import { type BenchPostgres, connect } from '../postgres.ts';

const limits = { answerMs: 600_000, connections: 1 };

/** Contents that an active learner uses per day. */
const contentsADay = 5;

interface Shape {
  readonly brandId: number;
  readonly range: DayRange;
  /** Ids of the brand's directory, each without gaps. */
  readonly firstLearner: number;
  readonly learners: number;
  readonly firstContent: number;
  readonly contents: number;
  /** Rows of learner x content x day, at least. */
  readonly rows: number;
}

/**
 * Fills learner x content x day rows of a brand in ClickHouse by rule, and publishes their days as an aggregation does. The
 * datasets that no part reads stay empty. Returns the number of rows.
 */
export async function fillContentEngagement(
  clickHouseUrl: string,
  { address }: Pick<BenchPostgres, 'address'>,
  shape: Shape,
): Promise<number> {
  const { brandId, range, rows } = shape;
  const days = daysOf(range);
  const ofDay = Math.ceil(rows / days.length / contentsADay) * contentsADay;
  const clickHouse = new ClickHouse(clickHouseUrl, limits);
  try {
    // Day after day, as nights write them.
    for (const day of days) await clickHouse.run(rowsOfDay(shape, day, ofDay));
  } finally {
    await clickHouse.close();
  }
  const client = await connect(address);
  await client.query(
    `insert into analytics.published_generations (brand_id, dataset, day, generation)
     select $1, d.name, $2::date + n, $4::bigint
     from unnest($3::text[]) as d (name), generate_series(0, $5::integer - 1) as n`,
    [brandId, range.from, datasetNames, generation, countDays(range)],
  );
  await client.end();
  const database = new Database({ address, applicationName: 'brandport-bench' });
  const counts = ofDatasets((name) => (name === dataset ? ofDay : Number(name === 'daily')));
  await database.transaction((tx) =>
    publishDays(tx, brandId, {
      range,
      at: new Date(),
      seen: new Map(),
      replaced: { rows: new Map(days.map((day) => [day, counts])), corrected: {} },
    }),
  );
  await database.close();
  return ofDay * days.length;
}

/** Older than every generation that the server begins. */
const generation = 1;

const dataset: DatasetName = 'content_engagement';

function rowsOfDay(shape: Shape, day: Day, count: number): string {
  const { brandId, firstLearner, learners, firstContent, contents } = shape;
  const number = dayNumberOf(day);
  const month = Number(day.slice(0, 4)) * 100 + Number(day.slice(5, 7));
  return `insert into ${dataset} (brand_id, month, day, generation, content_ref_id, user_id, content_type, views, completions,
      successes, xp_earned, time_spent_seconds, score_sum, score_count, questions, answered)
    with intDiv(number, ${contentsADay}) as active, number % ${contentsADay} as nth,
      (${number} * 7919 + active) % ${learners} as learner,
      (learner * 31 + ${number} * 17 + nth * ${Math.floor(contents / contentsADay)}) % ${contents} as content,
      cityHash64(learner, content, ${number}) % 1000000 as h
    select ${brandId}, ${month}, ${number}, ${generation}, ${firstContent} + content, ${firstLearner} + learner,
      if(content % 2 = 0, 'episode', 'program'), 1 + h % 3, h % 4 = 0, h % 8 = 0, h % 20, h % 600,
      toDecimal64(if(h % 5 = 0, h % 101, 0), 6), h % 5 = 0, if(h % 5 = 0, 5, 0), if(h % 5 = 0, h % 6, 0)
    from numbers(${count})`;
}

/** Returns the key of the last row of a page, counted from 1: where the next page begins. */
export async function lastKeyOfPage(
  clickHouseUrl: string,
  brandId: number,
  { page, perPage }: { readonly page: number; readonly perPage: number },
): Promise<readonly [content: number, day: Day, learner: number]> {
  const clickHouse = new ClickHouse(clickHouseUrl, limits);
  try {
    const [row = []] = await clickHouse.rows(
      `select toInt64(content_ref_id) as content, toInt64(day) as day, toInt64(user_id) as learner from ${dataset}
       where brand_id = ${brandId} order by content_ref_id, day, user_id limit 1 offset ${page * perPage - 1}`,
    );
    const [content, day, learner] = row.map(Number);
    if (content === undefined || day === undefined || learner === undefined)
      throw new Error(`there is no page ${page}`);
    return [content, dayOfNumber(day), learner];
  } finally {
    await clickHouse.close();
  }
}
