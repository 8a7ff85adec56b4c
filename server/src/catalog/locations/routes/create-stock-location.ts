import { setOperation } from '../../../api/operation.ts';
import { mapSet } from '../../brand-set.ts';
import { openLocationCreations } from '../location-creations.ts';
import {
  CreateStockLocationBody,
  LocationWire,
  locationFieldsFromWire,
  locationToWire,
} from '../location-wire.ts';
import { locationExample } from './location-example.ts';

/** Refuses a code that the brand already has [catalog-67] [catalog-69]. */
export const createStockLocationOperation = setOperation({
  id: 'createStockLocation',
  method: 'POST',
  path: '/stock/locations',
  tag: 'Stock',
  summary: 'Create a stock location',
  description: `Creates a stock location; adjustments and feeds refer to it by its \`external_code\`. An existing code returns
\`409 conflict\`. \`__default__\` is reserved: it is created automatically when it is first needed.`,
  access: ['catalog.stock:write'],
  idempotency: 'optional',
  body: CreateStockLocationBody,
  bodyExample: locationExample.create,
  responses: {
    201: { description: 'The new location.', schema: LocationWire, example: locationExample.created },
  },
  errors: ['conflict'],
  set: {
    lock: 'stock',
    open: async (tx, requests, options) => {
      const creations = requests.map(({ caller: { brandId }, body }) => {
        return { brandId, externalCode: body.external_code, fields: locationFieldsFromWire(body) };
      });
      const set = await openLocationCreations(tx, creations, options);
      return mapSet(set, (location) => ({ status: 201, body: locationToWire(location) }));
    },
  },
});
