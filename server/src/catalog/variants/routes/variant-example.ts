import { exampleIds } from '../../../api/example-ids.ts';

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
