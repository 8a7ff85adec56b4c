import { setOperation } from '../../../api/operation.ts';
import { mapSet } from '../../brand-set.ts';
import { openProductCreations } from '../product-creations.ts';
import { newProductDetail } from '../product-detail.ts';
import {
  CreateProductBody,
  fieldsFromWire,
  ProductDetailWire,
  productDetailToWire,
} from '../product-wire.ts';
import { productExample } from './product-example.ts';

/** Requires only the SKU [catalog-9] [catalog-19]. */
export const createProductOperation = setOperation({
  id: 'createProduct',
  method: 'POST',
  path: '/products',
  tag: 'Products',
  summary: 'Create a product',
  description: `Only \`sku\` is required. \`title\` defaults to the title in \`versions\` for the default language, or else to the SKU;
currency and language default to the brand's; \`is_active\` defaults to \`false\`. Stock, media, categories and markets cannot be set here.`,
  access: ['catalog.products:write'],
  idempotency: 'required',
  body: CreateProductBody,
  droppedFields: ['stock_count', 'stock_type'],
  bodyExample: productExample.create,
  responses: {
    201: { description: 'The new product.', schema: ProductDetailWire, example: productExample.created },
  },
  errors: ['duplicate_sku'],
  set: {
    lock: 'catalog',
    open: async (tx, requests, { waits, context }) => {
      const creations = requests.map(({ caller, body }) => {
        return { brandId: caller.brandId, caller, sku: body.sku, fields: () => fieldsFromWire(body) };
      });
      const set = await openProductCreations(tx, creations, { waits });
      const now = context.clock.now();
      return mapSet(set, (product, position) => {
        const { caller } = requests[position] as (typeof requests)[number];
        return { status: 201, body: productDetailToWire(newProductDetail(product), caller, now) };
      });
    },
  },
});
