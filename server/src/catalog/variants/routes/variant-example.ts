const embedded = {
  tu_id: 'r9pQ2mXc7VbN4kLsT0wYz',
  sku: 'TEE-001-red-m',
  barcode: '4006381333931',
  axis_values: { color: 'red', size: 'm' },
  price: { value: 24.9, currency: 'EUR', inherited: true },
  position: 0,
  is_active: true,
  availability: { status: 'in_stock', quantity: 12 },
};

const variant = {
  ...embedded,
  product_tu_id: 'V1StGXR8_Z5jdHi6B-myT',
  created_at: '2026-03-01T08:30:00.000Z',
  updated_at: '2026-03-01T08:30:00.000Z',
};

const generated = {
  ...variant,
  barcode: null,
  is_active: false,
  availability: { status: null, quantity: 0 },
};

/** What the reference shows for variants. */
export const variantExample = {
  embedded,
  variant,
  create: {
    sku: 'TEE-001-red-m',
    axis_values: { color: 'red', size: 'm' },
    barcode: '4006381333931',
    is_active: true,
  },
  update: { price: { value: 19.9 }, barcode: null },
  generate: { sku_template: '{sku}-{color}-{size}', activate: false },
  plan: { dry_run: true, total_combinations: 2, would_create: 1, skipped_existing: 1 },
  generation: {
    dry_run: false,
    total_combinations: 2,
    created: 1,
    skipped_existing: 1,
    variants: [generated],
  },
};
