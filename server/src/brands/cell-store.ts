import type { Queryable } from '../postgres/database.ts';
import { statement } from '../postgres/statement.ts';
import type { Transaction } from '../postgres/transaction.ts';
import type { IdRange } from './cell.ts';

/** Returns the cell that this database is; null if it is none. */
export async function findCell(database: Queryable): Promise<string | null> {
  const rows = await database.run(statement<{ name: string }>('find_cell', 'select name from cell'));
  return rows[0]?.name ?? null;
}

/** Makes other starts on this database wait until the transaction ends. */
export async function lockCell(tx: Transaction): Promise<void> {
  await tx.run(statement<never>('lock_cell', 'lock table cell in share row exclusive mode'));
}

export async function insertCell(tx: Transaction, name: string): Promise<void> {
  await tx.run(statement<never>('insert_cell', 'insert into cell (name) values ($1)', [name]));
}

export async function hasBrandOutside(tx: Transaction, { first, last }: IdRange): Promise<boolean> {
  const rows = await tx.run(
    statement<{ found: boolean }>(
      'has_brand_outside',
      'select exists (select from brands where id < $1 or id > $2) as found',
      [first, last],
    ),
  );
  return rows[0]?.found === true;
}

export type RangedTable = 'brands' | 'feed_tokens';

/**
 * Limits the generated ids of a table to a range, and continues after the last one in it. Does nothing if it is so already.
 * Inserts into the table wait until the transaction ends.
 */
export async function limitIds(tx: Transaction, table: RangedTable, range: IdRange): Promise<void> {
  const { first, last } = range;
  const rows = await tx.run(
    statement<{ is_limited: boolean; is_used: boolean }>(
      'read_id_range',
      `select min_value = $2 and max_value = $3 as is_limited, coalesce(last_value between $2 and $3, false) as is_used
       from pg_sequences where schemaname = 'public' and sequencename = $1 || '_id_seq'`,
      [table, first, last],
    ),
  );
  if (rows[0]?.is_limited !== false) return;
  const restart = rows[0].is_used ? '' : ` restart with ${first}`;
  await tx.run(
    statement<never>(
      `limit_ids_of_${table}_${first}${restart === '' ? '' : '_restart'}`,
      `alter sequence ${table}_id_seq minvalue ${first} maxvalue ${last} start with ${first}${restart}`,
    ),
  );
}
