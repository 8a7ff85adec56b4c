import type pg from 'pg';
import { StoreMismatch } from '../../../../../server/src/analytics/store/access.ts';
import { datasetNames } from '../../../../../server/src/analytics/store/datasets.ts';
import { findEngineStore } from '../../../../../server/src/analytics/store/engine-store.ts';
import { Database } from '../../../../../server/src/postgres/database.ts';
import type { CopiedRows, CopyOptions } from '../../../../../server/src/serve/analytics-engine.ts';
import { ClickHouse } from '../clickhouse.ts';
import { columnsOf, generationTables, shapes } from '../dataset-shape.ts';
import { monthOf } from '../literals.ts';
import { joinStore } from '../prepare-clickhouse.ts';
import { eventColumns, schemaStatements } from '../schema.ts';
import { findIdentity } from '../store-identity.ts';
import {
  type CopiedTable,
  copiedNumber,
  countRows,
  listMonths,
  type Month,
  openCopySource,
  readRows,
} from './copy-source.ts';

const limits = { answerMs: 6 * 3_600_000, connections: 2 };

/**
 * Copies the events and datasets of a store from PostgreSQL to ClickHouse, with its revisions, which stay where they are. One
 * commit at the end moves the store: an interrupted copy changes nothing that anybody reads, and the next one starts over. The
 * rows in PostgreSQL stay, unused.
 * @throws StoreMismatch if the store is in ClickHouse already, in use, or the counts differ
 */
export async function copyFromPostgres({
  address,
  clickHouseUrl,
  onCopied,
  signal,
}: CopyOptions & { readonly clickHouseUrl: string }): Promise<CopiedRows> {
  const database = new Database({ address, applicationName: 'brandport-copy', poolSize: 1, readPoolSize: 1 });
  const clickHouse = new ClickHouse(clickHouseUrl, limits);
  let source: pg.Client | null = null;
  try {
    if ((await findEngineStore(database)) !== null)
      throw new StoreMismatch('The events of this analytics store are in ClickHouse already.');
    await prepareTarget(database, clickHouse);
    source = await openCopySource(address);
    const rows: Record<string, number> = {};
    for (const table of ['learning_events', ...datasetNames] as const) {
      rows[table] = 0;
      for (const month of await listMonths(source, table)) {
        signal.throwIfAborted();
        const copied = await copyMonth(source, clickHouse, table, month);
        onCopied(table, month.from.slice(0, 7), copied);
        rows[table] += copied;
      }
    }
    await publishCopy(source);
    await source.query('commit');
    return rows;
  } finally {
    // Without the commit, it is rolled back.
    await source?.end();
    await clickHouse.close();
    await database.close();
  }
}

/** Joins the ClickHouse database to the store, and removes what an interrupted copy has left. */
async function prepareTarget(database: Database, clickHouse: ClickHouse): Promise<void> {
  for (const text of schemaStatements) await clickHouse.run(text);
  const storeId = await joinStore(database, clickHouse, false);
  if ((await findIdentity(clickHouse)) !== storeId)
    throw new StoreMismatch(
      'The database of BRANDPORT_CLICKHOUSE_URL has events of another analytics store.',
    );
  for (const table of ['learning_events', ...generationTables])
    await clickHouse.run(`truncate table ${table}`);
}

async function copyMonth(
  source: pg.Client,
  clickHouse: ClickHouse,
  table: CopiedTable,
  month: Month,
): Promise<number> {
  const columns = table === 'learning_events' ? Object.keys(eventColumns) : columnsOf(shapes[table]);
  await clickHouse.insertStream(table, columns, readRows(source, table, columns, month));
  const expected = await countRows(source, table, month);
  const copied = await clickHouse.count(table, `month = ${monthOf(month.from)}`);
  if (copied !== expected)
    throw new StoreMismatch(
      `ClickHouse has ${copied} rows of ${table} in ${month.from.slice(0, 7)}, not ${expected}.`,
    );
  return copied;
}

/** Publishes all copied rows and declares that the store is in ClickHouse, once the transaction has committed. */
async function publishCopy(client: pg.Client): Promise<void> {
  await client.query('delete from analytics.published_layers');
  for (const name of datasetNames)
    await client.query(
      `insert into analytics.published_layers (brand_id, dataset, day, generations)
       select distinct brand_id, $1, day, array[$2::bigint] from analytics.${name}`,
      [name, copiedNumber],
    );
  await client.query(
    `insert into analytics.totals_marks (brand_id)
     select distinct brand_id from analytics.brand_days where aggregated_at is not null on conflict do nothing`,
  );
  await client.query(
    'update analytics.clickhouse_store set has_events = true, sealed_before = greatest(sealed_before, $1)',
    [copiedNumber + 1],
  );
}
