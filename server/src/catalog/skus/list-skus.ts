import { Type } from 'typebox';
import { exampleIds, NamedObject } from '../../api/field-schemas.ts';
import { readOperation } from '../../api/operation.ts';
import { getBrand } from '../../brands/brand-operations.ts';
import { BrandParams, brandIdFromPath } from '../../brands/brand-wire.ts';
import type { Queryable } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';

const maxLimit = 50;

const SkuWire = Type.Object({
  sku: Type.String(),
  kind: Type.String({ enum: ['product', 'variant'] }),
  tu_id: Type.String({ description: 'Id of the product or variant.' }),
  product_tu_id: Type.String(),
  title: Type.String({ description: 'The title of the product.' }),
  is_deleted: Type.Boolean({ description: 'true: a deleted variant, which still holds its SKU.' }),
  is_active: Type.Boolean(),
  has_variants: Type.Boolean({
    description: 'true if the product has variants; stock is kept under their SKUs.',
  }),
  price: Type.Object(
    { value: Type.Number({ minimum: 0 }), currency: Type.String() },
    { description: 'A variant without a price has the price of its product.' },
  ),
  quantity: Type.Integer({ description: 'At all active locations; of a product, with its variants.' }),
});

const SkuListWire = NamedObject('SkuList', { data: Type.Array(SkuWire) });

/** The newest products of a brand whose titles are searched, without an index: 15 ms. */
const searchedProducts = 20_000;

/** Finds products and variants by the beginning of their SKU, and products by their title [internal-71] [D258]. */
export const listSkusOperation = readOperation({
  id: 'listSkus',
  method: 'GET',
  path: '/brands/:id/skus',
  tag: 'Catalog',
  summary: 'Find SKUs by prefix, or products by title',
  description:
    'Lists the SKUs of products and variants that begin with `prefix`, in order of their code points. With `title`, lists ' +
    `the products whose title contains it, newest first, among the ${searchedProducts} newest of the brand.`,
  access: 'one-brand',
  params: BrandParams,
  query: Type.Object({
    prefix: Type.Optional(
      Type.String({
        maxLength: 191,
        format: 'storable-text',
        examples: ['TEE-'],
        description: 'Compared case-sensitively. Default: empty, which lists the first SKUs.',
      }),
    ),
    title: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        format: 'storable-text',
        examples: ['mug'],
        description: 'In upper or lower case. With `prefix`, both must match.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        default: maxLimit,
        examples: [maxLimit],
        description: `Values above ${maxLimit} are reduced to ${maxLimit}.`,
      }),
    ),
  }),
  responses: {
    200: {
      description: 'The first SKUs that match.',
      schema: SkuListWire,
      example: {
        data: [
          {
            sku: 'TEE-001-red-m',
            kind: 'variant',
            tu_id: exampleIds.variant,
            product_tu_id: exampleIds.product,
            title: 'T-shirt',
            is_deleted: false,
            is_active: true,
            has_variants: true,
            price: { value: 19.9, currency: 'EUR' },
            quantity: 42,
          },
        ],
      },
    },
  },
  handle: async ({ database }, { params, query }) => {
    const { id } = await getBrand(database, brandIdFromPath(params.id));
    const limit = Math.min(query.limit ?? maxLimit, maxLimit);
    const { prefix = '', title } = query;
    const skus =
      title === undefined
        ? await listSkus(database, id, { prefix, limit })
        : await findProductsByTitle(database, id, { prefix, title, limit });
    const data = skus.map(({ tuId, productTuId, isDeleted, isActive, hasVariants, ...found }) => ({
      ...{ sku: found.sku, kind: found.kind, title: found.title, quantity: found.quantity },
      is_active: isActive,
      has_variants: hasVariants,
      price: { value: found.priceValue, currency: found.priceCurrency },
      tu_id: tuId,
      product_tu_id: productTuId,
      is_deleted: isDeleted,
    }));
    return { status: 200, body: { data } };
  },
});

interface ListedSku {
  readonly sku: string;
  readonly kind: 'product' | 'variant';
  readonly tuId: string;
  /** The product of a variant, or the product itself. */
  readonly productTuId: string;
  readonly title: string;
  /** True for a variant that was deleted and still holds its SKU. */
  readonly isDeleted: boolean;
  readonly isActive: boolean;
  /** True if the product has variants. */
  readonly hasVariants: boolean;
  readonly priceValue: number;
  readonly priceCurrency: string;
  readonly quantity: number;
}

/** The longest SKU. With this many of the last code point, a prefix is above every SKU that begins with it. */
const maxSkuLength = 191;
const lastCodePoint = String.fromCodePoint(0x10_ff_ff);

/** Lists SKUs that begin with `prefix`, by code points, in that order: one range of the primary key of `sku_claims`. */
async function listSkus(
  database: Queryable,
  brandId: number,
  { prefix, limit }: { readonly prefix: string; readonly limit: number },
): Promise<ListedSku[]> {
  return database.run(
    statement<ListedSku>(
      'list_skus',
      withDetails(`select c.sku, c.kind, c.tu_id, coalesce(v.product_id, p.id) as product_id, v.id as variant_id,
           row_number() over (order by c.sku) as n
         from (
           select c.sku, c.kind, c.tu_id from sku_claims c
           where c.brand_id = $1 and c.sku >= $2 and c.sku <= $3
           order by c.sku
           limit $4
         ) as c
         left join lateral (
           select v.id, v.product_id from variants v where c.kind = 'variant' and v.brand_id = $1 and v.tu_id = c.tu_id
           offset 0
         ) as v on true
         left join lateral (
           select p.id from products p where c.kind = 'product' and p.brand_id = $1 and p.tu_id = c.tu_id
           offset 0
         ) as p on true`),
      [brandId, prefix, prefix + lastCodePoint.repeat(maxSkuLength), limit],
    ),
  );
}

/**
 * Selects what a list shows of the products and variants that `found` has, at most 50: each by index ("offset 0"; the order
 * of the locations is that of the index of a place). A variant without a price has that of its product.
 */
function withDetails(found: string): string {
  return `select f.sku, f.kind, f.tu_id as "tuId", p.tu_id as "productTuId", p.title,
      v.deleted_at is not null as "isDeleted", coalesce(v.is_active, p.is_active) as "isActive", p.has_variants as "hasVariants",
      coalesce(v.price_value, p.price_value)::float8 as "priceValue", p.price_currency as "priceCurrency",
      coalesce(case when f.variant_id is null then s.total_quantity else l.quantity end, 0)::float8 as quantity
    from (${found}) as f
    cross join lateral (
      select p.tu_id, p.title, p.is_active, p.price_value, p.price_currency, p.has_variants from products p
      where p.brand_id = $1 and p.id = f.product_id
      offset 0
    ) as p
    left join lateral (
      select v.deleted_at, v.is_active, v.price_value from variants v
      where v.brand_id = $1 and v.product_id = f.product_id and v.id = f.variant_id
      offset 0
    ) as v on true
    left join lateral (
      select s.total_quantity from product_stock s where s.brand_id = $1 and s.product_id = f.product_id
      offset 0
    ) as s on true
    left join lateral (
      select sum(l.quantity) as quantity from (
        select l.quantity, l.location_id from stock_levels l
        where l.brand_id = $1 and l.product_id = f.product_id and l.variant_id = f.variant_id and not l.is_hidden
        order by l.location_id offset 0
      ) as l
      join stock_locations o on o.brand_id = $1 and o.id = l.location_id and o.is_active
    ) as l on f.variant_id is not null
    order by f.n`;
}

/** Lists products whose title contains a string in upper or lower case, newest first, among the newest 20,000 of the brand. */
async function findProductsByTitle(
  database: Queryable,
  brandId: number,
  { prefix, title, limit }: { readonly prefix: string; readonly title: string; readonly limit: number },
): Promise<ListedSku[]> {
  const folded = (text: string) => `lower(${text} collate "und-x-icu")`;
  return database.run(
    statement<ListedSku>(
      'find_products_by_title',
      withDetails(`select p.sku, 'product' as kind, p.tu_id, p.id as product_id, null::bigint as variant_id, -p.id as n
         from (
           select id, sku, tu_id, title from products where brand_id = $1 order by id desc limit ${searchedProducts}
         ) as p
         where strpos(${folded('p.title')}, ${folded('$2::text')}) > 0 and starts_with(p.sku, $3)
         order by p.id desc
         limit $4`),
      [brandId, title, prefix, limit],
      { long: true },
    ),
  );
}
