import { exampleIds } from '../api/example-ids.ts';
import type { Caller } from '../api/scopes.ts';
import { createAxis } from '../catalog/axes/axis-operations.ts';
import { replaceProductAxes } from '../catalog/axis-selection/axis-selection-operations.ts';
import { lockCatalog, writeCatalogChange } from '../catalog/brand-catalog-store.ts';
import type { NewProduct } from '../catalog/products/product.ts';
import { createProduct } from '../catalog/products/product-operations.ts';
import { readNewProduct } from '../catalog/products/product-store.ts';
import { adjustStock } from '../catalog/stock/adjust-stock.ts';
import { readNamedLevel } from '../catalog/stock/adjust-store.ts';
import { lockStock, stockLock } from '../catalog/stock/brand-stock-store.ts';
import { createLocation } from '../catalog/stock/location-operations.ts';
import type { NewVariant } from '../catalog/variants/variant.ts';
import { createVariant, type VariantCreation } from '../catalog/variants/variant-operations.ts';
import type { Transaction } from '../postgres/transaction.ts';

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

export const demoLocation = 'WH-BERLIN';

export async function makeDemoCatalog(tx: Transaction, caller: Caller): Promise<void> {
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
  writeCatalogChange(catalog);

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
  stockLock.finish(stock);
}
