import type { Readable } from 'node:stream';
import type pg from 'pg';
import copyStreams from 'pg-copy-streams';
import { type Day, firstOfMonth, firstOfNextMonth } from '../../../../server/src/analytics/day.ts';
import { datasetNames, shapeOf } from '../../../../server/src/analytics/store/datasets.ts';
import { findEngineStore } from '../../../../server/src/analytics/store/events-store.ts';
import { StoreMismatch } from '../../../../server/src/analytics/store/store-databases.ts';
import {
  connectionOptions,
  type DatabaseAddress,
  withSettings,
} from '../../../../server/src/postgres/connection-options.ts';
import { Database } from '../../../../server/src/postgres/database.ts';
import { openConnection } from '../../../../server/src/postgres/sessions/session-client.ts';
import type { CopiedRows, CopyOptions } from '../../../../server/src/serve/extension.ts';
import { ClickHouse } from './clickhouse.ts';
import { findIdentity, joinStore } from './prepare-clickhouse.ts';
import { columnsOf, eventColumns, integer, monthOf, schemaStatements } from './schema.ts';

const limits = { answerMs: 6 * 3_600_000, connections: 2 };

/** No time limits: a table may take hours. */
const settings = {
  client_encoding: 'UTF8',
  statement_timeout: '0',
  idle_in_transaction_session_timeout: '0',
};

const tables = ['learning_events', ...datasetNames] as const;
type CopiedTable = (typeof tables)[number];

/** The batch and the generation of everything that is copied. Every other number is greater. */
const copiedNumber = 1;

/**
 * Copies the events and datasets of a store from PostgreSQL to ClickHouse, month by month, with its revisions, which stay where
 * they are. One commit at the end moves the store: an interrupted copy changes nothing that anybody reads, and the next one
 * starts over. The rows in PostgreSQL stay, unused; erasures delete there, too.
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
    for (const text of schemaStatements) await clickHouse.run(text);
    const storeId = await joinStore(database, clickHouse, false);
    if ((await findIdentity(clickHouse)) !== storeId)
      throw new StoreMismatch(
        'The database of BRANDPORT_CLICKHOUSE_URL has events of another analytics store.',
      );
    source = await openSource(address);
    // What an interrupted copy has left.
    for (const table of tables) await clickHouse.run(`truncate table ${table}`);
    const rows: Record<string, number> = {};
    for (const table of tables) {
      rows[table] = 0;
      for (const month of await listMonths(source, table)) {
        signal.throwIfAborted();
        const copied = await copyMonth(source, clickHouse, table, month);
        onCopied(table, month.slice(0, 7), copied);
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

/**
 * Connects to an analytics store in PostgreSQL and begins a transaction that keeps every writer out until it ends: what it reads
 * is what it commits with.
 * @throws StoreMismatch if servers or workers are connected
 */
async function openSource(address: DatabaseAddress): Promise<pg.Client> {
  const options = connectionOptions(address, 'brandport-analytics-copy');
  const client = await openConnection(withSettings(options, settings));
  try {
    await client.query('begin');
    await client.query(`set local lock_timeout = '10s'`);
    await client.query(`lock table analytics.learning_events, analytics.event_claims, analytics.brand_days,
      ${datasetNames.map((name) => `analytics.${name}`).join(', ')}, analytics.dataset_revisions
      in share row exclusive mode`);
    const { rows } = await client.query(
      `select count(*)::integer as others from pg_stat_activity
       where datname = current_database() and application_name ~ '^brandport-analytics(-events|-jobs)?$'`,
    );
    if (rows[0].others > 0)
      throw new StoreMismatch(
        'Servers or workers use the analytics store. Stop them, and run the command again.',
      );
    return client;
  } catch (error) {
    await client.end();
    throw error;
  }
}

/** The first days of the months with rows. */
async function listMonths(source: pg.Client, table: CopiedTable): Promise<Day[]> {
  const { rows } = await source.query(
    `select distinct to_char(day, 'YYYY-MM') || '-01' as first from analytics.${table} order by first`,
  );
  return rows.map(({ first }) => firstOfMonth(first));
}

/** Copies a month of a table, and returns its number of rows. */
async function copyMonth(
  source: pg.Client,
  clickHouse: ClickHouse,
  table: CopiedTable,
  first: Day,
): Promise<number> {
  const month = monthOf(first);
  const columns = table === 'learning_events' ? Object.keys(eventColumns) : columnsOf(shapeOf(table));
  await clickHouse.insertStream(table, columns, readRows(source, table, columns, first));
  const { rows } = await source.query(
    `select count(*)::bigint as rows from analytics.${table} where day >= $1::date and day < $2::date`,
    [first, firstOfNextMonth(first)],
  );
  const expected = Number(rows[0].rows);
  const copied = await clickHouse.count(table, `month = ${integer(month)}`);
  if (copied !== expected)
    throw new StoreMismatch(
      `ClickHouse has ${copied} rows of ${table} in ${first.slice(0, 7)}, not ${expected}.`,
    );
  return copied;
}

function readRows(source: pg.Client, table: CopiedTable, columns: readonly string[], first: Day): Readable {
  const order = table === 'learning_events' ? 'day, user_id' : shapeOf(table).order.join(', ');
  return source.query(
    copyStreams.to(`copy (
      select ${columns.map(selected).join(', ')} from analytics.${table}
      where day >= date '${first}' and day < date '${firstOfNextMonth(first)}' order by brand_id, ${order}
    ) to stdout`),
  );
}

/** Decimals are cut off after 6 decimal places, which no rounded mean shows [D191]. */
function selected(column: string): string {
  if (column === 'batch' || column === 'generation') return String(copiedNumber);
  if (column === 'occurred_ms') return '(extract(epoch from occurred_at) * 1000)::bigint';
  if (column === 'month') return `(extract(year from day) * 100 + extract(month from day))::integer`;
  if (column === 'day') return `day - date '1970-01-01'`;
  const isDecimal = column === 'progress' || column === 'score' || column.endsWith('_sum');
  return isDecimal ? `trunc(${column}, 6)` : column;
}

/** Publishes all copied rows and declares that the store is in ClickHouse, once the transaction has committed. */
async function publishCopy(client: pg.Client): Promise<void> {
  for (const name of datasetNames)
    await client.query(
      `insert into analytics.published_generations (brand_id, dataset, day, generation)
       select distinct brand_id, $1, day, $2::bigint from analytics.${name}`,
      [name, copiedNumber],
    );
  await client.query(
    'update analytics.clickhouse_store set has_events = true, sealed_before = greatest(sealed_before, $1)',
    [copiedNumber + 1],
  );
}
