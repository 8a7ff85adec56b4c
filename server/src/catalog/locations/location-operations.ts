import { Type } from 'typebox';
import { ActiveFilter } from '../../api/field-schemas.ts';
import { type Operation, readOperation, setOperation } from '../../api/operation.ts';
import { exampleListOf, listOf, pageQuery, pageReply } from '../../api/pagination.ts';
import { mapSet } from '../brand-set.ts';
import { openLocationChanges } from './location-changes.ts';
import { openLocationCreations } from './location-creations.ts';
import { listLocations } from './location-list-store.ts';
import {
  CreateStockLocationBody,
  LocationParams,
  LocationWire,
  locationFieldsFromWire,
  locationToWire,
  UpdateStockLocationBody,
} from './location-wire.ts';

const location = {
  external_code: 'WH-BERLIN',
  name: 'Warehouse Berlin',
  is_active: true,
  pointofsale_tu_id: 'shop-12',
  created_at: '2026-03-01T08:30:00.000Z',
  updated_at: '2026-03-01T08:30:00.000Z',
};

const locationExample = {
  location,
  create: { external_code: 'WH-HAMBURG', name: 'Warehouse Hamburg' },
  created: { ...location, external_code: 'WH-HAMBURG', name: 'Warehouse Hamburg', pointofsale_tu_id: null },
  update: { name: 'Warehouse Berlin-Spandau' },
  updated: { ...location, name: 'Warehouse Berlin-Spandau', updated_at: '2026-03-02T10:00:00.000Z' },
};

/** Includes the default location once it exists [catalog-68]. */
const listStockLocationsOperation = readOperation({
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

export const locationOperations: readonly Operation[] = [
  listStockLocationsOperation,
  createStockLocationOperation,
  updateStockLocationOperation,
];
