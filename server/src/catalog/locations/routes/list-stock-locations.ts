import { Type } from 'typebox';
import { ActiveFilter } from '../../../api/field-schemas.ts';
import { readOperation } from '../../../api/operation.ts';
import { exampleListOf, listOf, pageQuery, pageReply } from '../../../api/pagination.ts';
import { listLocations } from '../location-list-store.ts';
import { LocationWire, locationToWire } from '../location-wire.ts';
import { locationExample } from './location-example.ts';

/** Includes the default location once it exists [catalog-68]. */
export const listStockLocationsOperation = readOperation({
  id: 'listStockLocations',
  method: 'GET',
  path: '/stock/locations',
  tag: 'Stock',
  summary: 'List stock locations',
  description: `Ordered by \`external_code\`. Includes inactive locations; filter with \`is_active\`. \`__default__\`, the location of adjustments
that name none, is listed once it exists.`,
  access: ['catalog.stock:read'],
  query: Type.Object({ is_active: ActiveFilter, ...pageQuery }),
  responses: {
    200: {
      description: 'One page of locations.',
      schema: listOf(LocationWire),
      example: exampleListOf(locationExample.location),
    },
  },
  handle: async ({ database }, { caller, query }) => {
    return pageReply(
      query,
      (page) => listLocations(database, caller.brandId, query.is_active, page),
      locationToWire,
    );
  },
});
