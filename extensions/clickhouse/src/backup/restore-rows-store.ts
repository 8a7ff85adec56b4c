import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { datasetNames } from '../../../../server/src/analytics/store/aggregation-types.ts';
import type { FromArchive } from '../../../../server/src/backup/backed-engine.ts';
import { BackupError } from '../../../../server/src/backup/backup-error.ts';
import type { EnginePart } from '../../../../server/src/backup/manifest.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import { columnsOf, shapes } from '../store/dataset-shape.ts';
import { eventColumns, schemaStatements } from '../store/schema.ts';
import { findIdentity, insertIdentity } from '../store/store-identity.ts';
import { insertMember } from './rows-into-clickhouse.ts';

/** In the order of their creation: the identity is the first. */
const ownTables = schemaStatements.flatMap(
  (text) => /^create table if not exists (\w+)/.exec(text)?.[1] ?? [],
);
/** The identity of a database that is being filled. A restore that was killed leaves it, and the next one starts over. */
const unfinished = 'restoring';

/**
 * Creates the tables in an empty ClickHouse database, or in one that an interrupted restore has left.
 * @throws BackupError when the database has anything else
 */
export async function openEmptyClickHouse(clickHouse: ClickHouse): Promise<void> {
  const rows = await clickHouse.rows(
    'select name from system.tables where database = currentDatabase() order by name',
  );
  const tables = rows.flat();
  const isUnfinished =
    tables.every((name) => ownTables.includes(name)) && (await findIdentity(clickHouse)) === unfinished;
  if (tables.length > 0 && !isUnfinished)
    throw new BackupError(
      `The ClickHouse database is not empty: it has ${tables.slice(0, 3).join(', ')}${tables.length > 3 ? ', …' : ''}. ` +
        'Restore into an empty one. Nothing was written.',
    );
  await dropTables(clickHouse);
  for (const text of schemaStatements) await clickHouse.run(text);
  await insertIdentity(clickHouse, unfinished);
}

/** Removes what a failed restore has written. */
export async function dropTables(clickHouse: ClickHouse): Promise<void> {
  // The identity goes last: without it, the rest would count as somebody else's.
  for (const name of ownTables.toReversed()) await clickHouse.run(`drop table if exists ${name} sync`);
}

/**
 * Fills the tables, compares the number of rows of each month, and gives the database and the restored PostgreSQL, in the
 * transaction of `client`, a new id: the databases that the backup is of may still be in use. Returns the rows.
 * @throws BackupError when the archive is damaged or a row is missing
 */
export async function fillClickHouse(
  clickHouse: ClickHouse,
  client: pg.Client,
  { tables }: EnginePart,
  { log, ...from }: FromArchive,
): Promise<number> {
  let total = 0;
  for (const table of tables) {
    const { name, month, columns, rows } = table;
    if (!areKnown(name, columns))
      throw new BackupError(`its table ${name} has other columns than this version's`);
    await insertMember(clickHouse, table, from);
    log('info', `clickhouse.${name} ${month}: ${rows} rows`);
    total += rows;
  }
  await withdrawTotals(client);
  const storeId = randomUUID();
  await client.query('update analytics.clickhouse_store set store_id = $1', [storeId]);
  await clickHouse.run('truncate table store_identity');
  await insertIdentity(clickHouse, storeId);
  return total;
}

/** Deletes the records of running totals, whose rows no backup has, and marks their brands: the upkeep writes new ones. */
async function withdrawTotals(client: pg.Client): Promise<void> {
  // Migrations that the backup did not have yet run later.
  const { rows } = await client.query<{ totals: boolean; marks: boolean }>(
    `select to_regclass('analytics.running_totals') is not null as totals,
       to_regclass('analytics.totals_marks') is not null as marks`,
  );
  if (rows[0]?.marks === true)
    await client.query(
      `insert into analytics.totals_marks (brand_id) select distinct brand_id from analytics.running_totals
       on conflict do nothing`,
    );
  if (rows[0]?.totals === true) await client.query('delete from analytics.running_totals');
}

function areKnown(name: string, columns: readonly string[]): boolean {
  const dataset = datasetNames.find((one) => one === name);
  const known = dataset === undefined ? Object.keys(eventColumns) : columnsOf(shapes[dataset]);
  return (
    (dataset !== undefined || name === 'learning_events') && columns.every((column) => known.includes(column))
  );
}
