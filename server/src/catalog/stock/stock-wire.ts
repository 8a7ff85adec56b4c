import { type Static, Type } from 'typebox';
import {
  exampleIds,
  NamedObject,
  Nullable,
  ReservedObject,
  SourceTimestamp,
  Timestamp,
} from '../../api/field-schemas.ts';
import { PageMetaWire } from '../../api/pagination.ts';
import { instantText, shownSourceTime } from '../../lib/source-time.ts';
import { availableOf, movementReasons, type StockLevel, type StockMovement } from './stock-level.ts';

const { product: productTuId, variant: variantTuId } = exampleIds;

const level = {
  sku: 'TEE-001-red-m',
  product_tu_id: productTuId,
  variant_tu_id: variantTuId,
  location: 'WH-BERLIN',
  quantity: 40,
  reserved: 3,
  available: 37,
  source_updated_at: '2026-03-02T10:00:00.000Z',
  updated_at: '2026-03-02T10:00:00.000Z',
};

const movement = {
  id: 90210,
  product_tu_id: productTuId,
  variant_tu_id: variantTuId,
  sku: 'TEE-001-red-m',
  location: 'WH-BERLIN',
  quantity_before: 42,
  quantity_after: 40,
  delta: -2,
  reason: 'manual',
  actor: null,
  note: 'client-api:tuk_5f0c1b2a3d4e5f60718293a4',
  created_at: '2026-03-02T10:00:00.000Z',
};

export const stockExample = {
  level,
  movement,
  adjust: { variant: variantTuId, location: 'WH-BERLIN', quantity: 40, expected_quantity: 42 },
  productStock: {
    product_tu_id: productTuId,
    sku: 'TEE-001',
    has_variants: true,
    availability: { status: 'in_stock', quantity: 37 },
    levels: [],
    variants: [
      {
        tu_id: variantTuId,
        sku: 'TEE-001-red-m',
        axis_values: { color: 'red', size: 'm' },
        is_active: true,
        availability: { status: 'in_stock', quantity: 37 },
        levels: [level],
      },
    ],
  },
};

/** A flat stock level [catalog-79]. */
export const StockLevelWire = NamedObject('StockLevel', {
  sku: Type.String({ description: 'SKU of the product or variant.' }),
  product_tu_id: Type.String(),
  variant_tu_id: Nullable(Type.String(), { description: 'null for the product’s own stock.' }),
  location: Type.String({ description: 'The location’s `external_code`.' }),
  quantity: Type.Integer({ minimum: 0 }),
  reserved: Type.Integer({ minimum: 0, description: 'Set by feeds only.' }),
  available: Type.Integer({ minimum: 0, description: '`quantity` minus `reserved`, at least 0.' }),
  source_updated_at: SourceTimestamp({
    description: 'Timestamp of the quantities in the system that wrote them.',
  }),
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
    source_updated_at: shownSourceTime(level.sourceUpdatedAt),
    updated_at: instantText(level.updatedAt),
  };
}

/** An entry of the movement ledger [catalog-82]. */
export const StockMovementWire = NamedObject('StockMovement', {
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

export const exampleToken = 'AZzR3kWm0f1qv5oN7c2yTn1b8hJxQeGdUu4sPl9aMi6wYzKtVrBo';

/** The meaning of `changed_after` in a query. */
export const changedAfterDescription =
  'The `changed_token` of an earlier answer: lists each level that changed after it once, in its current state, in the order of the last changes, including levels of deleted variants (`is_deleted`). The filters apply to the current state. `start` begins with every level and continues with the changes. Not together with `page`. A token is valid for at least 7 days; one that is not is 422, and all levels have to be read again.';

/** A level in the list of levels [catalog-79] [catalog-120]. */
const ListedStockLevelWire = NamedObject('StockLevelListed', {
  ...StockLevelWire.properties,
  is_deleted: Type.Optional(
    Type.Boolean({
      description:
        'With `changed_after` only. `true`: its variant was deleted, so the level no longer exists.',
    }),
  ),
});

const { last_page: lastPage, ...pageProperties } = PageMetaWire.properties;

/** The pagination of levels. */
const StockLevelPageMetaWire = NamedObject('StockLevelPageMeta', {
  ...pageProperties,
  total: Type.Integer({
    minimum: 0,
    description:
      'The exact number of rows that match the filters; with `changed_after`, the number of rows of this answer.',
  }),
  last_page: lastPage,
  changed_token: Type.String({
    description:
      'For `changed_after`: the levels that change after this answer. If you read all pages first, use the token of the first one. With `has_more`, it continues this list.',
  }),
  has_more: Type.Optional(
    Type.Boolean({
      description:
        'With `changed_after` only. `true`: ask for `changed_token` again now; a page may be shorter than `per_page`, or empty.',
    }),
  ),
});

export const StockLevelListWire = NamedObject('StockLevelPage', {
  data: Type.Array(ListedStockLevelWire),
  meta: StockLevelPageMetaWire,
});

export const stockLevelListExample: Static<typeof StockLevelListWire> = {
  data: [stockExample.level],
  meta: { current_page: 1, per_page: 50, total: 1, last_page: 1, changed_token: exampleToken },
};
