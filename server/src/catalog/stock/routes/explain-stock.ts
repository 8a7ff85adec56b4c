import { exampleIds } from '../../../api/example-ids.ts';
import { readOperation } from '../../../api/operation.ts';
import { getBrand } from '../../../brands/brand-service.ts';
import { BrandParams, brandIdFromPath } from '../../../brands/brand-wire.ts';
import { parseInstant } from '../../../lib/instant.ts';
import { explainStock } from '../queries/explain-level.ts';
import { stockExample } from '../stock-example.ts';
import {
  ExplainStockQuery,
  explanationLimits,
  explanationToWire,
  refusedPositionFromWire,
  StockExplanationWire,
} from '../stock-explanation-wire.ts';

const key_id = 'tuk_5f0c1b2a3d4e5f60718293a4';
const feed = {
  feed_id: exampleIds.feed,
  source_batch_id: 'erp-stock-2026-03-02T0800',
  line: 17,
  updated_at: '2026-03-02T07:55:00.000Z',
};

/** Leads from a quantity to its causes [internal-70]. */
export const explainStockOperation = readOperation({
  id: 'explainStock',
  method: 'GET',
  path: '/brands/:id/stock/explain',
  tag: 'Catalog',
  summary: 'Explain a stock quantity',
  description: `Returns the level of a SKU at a location, and the movements that led to its quantity, newest first: each with the adjustment or the
line of a feed, the request and the key. \`refused\` lists lines that were not applied because a newer quantity was known.`,
  access: 'brand',
  params: BrandParams,
  query: ExplainStockQuery,
  responses: {
    200: {
      description: 'The level and its causes.',
      schema: StockExplanationWire,
      example: {
        level: stockExample.level,
        quantity_at: 40,
        first_at: '2026-03-01T09:00:00.000Z',
        next_at: null,
        entries: [
          {
            id: 90210,
            kind: 'adjustment',
            at: '2026-03-02T10:00:00.000Z',
            quantity_before: 42,
            quantity_after: 40,
            reason: 'manual',
            note: `client-api:${key_id}`,
            key_id,
            request_id: '7f4df7c4-6d5e-4d0a-9d3c-0c5f6c1f6a55',
            feed: null,
          },
        ],
        refused: [
          {
            at: '2026-03-02T10:05:00.000Z',
            result: 'stale',
            quantity: 42,
            key_id,
            request_id: '0d4e6d0b-98f2-4c85-9a35-3d2b0f8f0c11',
            feed,
          },
        ],
        refused_next: null,
      },
    },
  },
  handle: async ({ database }, { params, query }) => {
    const { id: brandId } = await getBrand(database, brandIdFromPath(params.id));
    const explanation = await explainStock(database, {
      brandId,
      sku: query.sku,
      location: query.location,
      at: query.at === undefined ? null : parseInstant(query.at),
      before: query.before ?? null,
      refusedBefore:
        query.refused_before === undefined ? null : refusedPositionFromWire(query.refused_before),
      limit: Math.min(query.limit ?? explanationLimits.default, explanationLimits.max),
    });
    return { status: 200, body: explanationToWire(explanation) };
  },
});
