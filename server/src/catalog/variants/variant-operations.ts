import type { Caller } from '../../api/access.ts';
import { clientWrite, type Operation } from '../../api/operation.ts';
import { notFound } from '../../errors/api-error.ts';
import { newTuId } from '../../lib/ids.ts';
import { type CatalogLock, catalogLock, noteProductCounts } from '../brand-catalog-store.ts';
import { ProductParams } from '../catalog-requests.ts';
import { claimSku, findSkuHolder, releaseSku } from '../skus/sku-store.ts';
import { lockStock, recordStockChange } from '../stock/brand-stock-store.ts';
import { refreshProductStock, renewProductVersions } from '../stock/product-stock-store.ts';
import { hideVariantLevels, renameStockLevels } from '../stock/stock-level-store.ts';
import { generateVariantsOperation } from './generate-variants.ts';
import { listVariantsOperation } from './list-variants.ts';
import { changedVariant, type NewVariant, newVariant, type VariantFields } from './variant.ts';
import {
  findVariant,
  insertVariants,
  readProductOfNewVariant,
  refreshVariantRollup,
  softDeleteVariant,
  updateVariantFields,
  type VariantOfProduct,
} from './variant-store.ts';
import {
  CreateVariantBody,
  newVariantFromWire,
  UpdateVariantBody,
  VariantParams,
  VariantWire,
  variantExample,
  variantFieldsFromWire,
  variantToWire,
} from './variant-wire.ts';

/** Reports problems in a fixed order [catalog-49] [catalog-52]. */
const createVariantOperation = clientWrite({
  id: 'createVariant',
  method: 'POST',
  path: '/products/:tuId/variants',
  tag: 'Variants',
  summary: 'Create a variant',
  description: `\`axis_values\` maps every axis that the product selects to one of its selected values. \`is_active\` defaults to \`false\`;
without a \`price\`, the variant inherits the product's. The position is the next free one.

A SKU that is in use returns \`duplicate_sku\`; a combination that another live variant of the product has returns \`conflict\`.`,
  access: ['catalog.variants:write'],
  idempotency: 'required',
  params: ProductParams,
  body: CreateVariantBody,
  bodyExample: variantExample.create,
  responses: {
    201: { description: 'The new variant.', schema: VariantWire, example: variantExample.created },
  },
  errors: ['duplicate_sku', 'conflict'],
  lock: catalogLock,
  handle: async (catalog, { caller, params, body }, { clock }) => {
    const creation = { caller, productTuId: params.tuId, ...newVariantFromWire(body) };
    const { variant, parent } = await createVariant(catalog, creation);
    return { status: 201, body: variantToWire(variant, parent, caller, clock.now()) };
  },
});

export interface VariantCreation extends NewVariant {
  readonly caller: Caller;
  readonly productTuId: string;
  /** Absent: a new one. */
  readonly tuId?: string;
}

/** @throws ApiError `not_found`; see `newVariant` */
export async function createVariant(
  catalog: CatalogLock,
  { caller, productTuId, tuId = newTuId(), ...given }: VariantCreation,
): Promise<VariantOfProduct> {
  const [read, holder] = await Promise.all([
    readProductOfNewVariant(catalog, productTuId, given.axisValues),
    findSkuHolder(catalog, given.sku),
  ]);
  if (read === null) throw notFound();
  const { id, product, parent, ...before } = read;
  const created = newVariant(given, { id, tuId }, before, { caller, holder, stamp: () => catalog.next() });
  insertVariants(catalog, product, [created]);
  return { parent, variant: created.variant };
}

/** Changes everything but the combination [catalog-54] [catalog-55]. */
const updateVariantOperation = clientWrite({
  id: 'updateVariant',
  method: 'PATCH',
  path: '/variants/:tuId',
  tag: 'Variants',
  summary: 'Update a variant',
  description: `Omitted fields are left unchanged. Setting \`price\` or \`price.value\` to \`null\` removes the variant's own price; it then inherits
the product's price. \`barcode: null\` clears the barcode. Changing the SKU frees the old one. \`axis_values\` is immutable:
sending it is an error.`,
  access: ['catalog.variants:write'],
  idempotency: 'ignored',
  params: VariantParams,
  body: UpdateVariantBody,
  bodyExample: variantExample.update,
  responses: {
    200: { description: 'The updated variant.', schema: VariantWire, example: variantExample.updated },
  },
  errors: ['duplicate_sku'],
  lock: catalogLock,
  handle: async (catalog, { caller, params, body }, { clock }) => {
    const change = { caller, tuId: params.tuId, changes: variantFieldsFromWire(body) };
    const { variant, parent } = await updateVariant(catalog, change);
    return { status: 200, body: variantToWire(variant, parent, caller, clock.now()) };
  },
});

interface VariantChange {
  readonly caller: Caller;
  readonly tuId: string;
  readonly changes: Partial<VariantFields>;
}

/** @throws ApiError `not_found`; see `changedVariant` */
export async function updateVariant(
  catalog: CatalogLock,
  { caller, tuId, changes }: VariantChange,
): Promise<VariantOfProduct> {
  const [stored, holder] = await Promise.all([
    findVariant(catalog, tuId),
    changes.sku === undefined ? null : findSkuHolder(catalog, changes.sku),
  ]);
  if (stored === null) throw notFound();
  const { product, parent, variant: present } = stored;
  const variant = changedVariant(present, changes, { caller, holder, stamp: () => catalog.next() });
  if (variant === present) return { parent, variant };
  const isRenamed = variant.sku !== present.sku;
  const isSwitched = variant.isActive !== present.isActive;
  // Before the new SKU is written; see `renameStockLevels`.
  const stock = isRenamed || isSwitched ? await lockStock(catalog.tx, catalog.brandId) : null;
  if (isRenamed) claimSku(catalog, 'variant', variant.sku, tuId);
  updateVariantFields(catalog, variant);
  if (isRenamed) releaseSku(catalog, present.sku);
  if (stock !== null) {
    const level = { productId: product.id, variantId: variant.id, sku: variant.sku };
    const renamed = isRenamed ? await renameStockLevels(stock, level) : [];
    if (isSwitched) refreshProductStock(stock, [product.id]);
    else renewProductVersions(stock, [product.id]);
    recordStockChange(stock, renamed);
  }
  refreshVariantRollup(catalog, product.id, variant.updatedAt);
  return { parent, variant };
}

/** Deletes softly: the SKU stays taken [catalog-56]. */
const deleteVariantOperation = clientWrite({
  id: 'deleteVariant',
  method: 'DELETE',
  path: '/variants/:tuId',
  tag: 'Variants',
  summary: 'Delete a variant',
  description: `The variant and its stock are no longer listed. Its combination and its axis values can be used again; its SKU stays
in use permanently.`,
  access: ['catalog.variants:write'],
  idempotency: 'ignored',
  params: VariantParams,
  responses: { 204: { description: 'The variant was deleted.' } },
  lock: catalogLock,
  handle: async (catalog, { params }) => {
    await deleteVariant(catalog, params.tuId);
    return { status: 204 };
  },
});

/**
 * Deletes a variant softly: it is in no list and no total, its combination and values are free, its SKU stays taken
 * [catalog-57].
 * @throws ApiError `not_found`, also for a variant that is already deleted
 */
export async function deleteVariant(catalog: CatalogLock, tuId: string): Promise<void> {
  const stored = await findVariant(catalog, tuId);
  if (stored === null) throw notFound();
  const { product, variant } = stored;
  const deletedAt = catalog.next();
  const stock = await lockStock(catalog.tx, catalog.brandId);
  softDeleteVariant(catalog, variant.id, deletedAt);
  const hidden = await hideVariantLevels(stock, variant.id);
  refreshProductStock(stock, [product.id]);
  recordStockChange(stock, hidden);
  refreshVariantRollup(catalog, product.id, deletedAt);
  const withVariants = product.liveVariants === 1 ? -1 : 0;
  noteProductCounts(catalog, { withVariants, activeWithVariants: product.isActive ? withVariants : 0 });
}

export const variantOperations: readonly Operation[] = [
  listVariantsOperation,
  createVariantOperation,
  generateVariantsOperation,
  updateVariantOperation,
  deleteVariantOperation,
];
