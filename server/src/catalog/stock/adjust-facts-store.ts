import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { type LevelRow, levelFields, levelFromRow } from './level-columns.ts';
import type { LevelState } from './level-decision.ts';
import { defaultLocationCode } from './location.ts';

/** The place that an adjustment names, by the public ids of the product and variant and the code of the location. */
export interface NamedPlace {
  readonly brandId: number;
  readonly productTuId: string;
  /** null: the product's own stock. */
  readonly variantTuId: string | null;
  /** null: the brand's default location. */
  readonly location: string | null;
}

/** The stored values of a named place. Ids are null where the name is unknown; `variantId` also without a name. */
export interface PlaceFacts {
  readonly productId: number | null;
  readonly productSku: string;
  readonly hasVariants: boolean;
  readonly hasRollup: boolean;
  readonly variantId: number | null;
  readonly variantSku: string | null;
  readonly variantCounts: boolean;
  readonly locationId: number | null;
  readonly locationCode: string;
  readonly locationCounts: boolean;
  /** The id of the level, or of the one that a change creates. */
  readonly levelId: number;
  readonly level: LevelState | null;
  /** The id of the movement that a change may write. */
  readonly movementId: number;
}

interface Row extends LevelRow {
  readonly n: number;
  readonly product_id: number | null;
  readonly product_sku: string;
  readonly has_variants: boolean;
  readonly has_rollup: boolean;
  readonly variant_id: number | null;
  readonly variant_sku: string | null;
  readonly variant_counts: boolean | null;
  readonly location_id: number | null;
  readonly location_counts: boolean | null;
  readonly level_exists: boolean;
  readonly level_id: number;
  readonly movement_id: number;
}

// Each place is looked up on its own by index ("offset 0"), regardless of the planner's estimates; a variant by its id alone,
// since a partial index of live variants looks cheaper without statistics.
const select = `select g.n, p.id as product_id, p.sku as product_sku, p.has_variants, s.is_there is true as has_rollup,
    v.id as variant_id, v.sku as variant_sku, v.is_active as variant_counts, o.id as location_id,
    o.is_active as location_counts, l.id is not null as level_exists,
    coalesce(l.id, nextval('stock_levels_id_seq')) as level_id, ${levelFields.list('l')},
    nextval('stock_movements_id_seq') as movement_id
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
    select l.id, ${levelFields.list('l')} from stock_levels l
    where l.brand_id = g.brand_id and l.product_id = p.id and l.variant_id = v.id and l.location_id = o.id
    union all
    select l.id, ${levelFields.list('l')} from stock_levels l
    where l.brand_id = g.brand_id and l.product_id = p.id and l.variant_id is null and l.location_id = o.id
      and g.variant is null
    offset 0
  ) as l on true`;

/** Reads what is known of places of any brands, in their order, in one statement. */
export async function readPlaceFacts(tx: Transaction, places: readonly NamedPlace[]): Promise<PlaceFacts[]> {
  const given = places.map(({ brandId, productTuId, variantTuId, location }, n) => {
    const code = location ?? defaultLocationCode;
    return { n, brand_id: brandId, product: productTuId, variant: variantTuId, location: code };
  });
  const rows = await tx.run(statement<Row>('read_place_facts', select, [JSON.stringify(given)]));
  const facts: PlaceFacts[] = [];
  for (const row of rows)
    facts[row.n] = {
      productId: row.product_id,
      productSku: row.product_sku,
      hasVariants: row.has_variants,
      hasRollup: row.has_rollup,
      variantId: row.variant_id,
      variantSku: row.variant_sku,
      variantCounts: row.variant_counts === true,
      locationId: row.location_id,
      locationCode: given[row.n]?.location as string,
      locationCounts: row.location_counts ?? true,
      levelId: row.level_id,
      level: row.level_exists ? levelFromRow(row) : null,
      movementId: row.movement_id,
    };
  return facts;
}
