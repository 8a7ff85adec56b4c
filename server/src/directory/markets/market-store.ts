import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { MarketItem } from './market.ts';

/**
 * Makes the markets that are missing and changes the names that were given; two statements, however many items. Rows
 * are taken in the order of their ids' text, so that two upserts at once cannot wait for each other.
 */
export async function upsertMarkets(
  tx: Transaction,
  brandId: number,
  items: readonly MarketItem[],
): Promise<void> {
  const values = [brandId, items.map(({ tuId }) => tuId), items.map(({ name }) => name ?? null)];
  await tx.run(
    statement<never>(
      'insert_markets',
      `insert into markets (brand_id, tu_id, name)
       select $1, i.tu_id, i.name from unnest($2::text[], $3::text[]) as i (tu_id, name)
       order by i.tu_id collate "C"
       on conflict (brand_id, tu_id) do nothing`,
      values,
    ),
  );
  await tx.run(
    statement<never>(
      'rename_markets',
      `update markets m
       set name = i.name, updated_at = date_trunc('milliseconds', clock_timestamp())
       from unnest($2::text[], $3::text[]) as i (tu_id, name)
       where m.brand_id = $1 and m.tu_id = i.tu_id and i.name is not null and m.name is distinct from i.name`,
      values,
    ),
  );
}

/**
 * Deletes a market; its learners are then in none. Answers whether there was one.
 */
export async function deleteMarket(tx: Transaction, brandId: number, tuId: string): Promise<boolean> {
  const rows = await tx.run(
    statement<{ id: number }>(
      'lock_market',
      'select id from markets where brand_id = $1 and tu_id = $2 for update',
      [brandId, tuId],
    ),
  );
  const market = rows[0];
  if (market === undefined) return false;
  const values = [brandId, market.id];
  await tx.run(
    statement<never>(
      'clear_learners_market',
      'update learners set market_id = null where brand_id = $1 and market_id = $2',
      values,
    ),
  );
  await tx.run(
    statement<never>('delete_market', 'delete from markets where brand_id = $1 and id = $2', values),
  );
  return true;
}
