import type { Caller } from '../../api/scopes.ts';
import { ApiError, invalidField, notFound } from '../../errors/api-error.ts';
import { newTuId } from '../../lib/ids.ts';
import type { CatalogTransaction } from '../../postgres/transaction.ts';
import { getAxisSelection } from '../axis-selection/queries/get-axis-selection.ts';
import { beginCatalogChange } from '../brand-catalog-store.ts';
import { withReferences } from '../broken-reference.ts';
import { FieldProblems } from '../field-problems.ts';
import { lockProduct } from '../product-records/product-store.ts';
import { claimSkuFor } from '../skus/claim-sku-for.ts';
import { releaseSku } from '../skus/sku-claim-store.ts';
import { lockStock, noteStockChange } from '../stock/brand-stock-store.ts';
import { refreshProductStock, touchProductStock } from '../stock/product-stock-store.ts';
import { hideVariantLevels, renameStockLevels } from '../stock/stock-level-store.ts';
import { type AxisValues, combinationOf } from './combination.ts';
import { insertVariants } from './new-variant-store.ts';
import { changesNothing, type VariantFields } from './variant.ts';
import { refreshVariantRollup } from './variant-rollup-store.ts';
import { findVariant, lockVariants, softDeleteVariant, updateVariant } from './variant-store.ts';

/** The fields of a creation; absent ones get defaults, `tuId` a new id. */
export type NewVariant = Pick<VariantFields, 'sku'> &
  Partial<VariantFields> & { readonly axisValues: AxisValues; readonly tuId?: string };

/**
 * Creates a variant of a product and returns its id. Concurrent creations with one SKU, or of one combination: exactly
 * one succeeds.
 * @throws ApiError `not_found`, `validation_failed` on `axis_values`, `duplicate_sku`, then `conflict` for a
 *   combination that a live variant has [catalog-51] [catalog-52]
 */
export async function createVariant(
  tx: CatalogTransaction,
  caller: Caller,
  productTuId: string,
  { sku, axisValues, tuId = newTuId(), ...given }: NewVariant,
): Promise<number> {
  const write = await beginCatalogChange(tx);
  const { brandId } = write;
  const product = await lockProduct(write, productTuId);
  if (product === null) throw notFound();
  const selection = await getAxisSelection(tx, brandId, productTuId);
  const problems = new FieldProblems();
  const combination = combinationOf(axisValues, selection, problems);
  problems.throwIfAny();

  await claimSkuFor(write, caller, sku, { kind: 'variant', tuId });
  const draft = { barcode: null, priceValue: null, isActive: false, ...given, sku, tuId, combination };
  const [id] = await withReferences(insertVariants(write, product.id, [draft]), {
    variant_axis_values_value: () => invalidField('axis_values', 'has a value that was deleted concurrently'),
  });
  if (id === undefined)
    throw new ApiError('conflict', { message: 'A variant with these axis values already exists.' });
  await refreshVariantRollup(write, product.id);
  return id;
}

/**
 * Writes the given fields of a variant, leaves the others, and returns the product it belongs to. Writing the current
 * values changes nothing, not even `updated_at` [D8]. A rename frees the old SKU.
 * @throws ApiError `not_found`, `duplicate_sku`
 */
export async function changeVariant(
  tx: CatalogTransaction,
  caller: Caller,
  tuId: string,
  changes: Partial<VariantFields>,
): Promise<{ id: number; productTuId: string }> {
  const write = await beginCatalogChange(tx);
  const { brandId } = write;
  const variant = await findVariant(write, tuId);
  if (variant === null) throw notFound();
  if (changesNothing(variant, changes)) return variant;

  const { id, productId, productTuId } = variant;
  const fields: VariantFields = { ...variant, ...changes };
  const isRenamed = fields.sku !== variant.sku;
  const isSwitched = fields.isActive !== variant.isActive;
  await lockProduct(write, productTuId);
  const stock = isRenamed || isSwitched ? await lockStock(tx, brandId) : null;
  await lockVariants(write, [id]);
  if (isRenamed) await claimSkuFor(write, caller, fields.sku, { kind: 'variant', tuId });
  await updateVariant(write, id, fields);
  if (isRenamed) releaseSku(write, variant.sku);
  if (stock !== null) {
    const renamed = isRenamed
      ? await renameStockLevels(stock, { productId, variantId: id, sku: fields.sku })
      : [];
    if (isSwitched) refreshProductStock(stock, [productId]);
    else touchProductStock(stock, [productId]);
    noteStockChange(stock, renamed);
  }
  await refreshVariantRollup(write, productId);
  return variant;
}

/**
 * Deletes a variant softly: it is in no list and no total, its combination and values are free, its SKU stays taken
 * [catalog-57].
 * @throws ApiError `not_found`, also for a variant that is already deleted
 */
export async function deleteVariant(tx: CatalogTransaction, tuId: string): Promise<void> {
  const write = await beginCatalogChange(tx);
  const { brandId } = write;
  const variant = await findVariant(write, tuId);
  if (variant === null) throw notFound();
  const { id, productId, productTuId } = variant;
  await lockProduct(write, productTuId);
  const stock = await lockStock(tx, brandId);
  await lockVariants(write, [id]);
  await softDeleteVariant(write, id);
  const hidden = await hideVariantLevels(stock, id);
  refreshProductStock(stock, [productId]);
  noteStockChange(stock, hidden);
  await refreshVariantRollup(write, productId);
}
