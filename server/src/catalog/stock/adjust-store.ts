import type { InBrand } from '../../api/operation.ts';
import { type SourceTime, storedSourceTime } from '../../lib/source-time.ts';
import { sourceTimeSql, statement } from '../../postgres/statement.ts';
import type { StockLock } from './brand-stock-store.ts';
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

/** A level after an adjustment, with what its product's rollup gains by it. */
interface AdjustedLevel {
  readonly levelId: number;
  /** False: the level is new. */
  readonly exists: boolean;
  readonly productId: number;
  readonly variantId: number | null;
  readonly sku: string;
  readonly locationCode: string;
  readonly after: LevelState;
  /** null: the quantity was already the same. */
  readonly movement: {
    readonly id: number;
    readonly quantityBefore: number;
    readonly note: string;
    readonly keyId: string | null;
    readonly requestId: string | null;
  } | null;
  readonly gained: {
    readonly quantity: number;
    readonly levels: number;
    readonly countedLevels: number;
    readonly available: number;
  };
  /** False if the level does not count in the rollup: its location or its variant is inactive. */
  readonly counts: boolean;
}

const updateLevel = `update stock_levels
  set quantity = $3, reserved = $4, source_updated_at = $5, source_micros = $6, is_from_feed = false, updated_at = $7
  where brand_id = $1 and id = $2`;

const insertLevel = `insert into stock_levels (brand_id, id, quantity, reserved, source_updated_at, source_micros,
    is_from_feed, updated_at, product_id, variant_id, sku, location_code, location_id) overriding system value
  values ($1, $2, $3, $4, $5, $6, false, $7, $8, $9, $10, $11,
    (select o.id from stock_locations o where o.brand_id = $1 and o.external_code = $11))`;

/** `kind`: the columns of the rollup that the level counts in. */
const write = (level: string, kind: 'own' | 'variant') => `with level as (${level}), movement as (
    insert into stock_movements (brand_id, id, level_id, quantity_before, quantity_after, reason, note, key_id, request_id,
      created_at, product_id, variant_id, sku, location_code) overriding system value
    select $1, $12, $2, $13, $3, 'manual', $14, $15, $16, $7, $8, $9, $10, $11
    where $12::bigint is not null
  )
  update product_stock
  set total_quantity = total_quantity + $17, ${kind}_levels = ${kind}_levels + $18,
    ${kind}_counted_levels = ${kind}_counted_levels + $19, ${kind}_available = ${kind}_available + $20,
    ${kind}_fresh_at = greatest(${kind}_fresh_at, case when $21 then 'infinity'::timestamptz end)
  where brand_id = $1 and product_id = $8`;

/** Writes the level, its movement and the rollup of its product; sent with the commit. Records the level as changed. */
export function writeAdjustedLevel(stock: StockLock, adjusted: AdjustedLevel): void {
  const { levelId, exists, productId, variantId, sku, locationCode, after, movement, gained, counts } =
    adjusted;
  const { at, micros } = storedSourceTime(after.sourceAt);
  const kind = variantId === null ? 'own' : 'variant';
  stock.tx.queue(
    statement<never>(
      `${exists ? 'update' : 'insert'}_${kind}_level`,
      write(exists ? updateLevel : insertLevel, kind),
      [
        stock.brandId,
        levelId,
        after.quantity,
        after.reserved,
        at,
        micros,
        stock.stampedAt,
        productId,
        variantId,
        sku,
        locationCode,
        movement?.id ?? null,
        movement?.quantityBefore ?? null,
        movement?.note ?? null,
        movement?.keyId ?? null,
        movement?.requestId ?? null,
        gained.quantity,
        gained.levels,
        gained.countedLevels,
        gained.available,
        counts,
      ],
    ),
  );
  stock.levelIds.push(levelId);
}
