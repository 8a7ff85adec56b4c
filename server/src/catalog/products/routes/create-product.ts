import { writeOperation } from '../../../api/operation.ts';
import { createProduct } from '../product-service.ts';
import { newProductFromWire, ProductCreate, ProductDetail, productDetailToWire } from '../product-wire.ts';
import { getProductDetail } from '../queries/get-product-detail.ts';
import { productExample } from './product-example.ts';

/** Endpoint 3. */
export const createProductOperation = writeOperation({
  id: 'createProduct',
  method: 'POST',
  path: '/products',
  tag: 'Products',
  summary: 'Create a product',
  description: `Only \`sku\` is required. \`title\` defaults to the title in \`versions\` for the default language, else to the SKU;
currency and language default to the brand's; \`is_active\` to \`false\`. Stock, media, categories and markets cannot be set here.`,
  access: ['catalog.products:write'],
  idempotency: 'required',
  body: ProductCreate,
  bodyExample: productExample.create,
  responses: {
    201: { description: 'The new product.', schema: ProductDetail, example: productExample.detail },
  },
  errors: ['duplicate_sku'],
  handle: async (tx, { caller, body }, { clock }) => {
    const { tuId } = await createProduct(tx, caller, newProductFromWire(body));
    const product = await getProductDetail(tx, caller.brandId, tuId);
    return { status: 201, body: productDetailToWire(product, caller, clock.now()) };
  },
});
