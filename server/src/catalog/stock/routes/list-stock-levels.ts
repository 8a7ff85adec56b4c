import { type Static, Type } from 'typebox';
import { ExactFilter, Instant } from '../../../api/field-schemas.ts';
import { readOperation } from '../../../api/operation.ts';
import { exampleListOf, listOf, pageMeta, pageOf, pageQuery } from '../../../api/pagination.ts';
import { parseInstant } from '../../../lib/instant.ts';
import { type LevelFilter, listLevels } from '../queries/level-list.ts';
import { stockExample } from '../stock-example.ts';
import { StockLevelWire, stockLevelToWire } from '../stock-level-wire.ts';

const ListLevelsQuery = Type.Object({
  sku: ExactFilter({
    description: 'Exact SKU of a product or variant; case-sensitive.',
    examples: ['TEE-001-red-m'],
  }),
  location: ExactFilter({
    description: 'The `external_code` of a location; an unknown one matches nothing.',
    examples: ['WH-BERLIN'],
  }),
  updated_since: Type.Optional(
    Instant({
      description: '`source_updated_at` at or after this time.',
      examples: ['2026-03-01T08:30:00Z'],
    }),
  ),
  ...pageQuery,
});

/** Lists levels of products and variants alike [catalog-79] [catalog-80]. */
export const listStockLevelsOperation = readOperation({
  id: 'listStockLevels',
  method: 'GET',
  path: '/stock/levels',
  tag: 'Stock',
  summary: 'List stock levels',
  description: `One row per product or variant and location, ordered by SKU, then location. Levels of deleted variants are not listed.
\`updated_since\` filters by \`source_updated_at\`: levels written by a feed have the feed's timestamps.`,
  access: ['catalog.stock:read'],
  query: ListLevelsQuery,
  responses: {
    200: {
      description: 'One page of levels.',
      schema: listOf(StockLevelWire),
      example: exampleListOf(stockExample.level),
    },
  },
  handle: async ({ database }, { caller, query }) => {
    const page = pageOf(query);
    const { levels, total } = await listLevels(database, caller.brandId, filterOf(query), page);
    return { status: 200, body: { data: levels.map(stockLevelToWire), meta: pageMeta(page, total) } };
  },
});

function filterOf({ sku, location, updated_since }: Static<typeof ListLevelsQuery>): LevelFilter {
  const updatedSince = updated_since === undefined ? null : parseInstant(updated_since);
  return {
    ...(sku !== undefined && { sku }),
    ...(location !== undefined && { location }),
    ...(updatedSince !== null && { updatedSince }),
  };
}
