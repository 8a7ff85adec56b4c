import { dayNumberOf, dayOf } from '../../../../../server/src/analytics/day.ts';
import { datasetNames } from '../../../../../server/src/analytics/store/aggregation-types.ts';
import type { EngineTable, SizedEngine } from '../../../../../server/src/usage/sized-engine.ts';
import type { ClickHouse } from '../../store/clickhouse.ts';
import { monthOf } from '../../store/literals.ts';

/** The limit of a statement, as for PostgreSQL's. */
const limitMs = 30_000;

export function sizedClickHouse(clickHouse: ClickHouse): SizedEngine {
  return {
    listTables: (since) => listClickHouseTables(clickHouse, since),
    // The months of events before that of `before`.
    sumDueEventBytes: (before) =>
      sumBytes(clickHouse, `table = 'learning_events' and toInt32(partition) < ${monthOf(dayOf(before))}`),
  };
}

/**
 * Lists the tables of the store. Replaced and deleted rows that still occupy space are part of the bytes, parts that were merged
 * and will be removed within minutes are not. Rows that are not published yet or any more are part of the rows. A brand's rows
 * are counted in the order of the table.
 */
async function listClickHouseTables(clickHouse: ClickHouse, since: Date): Promise<EngineTable[]> {
  const tables: EngineTable[] = [];
  for (const name of ['learning_events', ...datasetNames]) {
    const bytes = await sumBytes(clickHouse, `table = '${name}'`);
    const brands = await clickHouse.rows(
      `select brand_id, count() as rows, countIf(day >= ${dayNumberOf(dayOf(since))}) as recent from ${name}
       group by brand_id order by brand_id`,
      { limitMs },
    );
    tables.push({
      name: `clickhouse.${name}`,
      bytes,
      brands: brands.map(([brandId, rows, recentRows]) => ({
        brandId: Number(brandId),
        rows: Number(rows),
        recentRows: Number(recentRows),
      })),
    });
  }
  return tables;
}

async function sumBytes(clickHouse: ClickHouse, condition: string): Promise<number> {
  const [bytes = 0] = await clickHouse.numbers(
    `select sum(bytes_on_disk) as bytes from system.parts where database = currentDatabase() and active and ${condition}`,
    { limitMs },
  );
  return bytes;
}
