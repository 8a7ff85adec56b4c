import type { Caller } from '../../api/scopes.ts';
import { ApiError } from '../../errors/api-error.ts';
import { insertRows, rowSet } from '../../postgres/row-set.ts';
import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { byPosition } from '../brand-set.ts';

export type SkuOwnerKind = 'product' | 'variant';

export interface SkuOwner {
  readonly kind: SkuOwnerKind;
  readonly tuId: string;
}

/** The holder of a SKU, and whether it is a deleted variant: those keep their claims. */
export interface SkuHolder extends SkuOwner {
  readonly isDeleted: boolean;
}

export interface SkuOfBrand {
  readonly brandId: number;
  readonly sku: string;
}

interface OfBrand {
  readonly tx: Transaction;
  readonly brandId: number;
}

/** An expression with the holder of a SKU of the brand `$1` as JSON, or null. `sku`: its placeholder. */
export const skuHolderJson = (sku: string) => `(
    select json_build_object('kind', c.kind, 'tuId', c.tu_id, 'isDeleted', v.deleted_at is not null)
    from sku_claims c
    left join variants v on v.brand_id = c.brand_id and v.tu_id = c.tu_id and c.kind = 'variant'
    where c.brand_id = $1 and c.sku = ${sku}
  )`;

/** Returns the holder of a SKU; null if it is free. */
export async function findSkuHolder({ tx, brandId }: OfBrand, sku: string): Promise<SkuHolder | null> {
  const [row] = await tx.run(
    statement<{ holder: SkuHolder | null }>('find_sku_holder', `select ${skuHolderJson('$2')} as holder`, [
      brandId,
      sku,
    ]),
  );
  return row?.holder ?? null;
}

/** Claims a free SKU for a product or a variant. Sent with the commit. */
export function claimSku({ tx, brandId }: OfBrand, kind: SkuOwnerKind, sku: string, tuId: string): void {
  tx.queue(
    statement<never>(
      'claim_sku',
      'insert into sku_claims (brand_id, sku, kind, tu_id) values ($1, $2, $3, $4)',
      [brandId, sku, kind, tuId],
    ),
  );
}

/** Returns the holders of SKUs, in their order; null where one is free, or none is named. Sends nothing if none is. */
export async function findSkuHolders(
  tx: Transaction,
  named: readonly { readonly brandId: number; readonly sku: string | undefined }[],
): Promise<(SkuHolder | null)[]> {
  const given = named.flatMap(({ brandId, sku }, n) =>
    sku === undefined ? [] : [{ n, brand_id: brandId, sku }],
  );
  if (given.length === 0) return [];
  const rows = await tx.run(
    statement<SkuHolder & { readonly n: number }>(
      'find_sku_holders',
      `select g.n, c.kind, c.tu_id as "tuId", coalesce(v.is_deleted, false) as "isDeleted"
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
  return byPosition(named.length, rows, ({ n: _, ...holder }) => holder);
}

const newClaims = rowSet<SkuOfBrand & SkuOwner>({
  brand_id: ['integer', ({ brandId }) => brandId],
  sku: ['text', ({ sku }) => sku],
  kind: ['text', ({ kind }) => kind],
  tu_id: ['text', ({ tuId }) => tuId],
});

/** Claims free SKUs for products or variants of brands whose catalogs are locked. Sent with the commit. */
export function insertSkuClaims(
  tx: Transaction,
  kind: SkuOwnerKind,
  claims: readonly (SkuOfBrand & { readonly tuId: string })[],
): void {
  insertRows(
    tx,
    'sku_claims',
    newClaims,
    claims.map((claim) => ({ ...claim, kind })),
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

/** Names the holder of the SKU only to a key that may read products [catalog-19] [catalog-20]. */
export function takenSku(caller: Caller, { kind, tuId, isDeleted }: SkuHolder): ApiError {
  const isNamed = caller.scopes.has('catalog.products:read');
  return new ApiError('duplicate_sku', {
    ...(isNamed && { extra: { conflict: { kind, tu_id: tuId, is_deleted: isDeleted } } }),
  });
}
