import { Type } from 'typebox';
import { exampleIds } from '../../api/example-ids.ts';
import { type Operation, readOperation } from '../../api/operation.ts';
import { getBrand } from '../../brands/brand-service.ts';
import { BrandParams, brandIdFromPath } from '../../brands/brand-wire.ts';
import { findProductsByTitle, listSkus, searchedProducts } from './queries/sku-list.ts';

const maxLimit = 50;

const SkuWire = Type.Object({
  sku: Type.String(),
  kind: Type.String({ enum: ['product', 'variant'] }),
  tu_id: Type.String({ description: 'Id of the product or variant.' }),
  product_tu_id: Type.String(),
  title: Type.String({ description: 'The title of the product.' }),
  is_deleted: Type.Boolean({ description: 'true: a deleted variant, which still holds its SKU.' }),
});

export const SkuListWire = Type.Object({ data: Type.Array(SkuWire) });

/** Finds products and variants by the beginning of their SKU, and products by their title [internal-71] [D258]. */
const listSkusOperation = readOperation({
  id: 'listSkus',
  method: 'GET',
  path: '/brands/:id/skus',
  tag: 'Catalog',
  summary: 'Find SKUs by prefix, or products by title',
  description:
    'Lists the SKUs of products and variants that begin with `prefix`, in order of their code points. With `title`, lists ' +
    `the products whose title contains it, newest first, among the ${searchedProducts} newest of the brand.`,
  access: 'brand',
  params: BrandParams,
  query: Type.Object({
    prefix: Type.Optional(
      Type.String({
        maxLength: 191,
        format: 'storable-text',
        examples: ['TEE-'],
        description: 'Compared case-sensitively. Default: empty, which lists the first SKUs.',
      }),
    ),
    title: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        format: 'storable-text',
        examples: ['mug'],
        description: 'In upper or lower case. With `prefix`, both must match.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        default: maxLimit,
        examples: [maxLimit],
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
            sku: 'TEE-001-red-m',
            kind: 'variant',
            tu_id: exampleIds.variant,
            product_tu_id: exampleIds.product,
            title: 'T-shirt',
            is_deleted: false,
          },
        ],
      },
    },
  },
  handle: async ({ database }, { params, query }) => {
    const { id } = await getBrand(database, brandIdFromPath(params.id));
    const limit = Math.min(query.limit ?? maxLimit, maxLimit);
    const { prefix = '', title } = query;
    const skus =
      title === undefined
        ? await listSkus(database, id, { prefix, limit })
        : await findProductsByTitle(database, id, { prefix, title, limit });
    const data = skus.map(({ tuId, productTuId, isDeleted, ...same }) => ({
      ...same,
      tu_id: tuId,
      product_tu_id: productTuId,
      is_deleted: isDeleted,
    }));
    return { status: 200, body: { data } };
  },
});

export const skuOperations: readonly Operation[] = [listSkusOperation];
