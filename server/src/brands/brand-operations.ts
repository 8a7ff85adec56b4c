import { type Operation, writeOperation } from '../api/operation.ts';
import { tagHeaders } from '../api/reply.ts';
import { brandTag } from './brand.ts';
import { createBrand, updateBrand } from './brand-service.ts';
import {
  BrandParams,
  BrandWire,
  brandExample,
  brandIdFromPath,
  brandToWire,
  CreateBrandBody,
  settingsFromWire,
  UpdateBrandBody,
} from './brand-wire.ts';

const createBrandOperation = writeOperation({
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

const updateBrandOperation = writeOperation({
  id: 'updateBrand',
  method: 'PATCH',
  path: '/brands/:id',
  tag: 'Brands',
  summary: 'Update a brand',
  description:
    'Updates the name or settings; omitted fields are left unchanged. `stale_after_hours: null` disables staleness. An update that changes no value leaves `updated_at` unchanged. With `If-Match`, a brand that somebody has changed since you read it is not changed: 412 `precondition_failed`.',
  access: 'brand',
  params: BrandParams,
  body: UpdateBrandBody,
  takesIfMatch: true,
  bodyExample: { settings: { low_stock_threshold: 10, stale_after_hours: 48 } },
  responses: {
    200: {
      description: 'The updated brand.',
      schema: BrandWire,
      headers: tagHeaders,
      example: {
        ...brandExample,
        settings: { ...brandExample.settings, low_stock_threshold: 10, stale_after_hours: 48 },
        updated_at: '2026-03-02T10:00:00.000Z',
      },
    },
  },
  errors: ['precondition_failed'],
  handle: async (tx, { params, body, ifMatch }) => {
    const { name } = body;
    const change = { ...(name !== undefined && { name }), settings: settingsFromWire(body.settings) };
    const brand = await updateBrand(tx, brandIdFromPath(params.id), change, ifMatch);
    return { status: 200, headers: { etag: brandTag(brand) }, body: brandToWire(brand) };
  },
});

export const brandOperations: readonly Operation[] = [createBrandOperation, updateBrandOperation];
