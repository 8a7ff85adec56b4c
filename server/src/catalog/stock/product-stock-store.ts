import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';

/**
 * Locks the stock of products until the transaction ends, in the order of their ids. Everything that changes a level
 * of these products, or whether one counts, goes through here first; so what is read afterwards stays true, and
 * `refreshProductStock` sees all of it. Ids of another brand or of no product lock nothing. Who is going to make levels
 * calls `keepLocations` before.
 */
export async function lockProductStock(
  tx: Transaction,
  brandId: number,
  productIds: readonly number[],
): Promise<void> {
  await tx.run(
    statement<never>(
      'lock_product_stock',
      `select product_id from product_stock
       where brand_id = $1 and product_id = any($2::bigint[])
       order by product_id
       for update`,
      [brandId, productIds],
    ),
  );
}

/**
 * Works the stock rollups of products out anew from their levels, in one statement. The caller holds their locks
 * (`lockProductStock`) and has made its changes.
 */
export async function refreshProductStock(
  tx: Transaction,
  brandId: number,
  productIds: readonly number[],
): Promise<void> {
  await tx.run(
    statement<never>('refresh_product_stock', refreshOf('any($2::bigint[])'), [brandId, productIds]),
  );
}

const productsAtLocation = `select distinct l.product_id from stock_levels l
  where l.brand_id = $1 and l.location_code = $2 and not l.is_hidden`;

/**
 * As `lockProductStock`, for every product that has a level at the location. The caller has locked the location
 * (`lockLocation`), so that no level is added meanwhile.
 */
export async function lockProductStockAtLocation(
  tx: Transaction,
  brandId: number,
  locationCode: string,
): Promise<void> {
  await tx.run(
    statement<{ products: number }>(
      'lock_product_stock_at_location',
      `select count(*) as products from (
         select s.product_id from product_stock s
         where s.brand_id = $1 and s.product_id in (${productsAtLocation})
         order by s.product_id
         for update of s
       ) as locked`,
      [brandId, locationCode],
    ),
  );
}

/** As `refreshProductStock`, for every product that has a level at the location. */
export async function refreshProductStockAtLocation(
  tx: Transaction,
  brandId: number,
  locationCode: string,
): Promise<void> {
  await tx.run(
    statement<never>('refresh_product_stock_at_location', refreshOf(`any(array(${productsAtLocation}))`), [
      brandId,
      locationCode,
    ]),
  );
}

/**
 * The view is asked for the same products by name: a condition on a join partner alone would not keep it from working
 * out every product of the brand.
 */
function refreshOf(ids: string): string {
  return `update product_stock s
    set total_quantity = t.total_quantity, total_reserved = t.total_reserved,
      own_levels = t.own_levels, own_counted_levels = t.own_counted_levels,
      own_available = t.own_available, own_fresh_at = t.own_fresh_at,
      variant_levels = t.variant_levels, variant_counted_levels = t.variant_counted_levels,
      variant_available = t.variant_available, variant_fresh_at = t.variant_fresh_at
    from product_stock_truth t
    where s.brand_id = $1 and s.product_id = ${ids}
      and t.brand_id = $1 and t.product_id = ${ids} and t.product_id = s.product_id`;
}
