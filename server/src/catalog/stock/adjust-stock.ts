import { type Static, Type } from 'typebox';
import { exampleIds, NamedObject, Nullable, Prohibited, Text } from '../../api/field-schemas.ts';
import { clientWrite } from '../../api/operation.ts';
import type { OperationRequest } from '../../api/operation-request.ts';
import { ApiError, notFound, rejectedStale } from '../../errors/api-error.ts';
import { shownSourceTime } from '../../lib/source-time.ts';
import { FieldProblems, ProductParams } from '../catalog-requests.ts';
import {
  type AdjustedStock,
  type NamedLevel,
  readNamedLevel,
  type StockAdjustment,
  type StoredLevel,
} from './adjust-store.ts';
import type { StockLock } from './brand-stock-store.ts';
import type { LevelState } from './level-decision.ts';
import { defaultLocationCode } from './location.ts';
import { stockLock } from './stock-changes-store.ts';
import {
  StockLevelWire,
  StockMovementWire,
  stockExample,
  stockLevelToWire,
  stockMovementToWire,
} from './stock-wire.ts';

const maxQuantity = 2_147_483_647;

/** Accepts any string; the database checks whether it names something, after the product was found. */
const NamedThing = (description: string, example: string) =>
  Type.String({ format: 'storable-text', description, examples: [example] });

const AdjustStockBody = NamedObject('StockAdjust', {
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

export const StockAdjustedWire = NamedObject('StockAdjusted', {
  level: StockLevelWire,
  movement: Type.Optional(StockMovementWire),
});

/** Sets an absolute quantity [catalog-85]. */
export const adjustStockOperation = clientWrite({
  id: 'adjustStock',
  method: 'POST',
  path: '/products/:tuId/stock/adjust',
  tag: 'Stock',
  summary: 'Set a stock quantity',
  description: `Sets the quantity of a product or variant at one location to an absolute value, and records the change in the ledger.

If you computed the quantity from one that you read earlier, send that one as \`expected_quantity\`: if the stock has changed since,
the response is \`409 stock_version_conflict\` with \`current_quantity\`, and nothing is changed. A level that a feed has dated in the
future returns \`409 rejected_stale\` with \`source_updated_at\`. Reservations are kept.`,
  access: ['catalog.stock:write'],
  idempotency: 'required',
  params: ProductParams,
  body: AdjustStockBody,
  bodyExample: stockExample.adjust,
  responses: {
    200: {
      description: 'The updated level and the movement.',
      schema: StockAdjustedWire,
      example: { level: stockExample.level, movement: stockExample.movement },
    },
  },
  errors: ['stock_version_conflict', 'rejected_stale'],
  lock: stockLock,
  subject: ({ params, body }) =>
    `${params.tuId} ${body.variant ?? ''} ${body.location ?? defaultLocationCode}`,
  read: (at, request) => readNamedLevel(at, adjustmentFromWire(request)),
  handle: async (stock, request, _, stored) => {
    const adjusted = adjustStock(stock, adjustmentFromWire(request), stored);
    return { status: 200, body: adjustedStockToWire(adjusted) };
  },
});

type AdjustStockRequest = OperationRequest<
  { readonly tuId: string },
  unknown,
  Omit<Static<typeof AdjustStockBody>, 'reserved'>
>;

/** Converts a request; the movement's note is the id of the key unless the body has a note [catalog-87]. */
function adjustmentFromWire(request: AdjustStockRequest): StockAdjustment {
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

function adjustedStockToWire({ level, movement }: AdjustedStock): Static<typeof StockAdjustedWire> {
  return {
    level: stockLevelToWire(level),
    ...(movement !== null && { movement: stockMovementToWire(movement) }),
  };
}

/**
 * Decides to set the quantity of a level, as `readNamedLevel` has read it and earlier decisions under the lock have left it. Of
 * guarded adjustments with the same `expectedQuantity`, exactly one succeeds [catalog-92].
 * @throws ApiError `not_found`; `validation_failed` on `variant` or `location`; `stock_version_conflict` with
 *   `current_quantity`; `rejected_stale` with `source_updated_at`
 */
export function adjustStock(
  stock: StockLock,
  adjustment: StockAdjustment,
  stored: StoredLevel | null,
): AdjustedStock {
  if (stored === null) throw notFound();
  const { quantity, expectedQuantity, note, keyId, requestId, productTuId, variantTuId } = adjustment;
  const { movementId } = stored;
  const isDefault = (adjustment.location ?? defaultLocationCode) === defaultLocationCode;
  const locationId = stored.locationId ?? (isDefault ? stock.newDefaultLocation : null);
  checkNames(adjustment, { ...stored, locationId });
  const target = {
    ...stored,
    sku: stored.variantSku ?? stored.productSku,
    locationId: locationId ?? (stored.newLocationId as number),
    locationCode: adjustment.location ?? defaultLocationCode,
  };
  const origin = { reason: 'manual', note, keyId, requestId, feedId: null, feedLine: null } as const;
  const change = { quantity, reserved: null, expectedQuantity, fedAt: null, movementId, origin };
  const { before, isMoved, ...decided } = stock.changes.decide(target, change);
  const quantityBefore = before?.quantity ?? 0;
  if (decided.outcome === 'conflict')
    throw new ApiError('stock_version_conflict', { extra: { current_quantity: quantityBefore } });
  if (decided.outcome === 'stale') throw rejectedStale(shownSourceTime((before as LevelState).sourceAt));
  // The only thing that an adjustment creates besides its level [catalog-89].
  if (locationId === null) stock.newDefaultLocation = target.locationId;
  const { after } = decided;
  const named = { sku: target.sku, productTuId, variantTuId, location: target.locationCode };
  const times = { sourceUpdatedAt: after.sourceAt, updatedAt: stock.stampedAt };
  const entry = { id: movementId, quantityBefore, quantityAfter: quantity, reason: 'manual', note } as const;
  return {
    level: { ...named, quantity, reserved: after.reserved, ...times },
    movement: isMoved ? { ...named, ...entry, createdAt: stock.stampedAt } : null,
  };
}

/** @throws ApiError if no stock is kept for what the adjustment names [catalog-88] [catalog-90] */
function checkNames({ variantTuId, location }: NamedLevel, stored: StoredLevel): void {
  const problems = new FieldProblems();
  const isGiven = variantTuId !== null;
  if (stored.hasVariants && !isGiven)
    problems.add('variant', 'is required because stock of this product is kept per variant');
  else if (!stored.hasVariants && isGiven)
    problems.add('variant', 'is not allowed because the product has no variants');
  else if (isGiven && stored.variantId === null) problems.add('variant', 'is not a variant of this product');
  if (stored.locationId === null && location !== null)
    problems.add('location', 'is not a location of the brand');
  problems.throwIfAny();
}
