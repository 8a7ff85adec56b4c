import { type Static, Type } from 'typebox';
import { ActiveFilter, ExactFilter, Instant } from '../../../api/field-schemas.ts';
import { readOperation } from '../../../api/operation.ts';
import { exampleListOf, listOf, pageMeta, pageOf, pageQuery } from '../../../api/pagination.ts';
import { unchanged } from '../../../api/reply.ts';
import { parseInstant } from '../../../lib/instant.ts';
import { statusesHoldUntil } from '../../stock/availability.ts';
import { findProductListVersion } from '../../versions/queries/catalog-versions.ts';
import { parseSort } from '../product-sort.ts';
import { ProductListItemWire, productListItemToWire } from '../product-wire.ts';
import { listProductsUnless } from '../queries/product-list.ts';
import type { ProductFilter } from '../queries/select-product-page.ts';
import { productExample } from './product-example.ts';

const ListProductsQuery = Type.Object({
  sku: ExactFilter({ description: 'Exact SKU; case-sensitive.', examples: ['TEE-001'] }),
  is_active: ActiveFilter,
  has_variants: Type.Optional(
    Type.Boolean({
      description: '`true`: only variant parents; `false`: only simple products.',
      examples: [true],
    }),
  ),
  updated_since: Type.Optional(
    Instant({ description: '`updated_at` at or after this time.', examples: ['2026-03-01T08:30:00Z'] }),
  ),
  sort: ExactFilter({
    description:
      'Comma-separated fields, with a `-` prefix for descending: `sku`, `created_at`, `updated_at`. Other names are ignored. Default `-updated_at`.',
    examples: ['-updated_at'],
  }),
  ...pageQuery,
});

/** Filters and sorts on request [catalog-22]. */
export const listProductsOperation = readOperation({
  id: 'listProducts',
  method: 'GET',
  path: '/products',
  tag: 'Products',
  summary: 'List products',
  description: `Includes inactive products; filter with \`is_active\`.

To follow changes, poll \`updated_since=<the last updated_at you received>&sort=updated_at\`: \`updated_at\` follows commit
order, so no change is missed. The bound is inclusive: the last product you received is returned again.`,
  access: ['catalog.products:read'],
  query: ListProductsQuery,
  responses: {
    200: {
      description: 'One page of products.',
      schema: listOf(ProductListItemWire),
      example: exampleListOf(productExample.listItem),
    },
  },
  handle: async (context, { caller, query, known }) => {
    const page = pageOf(query);
    const request = { filter: filterOf(query), sort: parseSort(query.sort), page, known };
    const list = await listProductsUnless(context, caller.brandId, request);
    if (list === null) return unchanged;
    const { products, total, version } = list;
    const now = context.clock.now();
    const settings = products[0]?.availabilitySettings;
    const stocks = products.map(({ stock }) => stock);
    return {
      status: 200,
      body: {
        data: products.map((product) => productListItemToWire(product, caller, now)),
        meta: pageMeta(page, total),
      },
      version: {
        state: version,
        freshUntil: settings === undefined ? null : statusesHoldUntil(stocks, settings, now),
      },
    };
  },
  currentVersion: ({ database }, { caller }) => findProductListVersion(database, caller.brandId),
});

function filterOf(query: Static<typeof ListProductsQuery>): ProductFilter {
  const { sku, is_active: isActive, has_variants: hasVariants, updated_since: since } = query;
  const updatedSince = since === undefined ? undefined : (parseInstant(since) ?? undefined);
  return { sku, isActive, hasVariants, updatedSince };
}
