import type { SourceTime } from '../../lib/source-time.ts';
import { sourceTimeSql } from '../../postgres/source-time-sql.ts';
import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { defaultLocationCode } from './location.ts';
import type { StockPlace } from './stock-changes.ts';
import { levelTimeSql } from './stock-level-store.ts';

/** A place by the public ids of product and variant, and the code of the location. */
export interface NamedPlace {
  readonly brandId: number;
  readonly productTuId: string;
  /** null: the product's own stock. */
  readonly variantTuId: string | null;
  /** null: the brand's default location. */
  readonly location: string | null;
}

/** The stored values of a named place. Ids are null where the name is unknown; `variantId` also without a name. */
export interface PlaceFacts extends Omit<StockPlace, 'productId' | 'sku'> {
  readonly productId: number | null;
  readonly productSku: string;
  readonly hasVariants: boolean;
  readonly variantSku: string | null;
  readonly movementId: number;
}

interface Row extends Omit<PlaceFacts, 'level'> {
  readonly n: number;
  /** null: there is no level. */
  readonly quantity: number | null;
  readonly reserved: number;
  readonly sourceAt: SourceTime;
  readonly isFromFeed: boolean;
}

// Each place is looked up by index ("offset 0"), regardless of the planner's estimates; a variant by its id alone, since a
// partial index of live variants looks cheaper without statistics.
const select = `select g.n, p.id as "productId", p.sku as "productSku", p.has_variants as "hasVariants",
    s.is_there is true as "hasRollup", v.id as "variantId", v.sku as "variantSku", v.is_active is true as "variantCounts",
    o.id as "locationId", g.location as "locationCode", o.is_active is not false as "locationCounts",
    coalesce(l.id, nextval('stock_levels_id_seq')) as "levelId", l.quantity, l.reserved,
    ${sourceTimeSql(levelTimeSql)} as "sourceAt", l.is_from_feed as "isFromFeed",
    nextval('stock_movements_id_seq') as "movementId"
  from json_to_recordset($1::json) as g (n integer, brand_id integer, product text, variant text, location text)
  left join lateral (
    select p.id, p.sku, p.has_variants from products p where p.brand_id = g.brand_id and p.tu_id = g.product
    offset 0
  ) as p on true
  left join lateral (
    select true as is_there from product_stock s where s.brand_id = g.brand_id and s.product_id = p.id
    offset 0
  ) as s on true
  left join lateral (
    select v.id, v.sku, v.is_active from (
      select v.id, v.sku, v.is_active, v.product_id, v.deleted_at from variants v
      where v.brand_id = g.brand_id and v.tu_id = g.variant
      offset 0
    ) v
    where v.product_id = p.id and v.deleted_at is null
  ) as v on true
  left join lateral (
    select o.id, o.is_active from stock_locations o where o.brand_id = g.brand_id and o.external_code = g.location
    offset 0
  ) as o on true
  -- Two conditions, each supported by the index; "is not distinct from" is not.
  left join lateral (
    select l.id, l.quantity, l.reserved, l.source_updated_at, l.source_micros, l.is_from_feed from stock_levels l
    where l.brand_id = g.brand_id and l.product_id = p.id and l.variant_id = v.id and l.location_id = o.id
    union all
    select l.id, l.quantity, l.reserved, l.source_updated_at, l.source_micros, l.is_from_feed from stock_levels l
    where l.brand_id = g.brand_id and l.product_id = p.id and l.variant_id is null and l.location_id = o.id
      and g.variant is null
    offset 0
  ) as l on true`;

/** Reads what is known of places, in their order. */
export async function readPlaceFacts(tx: Transaction, places: readonly NamedPlace[]): Promise<PlaceFacts[]> {
  const given = places.map(({ brandId, productTuId, variantTuId, location }, n) => {
    const code = location ?? defaultLocationCode;
    return { n, brand_id: brandId, product: productTuId, variant: variantTuId, location: code };
  });
  const rows = await tx.run(statement<Row>('read_place_facts', select, [JSON.stringify(given)]));
  const facts: PlaceFacts[] = [];
  for (const { n, quantity, reserved, sourceAt, isFromFeed, ...place } of rows) {
    const level = quantity === null ? null : { quantity, reserved, sourceAt, isFromFeed };
    facts[n] = { ...place, level };
  }
  return facts;
}
