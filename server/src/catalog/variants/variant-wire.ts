import { type Static, Type } from 'typebox';
import { exampleIds } from '../../api/example-ids.ts';
import {
  Money,
  Nullable,
  Prohibited,
  ShownMoney,
  Text,
  Timestamp,
  TrimmedText,
} from '../../api/field-schemas.ts';
import type { Caller } from '../../api/scopes.ts';
import { availabilityStatus, availabilityStatuses } from '../stock/availability.ts';
import type { AxisValues } from './combination.ts';
import { type VariantFields, type VariantParent, type VariantView, variantPrice } from './variant.ts';
import { variantFields } from './variant-columns.ts';
import type { NewVariant } from './variant-rules.ts';

export const VariantParams = Type.Object({
  tuId: Type.String({
    pattern: '^[A-Za-z0-9_-]{21}$',
    description: 'The variant’s `tu_id`.',
    examples: [exampleIds.spareVariant],
  }),
});

const sku = TrimmedText({
  max: 191,
  description: 'Unique in the brand, among products and variants. Case-sensitive.',
});

const AxisValuesInput = Type.Unsafe<AxisValues>({
  type: 'object',
  description: 'Axis code to value: one selected value for each axis that the product selects.',
  additionalProperties: { type: 'string' },
  examples: [{ color: 'red', size: 'm' }],
});

const writableFields = {
  price: Type.Optional(
    Nullable(
      Type.Object({
        value: Nullable(Money({ description: 'null: inherited.' })),
      }),
      {
        description: 'The variant’s own price, in the product’s currency. null: the product’s price.',
      },
    ),
  ),
  barcode: Type.Optional(Nullable(Text({ max: 64 }))),
  is_active: Type.Optional(Type.Boolean({ description: 'True if the variant is visible.' })),
};

export const CreateVariantBody = Type.Object({ sku, axis_values: AxisValuesInput, ...writableFields });

export const UpdateVariantBody = Type.Object({
  sku: Type.Optional(sku),
  axis_values: Prohibited('the axis values of a variant cannot be changed.'),
  ...writableFields,
});

/** Absent fields stay absent; null clears price and barcode. */
export function variantFieldsFromWire(
  body: Omit<Static<typeof UpdateVariantBody>, 'axis_values'>,
): Partial<VariantFields> {
  const { price, ...others } = body;
  const fields = variantFields.fieldsOf(others);
  return price === undefined ? fields : { ...fields, priceValue: price?.value ?? null };
}

export function newVariantFromWire({ axis_values, ...body }: Static<typeof CreateVariantBody>): NewVariant {
  return { ...variantFieldsFromWire(body), sku: body.sku, axisValues: axis_values };
}

const VariantPriceWire = Type.Object(
  {
    value: ShownMoney({ description: 'The variant’s own price, or else the product’s.' }),
    currency: Type.String({ description: 'The product’s currency.' }),
    inherited: Type.Boolean({ description: 'True if the price is the product’s.' }),
  },
  { description: 'The effective price.' },
);

const embeddedFields = {
  tu_id: Type.String({ description: 'The id used in paths.' }),
  sku: Nullable(Type.String()),
  barcode: Nullable(Type.String()),
  axis_values: Type.Unsafe<AxisValues>({
    type: 'object',
    description: 'Axis code to value.',
    additionalProperties: { type: 'string' },
  }),
  price: VariantPriceWire,
  position: Type.Integer(),
  is_active: Type.Boolean(),
  availability: Type.Object({
    status: Type.Unsafe<string | null>({ type: ['string', 'null'], enum: [...availabilityStatuses, null] }),
    quantity: Type.Optional(
      Type.Integer({ description: 'Only for keys that also have `catalog.stock:read`.' }),
    ),
  }),
};

export const EmbeddedVariantWire = Type.Object(embeddedFields);

/** A variant as the variant endpoints return it [catalog-48]. */
export const VariantWire = Type.Object({
  ...embeddedFields,
  product_tu_id: Type.String({ description: 'The product that the variant belongs to.' }),
  created_at: Timestamp(),
  updated_at: Timestamp(),
});

/**
 * Omits the quantity without `catalog.stock:read`, but not the status [catalog-8]. `now`: milliseconds since the Unix epoch.
 */
export function embeddedVariantToWire(
  variant: VariantView,
  parent: VariantParent,
  caller: Caller,
  now: number,
): Static<typeof EmbeddedVariantWire> {
  const { stock } = variant;
  return {
    tu_id: variant.tuId,
    sku: variant.sku,
    barcode: variant.barcode,
    axis_values: variant.axisValues,
    price: variantPrice(variant, parent),
    position: variant.position,
    is_active: variant.isActive,
    availability: {
      status: availabilityStatus(stock, parent.availabilitySettings, now),
      ...(caller.scopes.has('catalog.stock:read') && { quantity: stock.available }),
    },
  };
}

export function variantToWire(
  variant: VariantView,
  parent: VariantParent,
  caller: Caller,
  now: number,
): Static<typeof VariantWire> {
  return {
    ...embeddedVariantToWire(variant, parent, caller, now),
    product_tu_id: parent.tuId,
    created_at: variant.createdAt.toISOString(),
    updated_at: variant.updatedAt.toISOString(),
  };
}
