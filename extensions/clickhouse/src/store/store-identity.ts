import type { ClickHouse } from './clickhouse.ts';

// The id of the analytics store that a ClickHouse database belongs to. PostgreSQL has the same one.

/** Returns the id; null: the database belongs to no store, or has no tables. */
export async function findIdentity(clickHouse: ClickHouse): Promise<string | null> {
  const ofIdentity = `database = currentDatabase() and name = 'store_identity'`;
  if ((await clickHouse.count('system.tables', ofIdentity)) === 0) return null;
  const [row] = await clickHouse.rows('select id from store_identity');
  return row?.[0] ?? null;
}

export async function insertIdentity(clickHouse: ClickHouse, storeId: string): Promise<void> {
  await clickHouse.insert('store_identity', ['id'], `${storeId}\n`);
}
