import { type Static, Type } from 'typebox';
import { ExactFilter, Instant } from '../../../api/field-schemas.ts';
import { readOperation } from '../../../api/operation.ts';
import { exampleListOf, listOf, pageMeta, pageOf, pageQuery } from '../../../api/pagination.ts';
import { unchanged } from '../../../api/reply.ts';
import { parseInstant } from '../../../lib/instant.ts';
import { findProductListVersion } from '../../versions/queries/product-list-version.ts';
import { type LevelFilter, listLevelsUnless } from '../queries/level-list.ts';
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
  handle: async ({ database }, { caller, query, known }) => {
    const page = pageOf(query);
    const request = { filter: filterOf(query), page, known };
    const list = await listLevelsUnless(database, caller.brandId, request);
    if (list === null) return unchanged;
    return {
      status: 200,
      body: { data: list.levels.map(stockLevelToWire), meta: pageMeta(page, list.total) },
      version: { state: list.version },
    };
  },
  currentVersion: ({ database }, { caller }) => findProductListVersion(database, caller.brandId),
});

function filterOf({ sku, location, updated_since }: Static<typeof ListLevelsQuery>): LevelFilter {
  const updatedSince = updated_since === undefined ? null : parseInstant(updated_since);
  return {
    ...(sku !== undefined && { sku }),
    ...(location !== undefined && { location }),
    ...(updatedSince !== null && { updatedSince }),
  };
}
