import { type Static, Type } from 'typebox';
import { Timestamp } from '../../../api/field-schemas.ts';
import { operationKit } from '../../../api/operation.ts';
import { getBrand } from '../../../brands/brand-service.ts';
import { BrandParams, brandIdFromPath } from '../../../brands/brand-wire.ts';
import type { StockHealth } from '../queries/count-statuses.ts';
import type { StockHealthContext } from '../stock-healths.ts';

const { readOperation } = operationKit<StockHealthContext>();

const count = (description: string) => Type.Integer({ minimum: 0, description });

const statusCounts = {
  levels: count('Stock levels at active locations, without those of deleted variants.'),
  out_of_stock: count('Levels with nothing available.'),
  low_stock: count('Levels with at most `low_stock_threshold` of the brand available, but not nothing.'),
  stale: count('Levels that no feed has updated for `stale_after_hours` of the brand, in no other count.'),
};

export const StockHealthWire = Type.Object({
  as_of: Timestamp({ description: 'When the levels were counted.' }),
  ...statusCounts,
  by_location: Type.Array(
    Type.Object({
      location_code: Type.String({ description: 'The location’s `external_code`.' }),
      ...statusCounts,
    }),
    { description: 'The active locations that have levels, by code.' },
  ),
});

const exampleCounts = { levels: 1_240, out_of_stock: 31, low_stock: 58, stale: 4 };

const stockHealthExample: Static<typeof StockHealthWire> = {
  as_of: '2026-03-02T09:14:03.120Z',
  ...exampleCounts,
  by_location: [{ location_code: 'WH-PARIS', ...exampleCounts }],
};

/** Shows how much stock needs attention, and where [internal-196]. */
export const getStockHealthOperation = readOperation({
  id: 'getStockHealth',
  method: 'GET',
  path: '/brands/:id/stock-health',
  tag: 'Catalog',
  summary: 'Get the stock health of a brand',
  description:
    'Counts the stock levels at active locations that are out of stock, low or stale, by the rule for the status of a product. The counts are at most a minute old.',
  access: 'brand',
  params: BrandParams,
  responses: { 200: { description: 'The counts.', schema: StockHealthWire, example: stockHealthExample } },
  handle: async (context, { params }) => {
    const brand = await getBrand(context.database, brandIdFromPath(params.id));
    return { status: 200, body: stockHealthToWire(await context.stockHealths.read(context, brand)) };
  },
});

function stockHealthToWire({ countedAt, byLocation }: StockHealth): Static<typeof StockHealthWire> {
  const sumOf = (name: keyof typeof statusCounts) =>
    byLocation.reduce((sum, location) => sum + location[name], 0);
  return {
    as_of: new Date(countedAt).toISOString(),
    levels: sumOf('levels'),
    out_of_stock: sumOf('out_of_stock'),
    low_stock: sumOf('low_stock'),
    stale: sumOf('stale'),
    by_location: byLocation.map(({ locationCode, levels, out_of_stock, low_stock, stale }) => ({
      location_code: locationCode,
      levels,
      out_of_stock,
      low_stock,
      stale,
    })),
  };
}
