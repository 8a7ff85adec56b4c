import { exampleIds } from '../../api/example-ids.ts';

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
