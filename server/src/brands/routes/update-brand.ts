import { writeOperation } from '../../api/operation.ts';
import { updateBrand } from '../brand-service.ts';
import {
  BrandParams,
  BrandWire,
  brandExample,
  brandIdFromPath,
  brandToWire,
  settingsFromWire,
  UpdateBrandBody,
} from '../brand-wire.ts';

export const updateBrandOperation = writeOperation({
  id: 'updateBrand',
  method: 'PATCH',
  path: '/brands/:id',
  tag: 'Brands',
  summary: 'Update a brand',
  description:
    'Updates the name or settings; omitted fields are left unchanged. `stale_after_hours: null` disables staleness. An update that changes no value leaves `updated_at` unchanged.',
  access: 'brand',
  params: BrandParams,
  body: UpdateBrandBody,
  bodyExample: { settings: { low_stock_threshold: 10, stale_after_hours: 48 } },
  responses: {
    200: {
      description: 'The updated brand.',
      schema: BrandWire,
      example: {
        ...brandExample,
        settings: { ...brandExample.settings, low_stock_threshold: 10, stale_after_hours: 48 },
        updated_at: '2026-03-02T10:00:00.000Z',
      },
    },
  },
  handle: async (tx, { params, body }) => {
    const brand = await updateBrand(tx, brandIdFromPath(params.id), {
      ...(body.name !== undefined && { name: body.name }),
      settings: settingsFromWire(body.settings),
    });
    return { status: 200, body: brandToWire(brand) };
  },
});
