import { variantExample } from '../../variants/routes/variant-example.ts';

const listItem = {
  id: 1001,
  tu_id: 'V1StGXR8_Z5jdHi6B-myT',
  brand_id: 1,
  sku: 'TEE-001',
  type: 'simple',
  title: 'Organic tee',
  short_description: 'Heavy cotton, regular fit.',
  default_language: 'en',
  versions: { de: { title: 'Bio-T-Shirt' } },
  price_value: 24.9,
  price_currency: 'EUR',
  tax_class: 'standard',
  is_active: true,
  profile: null,
  has_variants: false,
  price_range: null,
  availability: { status: null },
  stock_summary: { total_quantity: 0, total_reserved: 0 },
  created_at: '2026-03-01T08:30:00.000Z',
  updated_at: '2026-03-01T08:30:00.000Z',
};

/** What the reference shows for products. */
export const productExample = {
  listItem,
  detail: {
    ...listItem,
    has_variants: true,
    price_range: { min: 24.9, max: 24.9, currency: 'EUR' },
    availability: { status: 'in_stock' },
    stock_summary: { total_quantity: 12, total_reserved: 0 },
    axes: [
      { code: 'color', label: 'Colour', position: 0, values: [{ value: 'red', label: 'Red', position: 0 }] },
      { code: 'size', label: 'Size', position: 1, values: [{ value: 'm', label: 'M', position: 1 }] },
    ],
    variants: [variantExample.embedded],
  },
  create: {
    sku: 'TEE-001',
    title: 'Organic tee',
    short_description: 'Heavy cotton, regular fit.',
    price_value: 24.9,
    price_currency: 'EUR',
    is_active: true,
    versions: { de: { title: 'Bio-T-Shirt' } },
  },
  update: { price_value: 19.9, is_active: false },
};
