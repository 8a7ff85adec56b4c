import { writeOperation } from '../../../api/operation.ts';
import { decideConverted, mapReplies } from '../../../api/shared-handling.ts';
import { createProductsTogether } from '../create-products-together.ts';
import { newProductDetail } from '../product-detail.ts';
import { createProduct } from '../product-service.ts';
import {
  CreateProductBody,
  newProductFromWire,
  ProductDetailWire,
  productDetailToWire,
} from '../product-wire.ts';
import { productExample } from './product-example.ts';

/** Requires only the SKU [catalog-9] [catalog-19]. */
export const createProductOperation = writeOperation({
  id: 'createProduct',
  method: 'POST',
  path: '/products',
  tag: 'Products',
  summary: 'Create a product',
  description: `Only \`sku\` is required. \`title\` defaults to the title in \`versions\` for the default language, or else to the SKU;
currency and language default to the brand's; \`is_active\` defaults to \`false\`. Stock, media, categories and markets cannot be set here.`,
  access: ['catalog.products:write'],
  idempotency: 'required',
  locksCatalog: true,
  body: CreateProductBody,
  droppedFields: ['stock_count', 'stock_type'],
  bodyExample: productExample.create,
  responses: {
    201: { description: 'The new product.', schema: ProductDetailWire, example: productExample.created },
  },
  errors: ['duplicate_sku'],
  handle: async (tx, { caller, body }, { clock }) => {
    const product = await createProduct(tx, caller, newProductFromWire(body));
    return { status: 201, body: productDetailToWire(newProductDetail(product), caller, clock.now()) };
  },
  shared: {
    maxRequests: 64,
    handle: async (tx, requests, { clock }) => {
      const results = await decideConverted(
        requests,
        ({ caller, body }, position) => {
          return { position, brandId: caller.brandId, given: newProductFromWire(body) };
        },
        (products) => createProductsTogether(tx, products),
      );
      const now = clock.now();
      return mapReplies(results, (product, position) => {
        const { caller } = requests[position] as (typeof requests)[number];
        return { status: 201, body: productDetailToWire(newProductDetail(product), caller, now) };
      });
    },
  },
});
