import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';

/** Deletes a market; its learners then have none. Returns whether it existed. */
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
