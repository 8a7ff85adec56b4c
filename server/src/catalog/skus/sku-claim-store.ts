import { statement } from '../../postgres/statement.ts';
import type { CatalogLock } from '../brand-catalog-store.ts';

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

/**
 * Claims a SKU for a product or variant of the brand; false when it is taken. Waits for another transaction that is
 * about to claim the same SKU, so that exactly one of them gets it.
 */
export async function claimSku({ tx, brandId }: CatalogLock, sku: string, owner: SkuOwner): Promise<boolean> {
  const rows = await tx.run(
    statement<{ claimed: true }>(
      'claim_sku',
      `insert into sku_claims (brand_id, sku, kind, tu_id)
       values ($1, $2, $3, $4)
       on conflict (brand_id, sku) do nothing
       returning true as claimed`,
      [brandId, sku, owner.kind, owner.tuId],
    ),
  );
  return rows.length === 1;
}

/**
 * Claims one SKU for each of the variants, in one statement, and returns the claimed SKUs, without those that were
 * already taken. The SKUs must be distinct.
 */
export async function claimVariantSkus(
  { tx, brandId }: CatalogLock,
  variants: readonly { readonly sku: string; readonly tuId: string }[],
): Promise<Set<string>> {
  const rows = await tx.run(
    statement<{ sku: string }>(
      'claim_variant_skus',
      `insert into sku_claims (brand_id, sku, kind, tu_id)
       select $1, n.sku, 'variant', n.tu_id from unnest($2::text[], $3::text[]) as n (sku, tu_id)
       on conflict (brand_id, sku) do nothing
       returning sku`,
      [brandId, variants.map(({ sku }) => sku), variants.map(({ tuId }) => tuId)],
    ),
  );
  return new Set(rows.map(({ sku }) => sku));
}

/** Releases a SKU, after its owner has taken another one [catalog-21]. */
export function releaseSku({ tx, brandId }: CatalogLock, sku: string): void {
  tx.queue(
    statement<never>('release_sku', 'delete from sku_claims where brand_id = $1 and sku = $2', [
      brandId,
      sku,
    ]),
  );
}

/** Returns the current holder of the SKU; null when it is free. */
export async function findSkuOwner({ tx, brandId }: CatalogLock, sku: string): Promise<SkuHolder | null> {
  const rows = await tx.run(
    statement<{ kind: SkuOwnerKind; tu_id: string; is_deleted: boolean }>(
      'find_sku_owner',
      `select c.kind, c.tu_id, v.deleted_at is not null as is_deleted
       from sku_claims c
       left join variants v on v.brand_id = c.brand_id and v.tu_id = c.tu_id and c.kind = 'variant'
       where c.brand_id = $1 and c.sku = $2`,
      [brandId, sku],
    ),
  );
  const row = rows[0];
  return row === undefined ? null : { kind: row.kind, tuId: row.tu_id, isDeleted: row.is_deleted };
}
