import { Type } from 'typebox';
import { exampleIds } from '../../../api/example-ids.ts';
import { readOperation } from '../../../api/operation.ts';
import { getBrand } from '../../../brands/brand-service.ts';
import { BrandParams, brandIdFromPath } from '../../../brands/brand-wire.ts';
import { listSkus } from '../queries/sku-list.ts';

const maxLimit = 50;

const SkuWire = Type.Object({
  sku: Type.String(),
  kind: Type.String({ enum: ['product', 'variant'] }),
  tu_id: Type.String({ description: 'Id of the product or variant.' }),
  product_tu_id: Type.String(),
  is_deleted: Type.Boolean({ description: 'true: a deleted variant, which still holds its SKU.' }),
});

export const SkuListWire = Type.Object({ data: Type.Array(SkuWire) });

/** Finds products and variants by the beginning of their SKU [internal-71]. */
export const listSkusOperation = readOperation({
  id: 'listSkus',
  method: 'GET',
  path: '/brands/:id/skus',
  tag: 'Catalog',
  summary: 'Find SKUs by prefix',
  description:
    'Lists the SKUs of products and variants that begin with `prefix`, in order of their code points.',
  access: 'brand',
  params: BrandParams,
  query: Type.Object({
    prefix: Type.Optional(
      Type.String({
        ...{ maxLength: 191, format: 'storable-text', examples: ['TEE-'] },
        description: 'Compared case-sensitively. Default: empty, which lists the first SKUs.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        ...{ minimum: 1, default: maxLimit, examples: [maxLimit] },
        description: `Values above ${maxLimit} are reduced to ${maxLimit}.`,
      }),
    ),
  }),
  responses: {
    200: {
      description: 'The first SKUs that match.',
      schema: SkuListWire,
      example: {
        data: [
          {
            ...{ sku: 'TEE-001-red-m', kind: 'variant', tu_id: exampleIds.variant },
            ...{ product_tu_id: exampleIds.product, is_deleted: false },
          },
        ],
      },
    },
  },
  handle: async ({ database }, { params, query }) => {
    const { id } = await getBrand(database, brandIdFromPath(params.id));
    const limit = Math.min(query.limit ?? maxLimit, maxLimit);
    const skus = await listSkus(database, id, { prefix: query.prefix ?? '', limit });
    const data = skus.map(({ sku, kind, tuId, productTuId, isDeleted }) => ({
      ...{ sku, kind, tu_id: tuId, product_tu_id: productTuId, is_deleted: isDeleted },
    }));
    return { status: 200, body: { data } };
  },
});
