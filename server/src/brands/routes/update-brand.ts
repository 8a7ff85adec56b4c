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
  summary: 'Change a brand',
  description:
    'Changes the name, or some of the settings: the ones that are left out stay as they are. `stale_after_hours: null` switches staleness off. A change to what is there already changes nothing, `updated_at` included.',
  access: 'admin',
  idempotency: 'ignored',
  params: BrandParams,
  body: UpdateBrandBody,
  bodyExample: { settings: { low_stock_threshold: 10, stale_after_hours: 48 } },
  responses: {
    200: {
      description: 'The brand as it is now.',
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
