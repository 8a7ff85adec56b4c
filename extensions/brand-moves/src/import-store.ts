import type pg from 'pg';
import { quotedName } from '../../../server/src/backup/copy-connection.ts';
import { type BrandTable, type LastId, ofBrand } from './brand-tables-store.ts';

/**
 * Moves the sequences behind the ids that will be imported. Each in a short transaction with the sequence's lock, so that no id
 * that is generated meanwhile is generated again.
 */
export async function advanceSequences(client: pg.Client, lastIds: readonly LastId[]): Promise<void> {
  for (const { schema, table, column, last } of lastIds) {
    const { rows } = await client.query<{ name: string }>(
      'select pg_get_serial_sequence($1, $2)::regclass::text as name',
      [quotedName({ schema, name: table }), column],
    );
    const name = rows[0]?.name as string;
    const { rows: found } = await client.query(
      // The first id that it generates is its value, later ones follow it.
      `select last_value - (not is_called)::integer < $1::bigint as is_behind from ${name}`,
      [last],
    );
    if (found[0]?.is_behind !== true) continue;
    await client.query('begin');
    // Any change of a sequence takes the lock for which the generation of ids waits.
    await client.query(`set local lock_timeout = '5s'; alter sequence ${name} cache 1`);
    await client.query(`select setval($1::regclass, greatest(last_value, $2::bigint)) from ${name}`, [
      name,
      last,
    ]);
    await client.query('commit');
  }
}

/** Deletes what an interrupted import has left of a brand in a separate analytics store. */
export async function deleteRowsOf(
  client: pg.Client,
  tables: readonly BrandTable[],
  brandId: number,
): Promise<number> {
  let count = 0;
  for (const table of tables.toReversed()) {
    const { rowCount } = await client.query(
      `delete from ${quotedName(table)} where ${ofBrand(table, brandId)}`,
    );
    count += rowCount ?? 0;
  }
  return count;
}

/** Deletes up to `limit` rows of a brand from a table and returns their number. */
export async function deleteSomeRowsOf(
  client: pg.Client,
  table: BrandTable,
  brandId: number,
  limit: number,
): Promise<number> {
  const { rowCount } = await client.query(
    // A row of a partitioned table is found by its partition too.
    `with batch as (select tableoid, ctid from ${quotedName(table)} where ${ofBrand(table, brandId)} limit ${limit})
     delete from ${quotedName(table)} t using batch where t.ctid = batch.ctid and t.tableoid = batch.tableoid`,
  );
  return rowCount ?? 0;
}

/** Makes other moves of brands on this database wait until the transaction ends. */
export async function lockMoves(client: pg.Client): Promise<void> {
  await client.query('select pg_advisory_xact_lock(4217736, 0)');
}

/** Creates the partitions of months that do not have one; `months` such as `2026-03`. Each is a short transaction. */
export async function makeEventMonths(client: pg.Client, months: readonly string[]): Promise<void> {
  for (const month of months)
    await client.query('select analytics.make_event_partition($1::date)', [`${month}-01`]);
}

/** Keeps events from being dropped until the transaction ends. */
export async function keepEventDays(client: pg.Client): Promise<void> {
  await client.query('lock table only analytics.learning_events in row exclusive mode');
}

/** Returns the name of a brand; null if there is none. */
export async function findBrandName(client: pg.Client, brandId: number): Promise<string | null> {
  const { rows } = await client.query<{ name: string }>('select name from brands where id = $1', [brandId]);
  return rows[0]?.name ?? null;
}
