import { type Static, Type } from 'typebox';
import { ActiveFilter, NamedObject, Nullable, Prohibited, Text, Timestamp } from '../../api/field-schemas.ts';
import { clientWrite, type Operation, readOperation } from '../../api/operation.ts';
import { exampleListOf, listOf, pageQuery, pageReply } from '../../api/pagination.ts';
import { recordStockChange, type StockLock } from './brand-stock-store.ts';
import { changedLocation, type Location, type LocationFields, newLocation } from './location.ts';
import {
  findLocation,
  insertLocation,
  listLocations,
  listProductsAtLocation,
  readNewLocation,
  updateLocation,
} from './location-store.ts';
import { refreshProductStock } from './product-stock-store.ts';
import { stockLock } from './stock-changes-store.ts';

const codePattern = '^[A-Za-z0-9._~-]+$';

/** External code of a location [catalog-67]. */
const ExternalCode = (description: string, format?: string) =>
  Type.String({
    minLength: 1,
    maxLength: 64,
    pattern: codePattern,
    ...(format !== undefined && { format }),
    description,
    examples: ['WH-BERLIN'],
  });

const LocationParams = Type.Object({
  externalCode: ExternalCode('The location’s `external_code`.'),
});

const name = Text({ max: 255, description: 'Display name.', examples: ['Warehouse Berlin'] });
const isActive = Type.Boolean({ description: 'Stock at an inactive location is not available.' });
const pointOfSale = Prohibited('an administrator assigns points of sale.');

const CreateStockLocationBody = NamedObject('StockLocationCreate', {
  external_code: ExternalCode(
    'Unique in the brand and immutable. Case-sensitive. Not `.` or `..`.',
    'path-segment',
  ),
  name: Type.Optional({ ...name, description: 'Default: the `external_code`.' }),
  is_active: Type.Optional({ ...isActive, default: true }),
  pointofsale_tu_id: pointOfSale,
});

const UpdateStockLocationBody = NamedObject('StockLocationUpdate', {
  external_code: Prohibited('the code of a location cannot be changed.'),
  name: Type.Optional(name),
  is_active: Type.Optional(isActive),
  pointofsale_tu_id: pointOfSale,
});

/** A location as the endpoints return it [catalog-68]. */
const LocationWire = NamedObject('StockLocation', {
  external_code: Type.String(),
  name: Type.String(),
  is_active: Type.Boolean(),
  pointofsale_tu_id: Nullable(Type.String(), { description: 'The point of sale assigned to the location.' }),
  created_at: Timestamp(),
  updated_at: Timestamp(),
});

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
      schema: listOf(LocationWire, 'StockLocationPage'),
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
const createStockLocationOperation = clientWrite({
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
  lock: stockLock,
  handle: async (stock, { body }) => {
    const location = await createLocation(stock, body.external_code, locationFieldsFromWire(body));
    return { status: 201, body: locationToWire(location) };
  },
});

/** Changes every location but the default one [catalog-70] [catalog-71]. */
const updateStockLocationOperation = clientWrite({
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
  lock: stockLock,
  handle: async (stock, { params, body }) => {
    const location = await changeLocation(stock, params.externalCode, locationFieldsFromWire(body));
    return { status: 200, body: locationToWire(location) };
  },
});

/** @throws ApiError see `newLocation` */
export async function createLocation(
  stock: StockLock,
  externalCode: string,
  fields: Partial<LocationFields>,
): Promise<Location> {
  const read = await readNewLocation(stock, externalCode);
  const location = newLocation({ brandId: stock.brandId, externalCode, fields }, { ...read, now: stock.now });
  insertLocation(stock, location);
  return location;
}

/**
 * Changes a location. `is_active` updates the availability of every product that has stock there.
 * @throws ApiError see `changedLocation`
 */
export async function changeLocation(
  stock: StockLock,
  externalCode: string,
  changes: Partial<LocationFields>,
): Promise<Location> {
  const present = await findLocation(stock, externalCode);
  const location = changedLocation(present, changes, stock.now);
  if (location === present) return location;
  updateLocation(stock, location);
  if (location.isActive !== present?.isActive) await refreshStockAt(stock, location);
  return location;
}

/** The number of products whose stock is refreshed by one statement, which takes about half a second. */
const productsAtOnce = 5_000;

/** Refreshes all products with stock at the location, in the order of their ids. No level itself changes. */
async function refreshStockAt(stock: StockLock, { id }: Location): Promise<void> {
  const productIds = await listProductsAtLocation(stock, id);
  for (let first = 0; first < productIds.length; first += productsAtOnce)
    refreshProductStock(stock, productIds.slice(first, first + productsAtOnce));
  if (productIds.length > 0) recordStockChange(stock, []);
}

/** Absent fields stay absent. */
function locationFieldsFromWire(
  body: Pick<Static<typeof UpdateStockLocationBody>, 'name' | 'is_active'>,
): Partial<LocationFields> {
  return {
    ...(body.name !== undefined && { name: body.name }),
    ...(body.is_active !== undefined && { isActive: body.is_active }),
  };
}

function locationToWire(location: Location): Static<typeof LocationWire> {
  return {
    external_code: location.externalCode,
    name: location.name,
    is_active: location.isActive,
    pointofsale_tu_id: location.pointOfSaleTuId,
    created_at: location.createdAt.toISOString(),
    updated_at: location.updatedAt.toISOString(),
  };
}

export const locationOperations: readonly Operation[] = [
  listStockLocationsOperation,
  createStockLocationOperation,
  updateStockLocationOperation,
];
