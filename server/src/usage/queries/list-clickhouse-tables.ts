import { dayNumberOf, dayOf } from '../../analytics/day.ts';
import { datasetNames } from '../../analytics/store/aggregation-types.ts';
import type { ClickHouse } from '../../analytics/store/clickhouse/clickhouse.ts';
import { monthOf } from '../../analytics/store/clickhouse/literals.ts';

/** A table in ClickHouse, whose rows are counted, not estimated. */
export interface ClickHouseTable {
  readonly name: string;
  /** The size of its parts on disk. Parts that were merged, and will be removed within minutes, do not count. */
  readonly bytes: number;
  readonly brands: readonly {
    readonly brandId: number;
    readonly rows: number;
    readonly recentRows: number;
  }[];
}

/** The limit of a statement, as for PostgreSQL's. */
const limitMs = 30_000;

/**
 * Lists the tables of the store. Replaced and deleted rows that still occupy space are part of the bytes, and rows that are
 * not published yet or any more are part of the rows. A brand's rows are counted in the order of the table.
 * @param since rows of this day and later are recent
 */
export async function listClickHouseTables(clickHouse: ClickHouse, since: Date): Promise<ClickHouseTable[]> {
  const tables: ClickHouseTable[] = [];
  for (const name of ['learning_events', ...datasetNames]) {
    const [bytes = 0] = await clickHouse.numbers(
      `select sum(bytes_on_disk) as bytes from system.parts
       where database = currentDatabase() and table = '${name}' and active`,
      { limitMs },
    );
    const lines = await clickHouse.read(
      `select brand_id, count() as rows, countIf(day >= ${dayNumberOf(dayOf(since))}) as recent from ${name}
       group by brand_id order by brand_id`,
      { limitMs },
    );
    const brands = lines === '' ? [] : lines.split('\n').map((line) => line.split(',').map(Number));
    tables.push({
      name,
      bytes,
      brands: brands.map(([brandId = 0, rows = 0, recentRows = 0]) => ({ brandId, rows, recentRows })),
    });
  }
  return tables;
}

/** The size of the months of events before that of `before`. */
export async function sumDueEventBytes(clickHouse: ClickHouse, before: Date): Promise<number> {
  const [bytes = 0] = await clickHouse.numbers(
    `select sum(bytes_on_disk) as bytes from system.parts
     where database = currentDatabase() and table = 'learning_events' and active
       and toInt32(partition) < ${monthOf(dayOf(before))}`,
    { limitMs },
  );
  return bytes;
}
