import type { Queryable } from '../../../../../server/src/postgres/database.ts';
import { statement } from '../../../../../server/src/postgres/statement.ts';
import type { Transaction } from '../../../../../server/src/postgres/transaction.ts';

/** Declares that the events are in ClickHouse, or will be. If another process is doing so, waits for it and returns its id. */
export async function claimStore(
  tx: Transaction,
  storeId: string,
  hasEvents: boolean,
): Promise<{ readonly storeId: string; readonly isNew: boolean }> {
  const rows = await tx.run(
    statement<{ store_id: string }>(
      'claim_clickhouse_store',
      `insert into analytics.clickhouse_store (store_id, has_events) values ($1::uuid, $2)
       on conflict do nothing returning store_id::text as store_id`,
      [storeId, hasEvents],
    ),
  );
  if (rows.length > 0) return { storeId, isNew: true };
  const known = await tx.run(
    statement<{ store_id: string }>(
      'find_claimed_clickhouse_store',
      'select store_id::text as store_id from analytics.clickhouse_store',
    ),
  );
  return { storeId: (known[0] as { store_id: string }).store_id, isNew: false };
}

export async function hasPostgresRows(database: Queryable): Promise<boolean> {
  const rows = await database.run(
    statement<{ has: boolean }>(
      'find_whether_postgres_has_rows',
      `select exists (select from analytics.learning_events) or exists (select from analytics.daily) as has`,
    ),
  );
  return rows[0]?.has === true;
}
