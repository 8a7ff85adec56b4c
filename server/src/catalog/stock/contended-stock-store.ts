import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { defaultLocationCode } from './location.ts';
import type { StockChange } from './stock-change.ts';

/** Milliseconds for which a product counts as contended, and the most products that do. */
const contendedForMs = 1_000;
const maxContended = 1_000;

/** Product -> when it stops counting as contended. A hint of this process: it decides what is fast, never what is right. */
const contended = new Map<string, number>();

/** Records that another transaction was writing to the stock of the change's product. */
export function noteContention(change: StockChange): void {
  const key = keyOf(change);
  contended.delete(key);
  contended.set(key, performance.now() + contendedForMs);
  const [oldest] = contended.keys();
  if (contended.size > maxContended && oldest !== undefined) contended.delete(oldest);
}

/** Returns whether others wrote to the stock of the change's product in the last second. */
export function isContended(change: StockChange): boolean {
  return (contended.get(keyOf(change)) ?? 0) > performance.now();
}

/**
 * Sends a lock on the product's stock ahead of the statement that changes it, so that this one is not run twice while other
 * transactions wait for the lock. Does nothing where the level does not exist yet: its location is locked before the product.
 */
export function lockContendedStock(tx: Transaction, change: StockChange): void {
  const { brandId, productTuId, variantTuId, location } = change;
  tx.queue(
    statement<never>(
      'lock_contended_stock',
      `select s.product_id from (
         select p.id from products p where p.brand_id = $1 and p.tu_id = $2 offset 0
       ) p
       cross join lateral (
         select s.product_id from product_stock s
         where s.brand_id = $1 and s.product_id = p.id and exists (
           select from stock_levels l
           where l.brand_id = $1 and l.product_id = p.id
             and l.location_id = (select o.id from stock_locations o where o.brand_id = $1 and o.external_code = $4)
             and l.variant_id is not distinct from
               (select v.id from variants v where v.brand_id = $1 and v.tu_id = $3 and v.product_id = p.id)
         )
         offset 0
         for update of s
       ) s`,
      [brandId, productTuId, variantTuId, location ?? defaultLocationCode],
    ),
  );
}

function keyOf({ brandId, productTuId }: StockChange): string {
  return `${brandId} ${productTuId}`;
}
