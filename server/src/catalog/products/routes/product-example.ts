import { exampleIds } from '../../../api/example-ids.ts';
import { variantExample } from '../../variants/routes/variant-example.ts';

const listItem = {
  id: 1001,
  tu_id: exampleIds.product,
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

const detail = {
  ...listItem,
  has_variants: true,
  price_range: { min: 24.9, max: 24.9, currency: 'EUR' },
  availability: { status: 'in_stock' },
  stock_summary: { total_quantity: 50, total_reserved: 0 },
  axes: [
    {
      code: 'color',
      label: 'Colour',
      position: 0,
      values: [
        { value: 'red', label: 'Red', position: 0 },
        { value: 'blue', label: 'Blue', position: 1 },
      ],
    },
    {
      code: 'size',
      label: 'Size',
      position: 1,
      values: [
        { value: 's', label: 'S', position: 0 },
        { value: 'm', label: 'M', position: 1 },
      ],
    },
  ],
  variants: [variantExample.embedded],
};

export const productExample = {
  listItem,
  detail,
  create: {
    sku: 'SCARF-001',
    title: 'Wool scarf',
    short_description: 'Merino, woven.',
    price_value: 39,
    price_currency: 'EUR',
    is_active: true,
    versions: { de: { title: 'Wollschal' } },
  },
  created: {
    ...listItem,
    id: 1006,
    tu_id: 'Hc5wQe1TnB_s9LxZ0pVaG',
    sku: 'SCARF-001',
    title: 'Wool scarf',
    short_description: 'Merino, woven.',
    versions: { de: { title: 'Wollschal' } },
    price_value: 39,
    axes: [],
    variants: [],
  },
  updated: { ...detail, short_description: 'Heavy cotton.', price_value: 19.9 },
  update: { price_value: 19.9, short_description: 'Heavy cotton.' },
};
