import { Type } from 'typebox';
import { ActiveFilter, ExactFilter } from '../../../api/field-schemas.ts';
import { readOperation } from '../../../api/operation.ts';
import { exampleListOf, listOf, pageMeta, pageOf, pageQuery } from '../../../api/pagination.ts';
import { unchanged } from '../../../api/reply.ts';
import { ProductParams } from '../../product-params.ts';
import { statusesHoldUntil } from '../../stock/availability.ts';
import { findProductVersion } from '../../versions/queries/catalog-versions.ts';
import { listVariantsUnless } from '../queries/variant-list.ts';
import { VariantWire, variantToWire } from '../variant-wire.ts';
import { variantExample } from './variant-example.ts';

/** Lists by position, inactive variants included [catalog-58]. */
export const listVariantsOperation = readOperation({
  id: 'listVariants',
  method: 'GET',
  path: '/products/:tuId/variants',
  tag: 'Variants',
  summary: 'List the variants of a product',
  description: `Ordered by \`position\`. Includes inactive variants; filter with \`is_active\`. Deleted variants are not listed.
\`availability.quantity\` requires a key that also has \`catalog.stock:read\`.`,
  access: ['catalog.products:read'],
  params: ProductParams,
  query: Type.Object({
    is_active: ActiveFilter,
    sku: ExactFilter({ description: 'Exact SKU; case-sensitive.', examples: ['TEE-001-red-m'] }),
    ...pageQuery,
  }),
  responses: {
    200: {
      description: 'One page of variants.',
      schema: listOf(VariantWire),
      example: exampleListOf(variantExample.variant),
    },
  },
  handle: async ({ database, clock }, { caller, params, query, known }) => {
    const page = pageOf(query);
    const request = { filter: { isActive: query.is_active, sku: query.sku }, page, known };
    const list = await listVariantsUnless(database, caller.brandId, params.tuId, request);
    if (list === null) return unchanged;
    const { parent, variants, total, version } = list;
    const now = clock.now();
    const stocks = variants.map(({ stock }) => stock);
    return {
      status: 200,
      body: {
        data: variants.map((variant) => variantToWire(variant, parent, caller, now)),
        meta: pageMeta(page, total),
      },
      version: {
        state: version,
        freshUntil: statusesHoldUntil(stocks, parent.availabilitySettings, now),
      },
    };
  },
  currentVersion: ({ database }, { caller, params }) =>
    findProductVersion(database, caller.brandId, params.tuId),
});
