import { setOperation } from '../../../api/operation.ts';
import { mapSet } from '../../brand-set.ts';
import { openLocationChanges } from '../location-changes.ts';
import {
  LocationParams,
  LocationWire,
  locationFieldsFromWire,
  locationToWire,
  UpdateStockLocationBody,
} from '../location-wire.ts';
import { locationExample } from './location-example.ts';

/** Changes every location but the default one [catalog-70] [catalog-71]. */
export const updateStockLocationOperation = setOperation({
  id: 'updateStockLocation',
  method: 'PATCH',
  path: '/stock/locations/:externalCode',
  tag: 'Stock',
  summary: 'Update a stock location',
  description: `Omitted fields are left unchanged. With \`is_active: false\`, stock at this location immediately stops counting as available;
its levels are kept and can be adjusted. \`__default__\` cannot be changed (404).`,
  access: ['catalog.stock:write'],
  idempotency: 'ignored',
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
  set: {
    lock: 'stock',
    // Refreshes the stock of all products there, which takes long.
    isAlone: ({ body }) => body.is_active !== undefined,
    open: async (tx, requests, options) => {
      const changes = requests.map(({ caller: { brandId }, params, body }) => {
        return { brandId, externalCode: params.externalCode, changes: locationFieldsFromWire(body) };
      });
      const set = await openLocationChanges(tx, changes, options);
      return mapSet(set, (location) => ({ status: 200, body: locationToWire(location) }));
    },
  },
});
