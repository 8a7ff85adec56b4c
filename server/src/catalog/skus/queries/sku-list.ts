import type { Queryable } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';

/** A SKU of a brand and what it names. */
export interface ListedSku {
  readonly sku: string;
  readonly kind: 'product' | 'variant';
  readonly tuId: string;
  /** The product of a variant, or the product itself. */
  readonly productTuId: string;
  /** True for a variant that was deleted and still holds its SKU. */
  readonly isDeleted: boolean;
}

/** The longest SKU. With this many of the last code point, a prefix is above every SKU that begins with it. */
const maxSkuLength = 191;
const lastCodePoint = String.fromCodePoint(0x10_ff_ff);

/** Lists SKUs that begin with `prefix`, by code points, in that order: one range of the primary key of `sku_claims`. */
export async function listSkus(
  database: Queryable,
  brandId: number,
  { prefix, limit }: { readonly prefix: string; readonly limit: number },
): Promise<ListedSku[]> {
  const rows = await database.run(
    statement<{
      sku: string;
      kind: ListedSku['kind'];
      tu_id: string;
      product_tu_id: string;
      is_deleted: boolean;
    }>(
      'list_skus',
      `select c.sku, c.kind, c.tu_id, coalesce(v.product_tu_id, c.tu_id) as product_tu_id,
         coalesce(v.is_deleted, false) as is_deleted
       from (
         select c.sku, c.kind, c.tu_id from sku_claims c
         where c.brand_id = $1 and c.sku >= $2 and c.sku <= $3
         order by c.sku
         limit $4
       ) as c
       left join lateral (
         select p.tu_id as product_tu_id, v.deleted_at is not null as is_deleted
         from variants v
         join products p on p.brand_id = v.brand_id and p.id = v.product_id
         where c.kind = 'variant' and v.brand_id = $1 and v.tu_id = c.tu_id
         offset 0
       ) as v on true
       order by c.sku`,
      [brandId, prefix, prefix + lastCodePoint.repeat(maxSkuLength), limit],
    ),
  );
  return rows.map((row) => ({
    sku: row.sku,
    kind: row.kind,
    tuId: row.tu_id,
    productTuId: row.product_tu_id,
    isDeleted: row.is_deleted,
  }));
}
