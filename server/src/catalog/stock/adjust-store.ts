import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { StockAdjustment } from './stock-adjustment.ts';

/** What became of an adjustment in the database. */
export interface StockWriteResult {
  /** Everything but `set` has written nothing. `no_place`: the three findings say what is wrong. */
  readonly outcome: 'set' | 'no_product' | 'no_place' | 'version_conflict' | 'stale';
  readonly hasVariants: boolean;
  /** Whether the product has the named variant, live; false where none was named. */
  readonly isVariantFound: boolean;
  readonly isLocationFound: boolean;
  readonly sku: string;
  /** What the level held; 0 where there was none. */
  readonly quantityBefore: number;
  readonly reserved: number;
  /** The time of the write, of the level and of the movement. */
  readonly writtenAt: Date;
  /** null where the quantity stayed. */
  readonly movementId: number | null;
}

interface Row {
  outcome: StockWriteResult['outcome'];
  product_has_variants: boolean;
  variant_found: boolean;
  location_found: boolean;
  level_sku: string;
  quantity_before: number;
  level_reserved: number;
  written_at: Date;
  movement_id: number | null;
}

/**
 * Sets a level, writes its movement, moves the product's stock rollup and the brand's stock version, all decided under the
 * lock on the product's stock, which this takes; the steps are in the database function `adjust_stock`. One round trip.
 */
export async function writeAdjustment(
  tx: Transaction,
  brandId: number,
  productTuId: string,
  locationCode: string,
  { variant, quantity, expectedQuantity, note }: StockAdjustment,
): Promise<StockWriteResult> {
  const rows = await tx.run(
    statement<Row>(
      'adjust_stock',
      `select outcome, product_has_variants, variant_found, location_found, level_sku, quantity_before, level_reserved,
         written_at, movement_id
       from adjust_stock($1, $2, $3, $4, $5, $6, $7)`,
      [brandId, productTuId, variant ?? null, locationCode, quantity, expectedQuantity, note],
    ),
  );
  const row = rows[0] as Row;
  return {
    outcome: row.outcome,
    hasVariants: row.product_has_variants,
    isVariantFound: row.variant_found,
    isLocationFound: row.location_found,
    sku: row.level_sku,
    quantityBefore: row.quantity_before,
    reserved: row.level_reserved,
    writtenAt: row.written_at,
    movementId: row.movement_id,
  };
}
