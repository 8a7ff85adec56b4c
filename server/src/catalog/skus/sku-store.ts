import type { Caller } from '../../api/access.ts';
import type { InBrand } from '../../api/brand-lock.ts';
import { ApiError } from '../../errors/api-error.ts';
import { statement } from '../../postgres/statement.ts';

type SkuOwnerKind = 'product' | 'variant';

interface SkuOwner {
  readonly kind: SkuOwnerKind;
  readonly tuId: string;
}

/** The holder of a SKU, and whether it is a deleted variant: those keep their claims. */
export interface SkuHolder extends SkuOwner {
  readonly isDeleted: boolean;
}

/** An expression with the holder of a SKU of the brand `$1` as JSON, or null. `sku`: its placeholder. */
export const skuHolderJson = (sku: string) => `(
    select json_build_object('kind', c.kind, 'tuId', c.tu_id, 'isDeleted', v.deleted_at is not null)
    from sku_claims c
    left join variants v on v.brand_id = c.brand_id and v.tu_id = c.tu_id and c.kind = 'variant'
    where c.brand_id = $1 and c.sku = ${sku}
  )`;

/** Returns the holder of a SKU; null if it is free. */
export async function findSkuHolder({ tx, brandId }: InBrand, sku: string): Promise<SkuHolder | null> {
  const [row] = await tx.run(
    statement<{ holder: SkuHolder | null }>('find_sku_holder', `select ${skuHolderJson('$2')} as holder`, [
      brandId,
      sku,
    ]),
  );
  return row?.holder ?? null;
}

/** Claims a free SKU for a product or a variant. Sent with the commit. */
export function claimSku({ tx, brandId }: InBrand, kind: SkuOwnerKind, sku: string, tuId: string): void {
  tx.queue(
    statement<never>(
      'claim_sku',
      'insert into sku_claims (brand_id, sku, kind, tu_id) values ($1, $2, $3, $4)',
      [brandId, sku, kind, tuId],
    ),
  );
}

/** Returns which of some SKUs are taken. */
export async function findTakenSkus({ tx, brandId }: InBrand, skus: readonly string[]): Promise<Set<string>> {
  const rows = await tx.run(
    statement<{ sku: string }>(
      'find_taken_skus',
      'select sku from sku_claims where brand_id = $1 and sku = any($2::text[])',
      [brandId, skus],
    ),
  );
  return new Set(rows.map(({ sku }) => sku));
}

/** Claims the free SKUs of new variants. Sent with the commit. */
export function claimVariantSkus(
  { tx, brandId }: InBrand,
  variants: readonly { readonly sku: string; readonly tuId: string }[],
): void {
  tx.queue(
    statement<never>(
      'claim_variant_skus',
      `insert into sku_claims (brand_id, sku, kind, tu_id)
       select $1, g.sku, 'variant', g.tu_id from unnest($2::text[], $3::text[]) as g (sku, tu_id)`,
      [brandId, variants.map(({ sku }) => sku), variants.map(({ tuId }) => tuId)],
    ),
  );
}

/** Releases a SKU, after its owner has taken another one [catalog-21]. */
export function releaseSku({ tx, brandId }: InBrand, sku: string): void {
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
