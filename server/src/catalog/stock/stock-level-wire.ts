import { type Static, Type } from 'typebox';
import { Nullable, Timestamp } from '../../api/field-schemas.ts';
import { instantText } from '../../lib/instant-text.ts';
import { availableOf, type StockLevel } from './stock-level.ts';

/** A flat stock level [catalog-79]. */
export const StockLevelWire = Type.Object({
  sku: Type.String({ description: 'SKU of the product or variant.' }),
  product_tu_id: Type.String(),
  variant_tu_id: Nullable(Type.String(), { description: 'null for the product’s own stock.' }),
  location: Type.String({ description: 'The location’s `external_code`.' }),
  quantity: Type.Integer({ minimum: 0 }),
  reserved: Type.Integer({ minimum: 0, description: 'Set by feeds only.' }),
  available: Type.Integer({ minimum: 0, description: '`quantity` minus `reserved`, at least 0.' }),
  source_updated_at: Timestamp({ description: 'Timestamp of the quantities in the system that wrote them.' }),
  updated_at: Timestamp({ description: 'When they were written to Brandport.' }),
});

export function stockLevelToWire(level: StockLevel): Static<typeof StockLevelWire> {
  return {
    sku: level.sku,
    product_tu_id: level.productTuId,
    variant_tu_id: level.variantTuId,
    location: level.location,
    quantity: level.quantity,
    reserved: level.reserved,
    available: availableOf(level),
    source_updated_at: instantText(level.sourceUpdatedAt),
    updated_at: instantText(level.updatedAt),
  };
}
