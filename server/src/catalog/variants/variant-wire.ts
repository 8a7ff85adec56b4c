import { type Static, Type } from 'typebox';
import type { Caller } from '../../api/access.ts';
import {
  exampleIds,
  Money,
  NamedObject,
  Nullable,
  Prohibited,
  ShownMoney,
  Text,
  Timestamp,
  TrimmedText,
} from '../../api/field-schemas.ts';
import { availabilityStatus, availabilityStatuses } from '../stock/stock-level.ts';
import {
  type AxisValues,
  type NewVariant,
  type VariantFields,
  type VariantParent,
  type VariantView,
  variantFields,
  variantPrice,
} from './variant.ts';

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

/** More than any product has axes: a map that is longer is not examined [D292]. */
const mostAxisValues = 1_000;

const AxisValuesInput = Type.Unsafe<AxisValues>({
  type: 'object',
  description: 'Axis code to value: one selected value for each axis that the product selects.',
  maxProperties: mostAxisValues,
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

export const CreateVariantBody = NamedObject('VariantCreate', {
  sku,
  axis_values: AxisValuesInput,
  ...writableFields,
});

export const UpdateVariantBody = NamedObject('VariantUpdate', {
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

export const EmbeddedVariantWire = NamedObject('EmbeddedVariant', embeddedFields);

/** A variant as the variant endpoints return it [catalog-48]. */
export const VariantWire = NamedObject('Variant', {
  ...embeddedFields,
  product_tu_id: Type.String({ description: 'The product that the variant belongs to.' }),
  created_at: Timestamp(),
  updated_at: Timestamp(),
});

/** Omits the quantity without `catalog.stock:read`, but not the status [catalog-8]. `now`: milliseconds since the Unix epoch. */
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

export const GenerateVariantsBody = NamedObject('VariantGenerate', {
  dry_run: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Return the variants that would be created, without creating them.',
    }),
  ),
  activate: Type.Optional(Type.Boolean({ default: false, description: '`is_active` of the new variants.' })),
  sku_template: Type.Optional(
    TrimmedText({
      max: 1000,
      description:
        '`{sku}` is the product’s SKU, `{<axis_code>}` the value of that axis. Default: `{sku}` followed by `-{<axis_code>}` for each axis, in the product’s order.',
      examples: ['{sku}-{color}-{size}'],
    }),
  ),
});

/** The flag that discriminates the two results, in generated types too [D45]. */
const isDryRun = <T extends boolean>(value: T) =>
  Type.Unsafe<T>({
    type: 'boolean',
    const: value,
    description: `Always ${value}: ${value ? 'nothing was written' : 'the variants were created'}.`,
  });

export const GenerationPlanWire = NamedObject('VariantGenerationPlan', {
  dry_run: isDryRun(true),
  total_combinations: Type.Integer({ description: 'All combinations of the selection.' }),
  would_create: Type.Integer(),
  skipped_existing: Type.Integer({ description: 'Combinations that already have a live variant.' }),
});

export const GenerationResultWire = NamedObject('VariantGenerationResult', {
  dry_run: isDryRun(false),
  total_combinations: Type.Integer({ description: 'All combinations of the selection.' }),
  created: Type.Integer(),
  skipped_existing: Type.Integer({ description: 'Combinations that already had a live variant.' }),
  variants: Type.Array(VariantWire, { description: 'The created variants, in order.' }),
});

export function planToWire(total: number, missing: number): Static<typeof GenerationPlanWire> {
  return {
    dry_run: true,
    total_combinations: total,
    would_create: missing,
    skipped_existing: total - missing,
  };
}

export function generationToWire(
  total: number,
  variants: Static<typeof VariantWire>[],
): Static<typeof GenerationResultWire> {
  const created = variants.length;
  return { dry_run: false, total_combinations: total, created, skipped_existing: total - created, variants };
}

const embedded = {
  tu_id: exampleIds.variant,
  sku: 'TEE-001-red-m',
  barcode: '4006381333931',
  axis_values: { color: 'red', size: 'm' },
  price: { value: 24.9, currency: 'EUR', inherited: true },
  position: 0,
  is_active: true,
  availability: { status: 'in_stock', quantity: 42 },
};

const moment = { created_at: '2026-03-01T08:30:00.000Z', updated_at: '2026-03-01T08:30:00.000Z' };

const variant = { ...embedded, product_tu_id: exampleIds.product, ...moment };

const withoutStock = { ...variant, availability: { status: null, quantity: 0 } };

const generated = (tuId: string, color: string, position: number) => ({
  ...withoutStock,
  tu_id: tuId,
  sku: `TEE-001-${color}-l`,
  barcode: null,
  axis_values: { color, size: 'l' },
  position,
  is_active: false,
});

export const variantExample = {
  embedded,
  variant,
  create: {
    sku: 'TEE-001-blue-m',
    axis_values: { color: 'blue', size: 'm' },
    barcode: '4006381333948',
    is_active: true,
  },
  created: {
    ...withoutStock,
    tu_id: 'mX4kP0sYd7Qz_Rb2N-wLt',
    sku: 'TEE-001-blue-m',
    barcode: '4006381333948',
    axis_values: { color: 'blue', size: 'm' },
    position: 3,
  },
  update: { price: { value: 19.9 }, barcode: null },
  updated: {
    ...withoutStock,
    tu_id: exampleIds.spareVariant,
    sku: 'TEE-001-blue-s',
    barcode: null,
    axis_values: { color: 'blue', size: 's' },
    price: { value: 19.9, currency: 'EUR', inherited: false },
    position: 2,
  },
  generate: { sku_template: '{sku}-{color}-{size}', activate: false },
  plan: { dry_run: true, total_combinations: 6, would_create: 2, skipped_existing: 4 },
  generation: {
    dry_run: false,
    total_combinations: 6,
    created: 2,
    skipped_existing: 4,
    variants: [generated('T8vNq3_hJc6Wf1yKz0-Ed', 'red', 4), generated('b2Yg7-LmXo4Ra9Sx_UiPk', 'blue', 5)],
  },
};
