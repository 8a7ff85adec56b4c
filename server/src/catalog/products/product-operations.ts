import type { Caller } from '../../api/access.ts';
import { clientWrite, type Operation, readOperation } from '../../api/operation.ts';
import { unchanged } from '../../api/reply.ts';
import { notFound } from '../../errors/api-error.ts';
import { newTuId } from '../../lib/ids.ts';
import {
  type CatalogLock,
  catalogLock,
  findProductVersion,
  noteProductCounts,
} from '../brand-catalog-store.ts';
import { ProductParams } from '../catalog-requests.ts';
import { claimSku, findSkuHolder, releaseSku, takenSku } from '../skus/sku-store.ts';
import { lockStock, recordStockChange } from '../stock/brand-stock-store.ts';
import { renewProductVersions } from '../stock/product-stock-store.ts';
import { statusesHoldUntil } from '../stock/stock-level.ts';
import { renameStockLevels } from '../stock/stock-level-store.ts';
import { listProductsOperation } from './list-products.ts';
import {
  changedProduct,
  type NewProduct,
  newProductDetail,
  newProductFields,
  type Product,
} from './product.ts';
import {
  findProductDetail,
  getProductDetailUnless,
  insertProduct,
  type ReadForCreation,
  readNewProduct,
  updateProduct,
} from './product-store.ts';
import {
  CreateProductBody,
  fieldsFromWire,
  ProductDetailWire,
  productDetailToWire,
  productExample,
  UpdateProductBody,
} from './product-wire.ts';

/** Requires only the SKU [catalog-9] [catalog-19]. */
const createProductOperation = clientWrite({
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
  lock: catalogLock,
  subject: ({ body }) => `sku ${body.sku}`,
  read: (at, { body }) => readNewProduct(at, body.sku),
  handle: async (catalog, { caller, body }, { clock }, read) => {
    const product = createProduct(catalog, caller, { ...fieldsFromWire(body), sku: body.sku }, read);
    return { status: 201, body: productDetailToWire(newProductDetail(product), caller, clock.now()) };
  },
});

/** Returns the detail, with axes and variants [catalog-4]. */
export const getProductOperation = readOperation({
  id: 'getProduct',
  method: 'GET',
  path: '/products/:tuId',
  tag: 'Products',
  summary: 'Get a product',
  description: 'Includes the selected axes and the variants. Works for inactive products too.',
  access: ['catalog.products:read'],
  params: ProductParams,
  responses: {
    200: { description: 'The product.', schema: ProductDetailWire, example: productExample.detail },
  },
  handle: async ({ database, clock }, { caller, params, known }) => {
    const product = await getProductDetailUnless(database, caller.brandId, params.tuId, known);
    if (product === null) return unchanged;
    const now = clock.now();
    const stocks = [product.stock, ...product.variants.map(({ stock }) => stock)];
    const freshUntil = statusesHoldUntil(stocks, product.availabilitySettings, now);
    return {
      status: 200,
      body: productDetailToWire(product, caller, now),
      version: { state: product.version, freshUntil },
    };
  },
  currentVersion: ({ database }, { caller, params }) =>
    findProductVersion(database, caller.brandId, params.tuId),
});

/** Writes only the given fields [catalog-16] [catalog-17]. */
const updateProductOperation = clientWrite({
  id: 'updateProduct',
  method: 'PATCH',
  path: '/products/:tuId',
  tag: 'Products',
  summary: 'Update a product',
  description: `Omitted fields are left unchanged. \`versions\` is replaced as a whole: send all translations that you want to keep.
\`is_active: false\` archives the product, \`true\` publishes it again. \`short_description: null\` clears it; other fields
cannot be null. With \`If-Match\`, the \`ETag\` of a product that you read with this key, a product that has changed since is not
changed: 412 \`precondition_failed\`. Its stock and variants are part of what you read.`,
  access: ['catalog.products:write'],
  idempotency: 'optional',
  params: ProductParams,
  body: UpdateProductBody,
  bodyExample: productExample.update,
  responses: {
    200: {
      description: 'The updated product.',
      schema: ProductDetailWire,
      example: productExample.updated,
    },
  },
  errors: ['duplicate_sku', 'precondition_failed'],
  precondition: {
    of: getProductOperation,
    findVersion: ({ tx, brandId }, { params }) => findProductVersion(tx, brandId, params.tuId),
  },
  lock: catalogLock,
  // A new SKU also concerns its holders and the stock.
  subject: ({ params, body }) => (body.sku === undefined ? `product ${params.tuId}` : null),
  read: (at, { params, body }) =>
    Promise.all([
      findProductDetail(at, params.tuId),
      body.sku === undefined ? null : findSkuHolder(at, body.sku),
    ]),
  handle: async (catalog, { caller, body }, { clock }, [detail, holder]) => {
    const changes = fieldsFromWire(body);
    if (detail === null) throw notFound();
    const { product: present } = detail;
    const isRenamed = changes.sku !== undefined && changes.sku !== present.sku;
    if (holder !== null && isRenamed) throw takenSku(caller, holder);
    const product = changedProduct(present, changes, () => catalog.next());
    if (isRenamed) await renameProduct(catalog, present, product);
    else if (product !== present) updateProduct(catalog, product);
    const active = Number(product.isActive) - Number(present.isActive);
    noteProductCounts(catalog, { active, activeWithVariants: product.hasVariants ? active : 0 });
    return { status: 200, body: productDetailToWire({ ...detail, product }, caller, clock.now()) };
  },
});

/**
 * Creates a product. Of those with one SKU exactly one succeeds [catalog-19].
 * @throws ApiError `duplicate_sku`
 */
export function createProduct(
  catalog: CatalogLock,
  caller: Caller,
  given: NewProduct,
  { id, holder, tuId = newTuId() }: ReadForCreation & { readonly tuId?: string },
): Product {
  const { brandId } = catalog;
  if (holder !== null) throw takenSku(caller, holder);
  const stampedAt = catalog.next();
  const fields = newProductFields(given, catalog);
  const times = { createdAt: stampedAt, updatedAt: stampedAt };
  const product: Product = { brandId, id, tuId, ...fields, hasVariants: false, ...times };
  insertProduct(catalog, product);
  noteProductCounts(catalog, { total: 1, active: Number(product.isActive) });
  return product;
}

/** Writes a product with a new SKU, which its own levels follow, and frees the old one. */
async function renameProduct(catalog: CatalogLock, present: Product, product: Product): Promise<void> {
  const { id, tuId, sku } = product;
  // The stock lock before the new SKU, which locks the product's row against new levels.
  const stock = await lockStock(catalog.tx, catalog.brandId);
  const levelIds = await renameStockLevels(stock, { productId: id, variantId: null, sku });
  renewProductVersions(stock, [id]);
  recordStockChange(stock, levelIds);
  claimSku(catalog, 'product', sku, tuId);
  updateProduct(catalog, product);
  releaseSku(catalog, present.sku);
}

export const productOperations: readonly Operation[] = [
  listProductsOperation,
  createProductOperation,
  getProductOperation,
  updateProductOperation,
];
