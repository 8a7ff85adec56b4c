import { operationKit } from '../../../api/operation.ts';
import { getBrand } from '../../../brands/brand-service.ts';
import { BrandParams, brandIdFromPath } from '../../../brands/brand-wire.ts';
import { StockHealthWire, stockHealthExample, stockHealthToWire } from '../stock-health-wire.ts';
import type { StockHealthContext } from '../stock-healths.ts';

const { readOperation } = operationKit<StockHealthContext>();

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
