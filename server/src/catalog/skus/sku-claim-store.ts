import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';

export type SkuOwnerKind = 'product' | 'variant';

/** Who holds a SKU. */
export interface SkuOwner {
  readonly kind: SkuOwnerKind;
  readonly tuId: string;
}

/**
 * Claims a SKU for a product or variant of the brand; false when it is taken. Waits for another transaction that is
 * about to claim the same SKU, so that exactly one of them gets it.
 */
export async function claimSku(
  tx: Transaction,
  brandId: number,
  sku: string,
  owner: SkuOwner,
): Promise<boolean> {
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

/** Gives a SKU back, after its owner has taken another one (decision, Small print 4). */
export async function releaseSku(tx: Transaction, brandId: number, sku: string): Promise<void> {
  await tx.run(
    statement<never>('release_sku', 'delete from sku_claims where brand_id = $1 and sku = $2', [
      brandId,
      sku,
    ]),
  );
}

/** Who holds the SKU now; null when nobody does. */
export async function findSkuOwner(tx: Transaction, brandId: number, sku: string): Promise<SkuOwner | null> {
  const rows = await tx.run(
    statement<{ kind: SkuOwnerKind; tu_id: string }>(
      'find_sku_owner',
      'select kind, tu_id from sku_claims where brand_id = $1 and sku = $2',
      [brandId, sku],
    ),
  );
  const row = rows[0];
  return row === undefined ? null : { kind: row.kind, tuId: row.tu_id };
}
