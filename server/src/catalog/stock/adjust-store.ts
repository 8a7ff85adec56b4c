import type { InBrand } from '../../api/brand-lock.ts';
import type { SourceTime } from '../../lib/source-time.ts';
import { sourceTimeSql, statement } from '../../postgres/statement.ts';
import type { LevelState } from './level-decision.ts';
import { defaultLocationCode } from './location.ts';
import type { StockLevel, StockMovement } from './stock-level.ts';
import { levelTimeSql } from './stock-level-store.ts';

/** A stock level, which may not exist, by the public ids of product and variant and the code of the location. */
export interface NamedLevel {
  readonly productTuId: string;
  /** null: the product's own stock. */
  readonly variantTuId: string | null;
  /** null: the brand's default location. */
  readonly location: string | null;
}

/** An absolute quantity for one level, as a client sends it. */
export interface StockAdjustment extends NamedLevel {
  /** 0 to 2,147,483,647. */
  readonly quantity: number;
  /** The quantity that the level must have for the write to happen; a level that does not exist has 0. null: any. */
  readonly expectedQuantity: number | null;
  readonly note: string;
  /** The public id of the API key; null if there is none. */
  readonly keyId: string | null;
  readonly requestId: string | null;
}

export interface AdjustedStock {
  readonly level: StockLevel;
  /** null: the quantity was already the same. */
  readonly movement: StockMovement | null;
}

/** The stored state of a named level. Ids are null where the name is unknown; `variantId` also without a name. */
export interface StoredLevel {
  readonly productId: number;
  readonly productSku: string;
  readonly hasVariants: boolean;
  /** True if the product has its row of `product_stock`; only damage removes it. */
  readonly hasRollup: boolean;
  readonly variantId: number | null;
  readonly variantSku: string | null;
  readonly variantCounts: boolean;
  readonly locationId: number | null;
  /** A drawn id, if the brand does not have its default location yet, and the name is that. */
  readonly newLocationId: number | null;
  readonly locationCounts: boolean;
  /** The id of the level; if there is none, a drawn id. */
  readonly levelId: number;
  readonly level: LevelState | null;
  /** A drawn id. */
  readonly movementId: number;
}

interface Row extends Omit<StoredLevel, 'level'> {
  /** null: there is no level. */
  readonly quantity: number | null;
  readonly reserved: number;
  readonly sourceAt: SourceTime;
  readonly isFromFeed: boolean;
}

const levelColumns = 'l.id, l.quantity, l.reserved, l.source_updated_at, l.source_micros, l.is_from_feed';

/** Reads what is stored of a level and what it belongs to; null if the brand has no such product. */
export async function readNamedLevel(
  { tx, brandId }: InBrand,
  { productTuId, variantTuId, location }: NamedLevel,
): Promise<StoredLevel | null> {
  const [row] = await tx.run(
    statement<Row>(
      'find_stock_place',
      `select p.id as "productId", p.sku as "productSku", p.has_variants as "hasVariants",
         s.product_id is not null as "hasRollup", v.id as "variantId", v.sku as "variantSku",
         v.is_active is true as "variantCounts", o.id as "locationId", o.is_active is not false as "locationCounts",
         case when o.id is null and $4 = '${defaultLocationCode}' then nextval('stock_locations_id_seq') end as "newLocationId",
         coalesce(l.id, nextval('stock_levels_id_seq')) as "levelId", l.quantity, l.reserved,
         ${sourceTimeSql(levelTimeSql)} as "sourceAt", l.is_from_feed as "isFromFeed",
         nextval('stock_movements_id_seq') as "movementId"
       from products p
       left join product_stock s on s.brand_id = p.brand_id and s.product_id = p.id
       -- By its id alone: without statistics, a partial index of live variants looks cheaper.
       left join lateral (
         select v.id, v.sku, v.is_active, v.product_id, v.deleted_at from variants v
         where v.brand_id = p.brand_id and v.tu_id = $3
         offset 0
       ) v on v.product_id = p.id and v.deleted_at is null
       left join stock_locations o on o.brand_id = p.brand_id and o.external_code = $4
       -- Two conditions, each supported by the index; "is not distinct from" is not.
       left join lateral (
         select ${levelColumns} from stock_levels l
         where l.brand_id = p.brand_id and l.product_id = p.id and l.variant_id = v.id and l.location_id = o.id
         union all
         select ${levelColumns} from stock_levels l
         where l.brand_id = p.brand_id and l.product_id = p.id and l.variant_id is null and l.location_id = o.id
           and $3::text is null
       ) l on true
       where p.brand_id = $1 and p.tu_id = $2`,
      [brandId, productTuId, variantTuId, location ?? defaultLocationCode],
    ),
  );
  if (row === undefined) return null;
  const { quantity, reserved, sourceAt, isFromFeed, ...stored } = row;
  return { ...stored, level: quantity === null ? null : { quantity, reserved, sourceAt, isFromFeed } };
}
