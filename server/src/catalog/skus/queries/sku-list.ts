import type { Queryable } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';

export interface ListedSku {
  readonly sku: string;
  readonly kind: 'product' | 'variant';
  readonly tuId: string;
  /** The product of a variant, or the product itself. */
  readonly productTuId: string;
  readonly title: string;
  /** True for a variant that was deleted and still holds its SKU. */
  readonly isDeleted: boolean;
}

/** The longest SKU. With this many of the last code point, a prefix is above every SKU that begins with it. */
const maxSkuLength = 191;
const lastCodePoint = String.fromCodePoint(0x10_ff_ff);

/** The newest products of a brand whose titles are searched, without an index: 15 ms. */
export const searchedProducts = 20_000;

/** Lists SKUs that begin with `prefix`, by code points, in that order: one range of the primary key of `sku_claims`. */
export async function listSkus(
  database: Queryable,
  brandId: number,
  { prefix, limit }: { readonly prefix: string; readonly limit: number },
): Promise<ListedSku[]> {
  return database.run(
    statement<ListedSku>(
      'list_skus',
      `select c.sku, c.kind, c.tu_id as "tuId", coalesce(v.product_tu_id, c.tu_id) as "productTuId",
         coalesce(v.title, p.title) as title, coalesce(v.is_deleted, false) as "isDeleted"
       from (
         select c.sku, c.kind, c.tu_id from sku_claims c
         where c.brand_id = $1 and c.sku >= $2 and c.sku <= $3
         order by c.sku
         limit $4
       ) as c
       left join lateral (
         select p.tu_id as product_tu_id, p.title, v.deleted_at is not null as is_deleted
         from variants v
         join products p on p.brand_id = v.brand_id and p.id = v.product_id
         where c.kind = 'variant' and v.brand_id = $1 and v.tu_id = c.tu_id
         offset 0
       ) as v on true
       left join lateral (
         select p.title from products p where c.kind = 'product' and p.brand_id = $1 and p.tu_id = c.tu_id
         offset 0
       ) as p on true
       order by c.sku`,
      [brandId, prefix, prefix + lastCodePoint.repeat(maxSkuLength), limit],
    ),
  );
}

/** Lists products whose title contains a string in upper or lower case, newest first, among the newest 20,000 of the brand. */
export async function findProductsByTitle(
  database: Queryable,
  brandId: number,
  { prefix, title, limit }: { readonly prefix: string; readonly title: string; readonly limit: number },
): Promise<ListedSku[]> {
  const folded = (text: string) => `lower(${text} collate "und-x-icu")`;
  return database.run(
    statement<ListedSku>(
      'find_products_by_title',
      `select p.sku, 'product' as kind, p.tu_id as "tuId", p.tu_id as "productTuId", p.title, false as "isDeleted"
       from (
         select id, sku, tu_id, title from products where brand_id = $1 order by id desc limit ${searchedProducts}
       ) as p
       where strpos(${folded('p.title')}, ${folded('$2::text')}) > 0 and starts_with(p.sku, $3)
       order by p.id desc
       limit $4`,
      [brandId, title, prefix, limit],
      { long: true },
    ),
  );
}
