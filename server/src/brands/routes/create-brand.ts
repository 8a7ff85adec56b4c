import { writeOperation } from '../../api/operation.ts';
import { createBrand } from '../brand-service.ts';
import { BrandWire, brandExample, brandToWire, CreateBrandBody, settingsFromWire } from '../brand-wire.ts';

export const createBrandOperation = writeOperation({
  id: 'createBrand',
  method: 'POST',
  path: '/brands',
  tag: 'Brands',
  summary: 'Create a brand',
  description:
    'Creates a tenant: keys, products, stock and learners belong to one brand and are invisible to the keys of others. Omitted settings take their defaults.',
  access: 'administrators',
  body: CreateBrandBody,
  idempotency: 'optional',
  bodyExample: { name: 'Maison Aurore', settings: { currency: 'EUR', low_stock_threshold: 5 } },
  responses: { 201: { description: 'The new brand.', schema: BrandWire, example: brandExample } },
  handle: async (tx, { body }) => {
    const brand = await createBrand(tx, { name: body.name, settings: settingsFromWire(body.settings) });
    return { status: 201, body: brandToWire(brand) };
  },
});
