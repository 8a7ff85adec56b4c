import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';

export type SkuOwnerKind = 'product' | 'variant';

/** The owner of a SKU's claim. */
export interface SkuOwner {
  readonly kind: SkuOwnerKind;
  readonly tuId: string;
}

/** The holder of a SKU, and whether it is a deleted variant: those keep their claims. */
export interface SkuHolder extends SkuOwner {
  readonly isDeleted: boolean;
}

/** A SKU of a brand. */
export interface SkuOfBrand {
  readonly brandId: number;
  readonly sku: string;
}

/** Returns the holders of SKUs of any brands, in their order, in one statement; null where one is free. */
export async function findSkuHolders(
  tx: Transaction,
  skus: readonly SkuOfBrand[],
): Promise<(SkuHolder | null)[]> {
  if (skus.length === 0) return [];
  const given = skus.map(({ brandId, sku }, n) => ({ n, brand_id: brandId, sku }));
  const rows = await tx.run(
    statement<{ n: number; kind: SkuOwnerKind; tu_id: string; is_deleted: boolean }>(
      'find_sku_holders',
      `select g.n, c.kind, c.tu_id, coalesce(v.is_deleted, false) as is_deleted
       from json_to_recordset($1::json) as g (n integer, brand_id integer, sku text)
       cross join lateral (
         select c.kind, c.tu_id from sku_claims c where c.brand_id = g.brand_id and c.sku = g.sku
         offset 0
       ) c
       left join lateral (
         select v.deleted_at is not null as is_deleted from variants v
         where v.brand_id = g.brand_id and v.tu_id = c.tu_id and c.kind = 'variant'
         offset 0
       ) v on true`,
      [JSON.stringify(given)],
    ),
  );
  const holders: (SkuHolder | null)[] = skus.map(() => null);
  for (const { n, kind, tu_id, is_deleted } of rows)
    holders[n] = { kind, tuId: tu_id, isDeleted: is_deleted };
  return holders;
}

/** Claims free SKUs for products or variants of brands whose catalogs are locked. Sent with the commit. */
export function insertSkuClaims(
  tx: Transaction,
  kind: SkuOwnerKind,
  claims: readonly (SkuOfBrand & { readonly tuId: string })[],
): void {
  if (claims.length === 0) return;
  const rows = claims.map(({ brandId, sku, tuId }) => ({ brand_id: brandId, sku, tu_id: tuId }));
  tx.queue(
    statement<never>(
      'insert_sku_claims',
      `insert into sku_claims (brand_id, sku, kind, tu_id)
       select g.brand_id, g.sku, $2, g.tu_id
       from json_to_recordset($1::json) as g (brand_id integer, sku text, tu_id text)`,
      [JSON.stringify(rows), kind],
    ),
  );
}

/** Releases a SKU, after its owner has taken another one [catalog-21]. */
export function releaseSku(
  { tx, brandId }: { readonly tx: Transaction; readonly brandId: number },
  sku: string,
): void {
  tx.queue(
    statement<never>('release_sku', 'delete from sku_claims where brand_id = $1 and sku = $2', [
      brandId,
      sku,
    ]),
  );
}
