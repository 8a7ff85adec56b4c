import { type Static, Type } from 'typebox';
import { exampleIds } from '../../api/example-ids.ts';
import { Nullable, Prohibited, Text } from '../../api/field-schemas.ts';
import type { OperationRequest } from '../../api/operation-request.ts';
import type { AdjustedStock, StockAdjustment } from './adjust-store.ts';
import { StockLevelWire, stockLevelToWire } from './stock-level-wire.ts';
import { StockMovementWire, stockMovementToWire } from './stock-movement-wire.ts';

const maxQuantity = 2_147_483_647;

/** Accepts any string; the database checks whether it names something, after the product was found. */
const NamedThing = (description: string, example: string) =>
  Type.String({ format: 'storable-text', description, examples: [example] });

export const AdjustStockBody = Type.Object({
  variant: Type.Optional(
    NamedThing(
      'The `tu_id` of the variant. Required for a product with variants, otherwise not allowed.',
      exampleIds.variant,
    ),
  ),
  location: Type.Optional(
    Nullable(NamedThing('The `external_code` of an existing location.', 'WH-BERLIN'), {
      description: 'The `external_code` of an existing location. null or absent: the location `__default__`.',
    }),
  ),
  quantity: Type.Integer({
    minimum: 0,
    maximum: maxQuantity,
    description: 'The new absolute quantity, not a difference.',
  }),
  expected_quantity: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: maxQuantity,
      description:
        'The adjustment is made only if the level has this quantity. A level that does not exist yet has 0.',
    }),
  ),
  note: Type.Optional(
    Text({
      max: 255,
      description: 'Recorded in the ledger. Default: `client-api:<key_id>`.',
      examples: ['Stocktake'],
    }),
  ),
  reserved: Prohibited('reservations are set by feeds, and an adjustment keeps them.'),
});

type AdjustStockRequest = OperationRequest<
  { readonly tuId: string },
  unknown,
  Omit<Static<typeof AdjustStockBody>, 'reserved'>
>;

export const StockAdjustedWire = Type.Object({
  level: StockLevelWire,
  movement: Type.Optional(StockMovementWire),
});

/** Converts a request; the movement's note is the id of the key unless the body has a note [catalog-87]. */
export function adjustmentFromWire(request: AdjustStockRequest): StockAdjustment {
  const { caller, requestId, params, body } = request;
  const { keyId } = caller;
  return {
    productTuId: params.tuId,
    variantTuId: body.variant ?? null,
    location: body.location ?? null,
    quantity: body.quantity,
    expectedQuantity: body.expected_quantity ?? null,
    note: body.note ?? `client-api:${keyId}`,
    keyId,
    requestId,
  };
}

export function adjustedStockToWire({ level, movement }: AdjustedStock): Static<typeof StockAdjustedWire> {
  return {
    level: stockLevelToWire(level),
    ...(movement !== null && { movement: stockMovementToWire(movement) }),
  };
}
