import { writeOperation } from '../../../api/operation.ts';
import { changeLocation } from '../location-service.ts';
import {
  LocationParams,
  LocationWire,
  locationFieldsFromWire,
  locationToWire,
  UpdateStockLocationBody,
} from '../location-wire.ts';
import { locationExample } from './location-example.ts';

/** Changes every location but the default one [catalog-70] [catalog-71]. */
export const updateStockLocationOperation = writeOperation({
  id: 'updateStockLocation',
  method: 'PATCH',
  path: '/stock/locations/:externalCode',
  tag: 'Stock',
  summary: 'Update a stock location',
  description: `Omitted fields are left unchanged. With \`is_active: false\`, stock at this location immediately stops counting as available;
its levels are kept and can be adjusted. \`__default__\` cannot be changed (404).`,
  access: ['catalog.stock:write'],
  idempotency: 'ignored',
  lock: 'stock',
  params: LocationParams,
  body: UpdateStockLocationBody,
  bodyExample: locationExample.update,
  responses: {
    200: {
      description: 'The updated location.',
      schema: LocationWire,
      example: locationExample.updated,
    },
  },
  handle: async (tx, { caller, params, body }) => {
    const changes = locationFieldsFromWire(body);
    const location = await changeLocation(tx, caller.brandId, params.externalCode, changes);
    return { status: 200, body: locationToWire(location) };
  },
});
