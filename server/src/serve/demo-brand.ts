import { newApiKey } from '../access/api-keys/api-key.ts';
import { createApiKey } from '../access/api-keys/api-key-service.ts';
import { insertApiKey } from '../access/api-keys/api-key-store.ts';
import { type Caller, scopes } from '../api/access.ts';
import { exampleIds } from '../api/field-schemas.ts';
import type { ServiceContext } from '../api/operation.ts';
import { createBrand } from '../brands/brand-operations.ts';
import { hasBrands } from '../brands/brand-store.ts';
import { createAxis } from '../catalog/axes/axis-operations.ts';
import { replaceProductAxes } from '../catalog/axis-selection/axis-selection-operations.ts';
import { lockCatalog, writeCatalogChanges } from '../catalog/brand-catalog-store.ts';
import { parseFeed } from '../catalog/feeds/feed-acceptance.ts';
import { feedQueue, storeFeed } from '../catalog/feeds/feed-operations.ts';
import type { NewProduct } from '../catalog/products/product.ts';
import { createProduct } from '../catalog/products/product-operations.ts';
import { readNewProduct } from '../catalog/products/product-store.ts';
import { adjustStock } from '../catalog/stock/adjust-stock.ts';
import { readNamedLevel } from '../catalog/stock/adjust-store.ts';
import { lockStock } from '../catalog/stock/brand-stock-store.ts';
import { createLocation } from '../catalog/stock/location-operations.ts';
import { writeStockChanges } from '../catalog/stock/stock-changes-store.ts';
import type { NewVariant } from '../catalog/variants/variant.ts';
import { createVariant, type VariantCreation } from '../catalog/variants/variant-operations.ts';
import { putItems } from '../directory/directory-kind.ts';
import { contents, markets, pointsOfSale } from '../directory/directory-operations.ts';
import { putLearners } from '../directory/learner-operations.ts';
import { type AuditedTransaction, serverInitiator, type Transaction } from '../postgres/transaction.ts';

/** The product of the reference's examples: see `exampleIds`. */
const tee: NewProduct = {
  sku: 'TEE-001',
  title: 'Organic tee',
  shortDescription: 'Heavy cotton, regular fit.',
  priceValue: 24.9,
  isActive: true,
  translations: { de: { title: 'Bio-T-Shirt', short_description: 'Schwere Baumwolle, gerader Schnitt.' } },
};

const otherProducts: readonly NewProduct[] = [
  { sku: 'HOODIE-001', title: 'Zip hoodie', priceValue: 59, isActive: true },
  { sku: 'CAP-001', title: 'Five-panel cap', priceValue: 19.5, isActive: true },
  { sku: 'SOCKS-001', title: 'Merino socks', priceValue: 12.95, isActive: true },
  { sku: 'TOTE-001', title: 'Canvas tote', priceValue: 14, isActive: false },
];

const axes = [
  { code: 'color', label: 'Colour', values: { red: 'Red', blue: 'Blue', black: 'Black' } },
  { code: 'size', label: 'Size', values: { s: 'S', m: 'M', l: 'L' } },
  { code: 'material', label: 'Material', values: { cotton: 'Cotton' } },
];

const selection = [
  { code: 'color', values: ['red', 'blue'] },
  { code: 'size', values: ['s', 'm'] },
];

const variant = (color: string, size: string): NewVariant => ({
  sku: `TEE-001-${color}-${size}`,
  axisValues: { color, size },
  isActive: true,
});

const demoLocation = 'WH-BERLIN';

async function makeDemoCatalog(tx: Transaction, caller: Caller): Promise<void> {
  const { brandId } = caller;
  const catalog = await lockCatalog(tx, brandId);
  for (const { code, label, values } of axes) {
    const named = Object.entries(values).map(([value, text]) => ({ value, label: text, position: null }));
    await createAxis(catalog, { code, label, position: null, values: named });
  }
  createProduct(catalog, caller, tee, {
    ...(await readNewProduct(catalog, tee.sku)),
    tuId: exampleIds.product,
  });
  await replaceProductAxes(catalog, { productTuId: exampleIds.product, wanted: selection });
  const barcode = '4006381333931';
  const { product: productTuId, variant: tuId, spareVariant } = exampleIds;
  const create = (given: Pick<VariantCreation, 'tuId' | 'barcode'> & NewVariant) =>
    createVariant(catalog, { caller, productTuId, ...given });
  await create({ ...variant('red', 'm'), barcode, tuId });
  await create(variant('red', 's'));
  await create({ ...variant('blue', 's'), tuId: spareVariant });
  for (const other of otherProducts)
    createProduct(catalog, caller, other, await readNewProduct(catalog, other.sku));
  writeCatalogChanges([catalog]);

  const stock = await lockStock(tx, brandId);
  await createLocation(stock, demoLocation, { name: 'Warehouse Berlin' });
  const opening = {
    productTuId: exampleIds.product,
    variantTuId: exampleIds.variant,
    location: demoLocation,
    quantity: 42,
    expectedQuantity: null,
    note: 'Opening stock',
    keyId: exampleIds.key,
    requestId: exampleIds.request,
  };
  adjustStock(stock, opening, await readNamedLevel(stock, opening));
  writeStockChanges([stock]);
}

export interface DemoBrand {
  readonly brandId: number;
  readonly brandName: string;
  /** The plaintext key, with every scope; this is the only time that it is known. */
  readonly apiKey: string;
}

const brandName = 'Demo Outfitters';

const feed = {
  source: 'erp',
  mode: 'snapshot',
  lines: [
    { sku: 'TEE-001-red-s', location_code: demoLocation, quantity: 8 },
    { sku: 'TEE-999', location_code: demoLocation, quantity: 3 },
  ],
};

/** Creates a demo brand with the documents' ids [D45], in one transaction; null if there are brands. */
export async function makeDemoBrand(context: ServiceContext): Promise<DemoBrand | null> {
  const { database, clock, jobs } = context;
  const demo = await database.auditedTransaction(serverInitiator('brandport serve'), async (tx) => {
    if (await hasBrands(tx)) return null;
    const brand = await createBrand(tx, { name: brandName });
    const request = { brandId: brand.id, name: 'Demo key', scopes, expiresAt: null, replacesKeyId: null };
    const { key, plaintext } = await createApiKey(tx, clock, request);
    await makeSpareKey(tx, brand.id);
    const caller: Caller = {
      brandId: brand.id,
      keyId: key.keyId,
      lineageId: key.lineageId,
      keyName: key.name,
      scopes: new Set(scopes),
      expiresAt: null,
    };
    await makeDemoCatalog(tx, caller);
    await makeDirectory(context, tx, brand.id);
    await sendFeed(context, tx, brand.id);
    return { brandId: brand.id, brandName, apiKey: plaintext };
  });
  if (demo !== null) jobs.wake(feedQueue);
  return demo;
}

/** A key for trying rotation and revocation. Its secret is discarded, so that its known id grants no access. */
async function makeSpareKey(tx: Transaction, brandId: number): Promise<void> {
  const { secretSha256 } = newApiKey();
  await insertApiKey(tx, {
    brandId,
    keyId: exampleIds.key,
    name: 'Spare key, secret unknown',
    scopes: ['catalog.products:read'],
    expiresAt: null,
    secretSha256,
    rotatedFromKeyId: null,
    ownLimits: null,
    replacesKeyId: null,
    lineageId: null,
  });
}

async function makeDirectory(
  { jobs }: ServiceContext,
  tx: AuditedTransaction,
  brandId: number,
): Promise<void> {
  await putItems(markets, tx, brandId, { items: markets.put.bodyExample.items, jobs });
  await putItems(pointsOfSale, tx, brandId, {
    items: [
      { tu_id: 'shop-12', name: 'Shop 12', location: demoLocation },
      { tu_id: 'shop-13', name: 'Shop 13' },
    ],
    jobs,
  });
  await putLearners(tx, brandId, [{ tu_id: 'u-4711', market: 'de-north' }, { tu_id: 'u-4712' }], jobs);
  await putItems(contents, tx, brandId, { items: contents.put.bodyExample.items, jobs });
}

async function sendFeed(context: ServiceContext, tx: Transaction, brandId: number): Promise<void> {
  const receivedAt = new Date(context.clock.now());
  const body = new TextEncoder().encode(JSON.stringify(feed));
  const read = await parseFeed({ threads: context.threads, owner: brandId }, body, {
    receivedAt: receivedAt.getTime(),
  });
  const ids = { brandId, batchId: 'demo-opening-stock', tuId: exampleIds.feed, jobId: exampleIds.job };
  await storeFeed(context, tx, { ...read, ...ids, receivedAt, submittedBy: null, requestId: null });
}
