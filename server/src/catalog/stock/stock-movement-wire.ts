import { type Static, Type } from 'typebox';
import { Nullable, ReservedObject, Timestamp } from '../../api/field-schemas.ts';
import { instantText } from '../../lib/instant-text.ts';
import { movementReasons, type StockMovement } from './stock-movement.ts';

/** An entry of the movement ledger [catalog-82]. */
export const StockMovementWire = Type.Object({
  id: Type.Integer({ description: 'Increases in the order in which the stock of a product was changed.' }),
  product_tu_id: Type.String(),
  variant_tu_id: Nullable(Type.String(), { description: 'null for the product’s own stock.' }),
  sku: Type.String({ description: 'The SKU at the time of the movement.' }),
  location: Type.String({ description: 'The location’s `external_code`.' }),
  quantity_before: Type.Integer({ minimum: 0 }),
  quantity_after: Type.Integer({ minimum: 0 }),
  delta: Type.Integer({ description: '`quantity_after` minus `quantity_before`; never 0.' }),
  reason: Type.String({ enum: [...movementReasons] }),
  actor: ReservedObject('Always null in v1: writes with an API key have no user.'),
  note: Type.String({
    description:
      'The note of the adjustment, by default `client-api:<key_id>`; `feed:<feed_id>` for a change by a feed.',
  }),
  created_at: Timestamp(),
});

/** Movements that clients cause carry no actor [catalog-87]. */
export function stockMovementToWire(movement: StockMovement): Static<typeof StockMovementWire> {
  return {
    id: movement.id,
    product_tu_id: movement.productTuId,
    variant_tu_id: movement.variantTuId,
    sku: movement.sku,
    location: movement.location,
    quantity_before: movement.quantityBefore,
    quantity_after: movement.quantityAfter,
    delta: movement.quantityAfter - movement.quantityBefore,
    reason: movement.reason,
    actor: null,
    note: movement.note,
    created_at: instantText(movement.createdAt),
  };
}
