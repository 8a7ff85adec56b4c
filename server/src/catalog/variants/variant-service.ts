import type { Caller } from '../../api/scopes.ts';
import { ApiError, invalidField, notFound } from '../../errors/api-error.ts';
import { newTuId } from '../../lib/ids.ts';
import type { CatalogTransaction } from '../../postgres/transaction.ts';
import { getAxisSelection } from '../axis-selection/queries/get-axis-selection.ts';
import { beginCatalogChange } from '../brand-catalog-store.ts';
import { withReferences } from '../broken-reference.ts';
import { FieldProblems } from '../field-problems.ts';
import { lockProduct } from '../products/product-store.ts';
import { claimSkuFor } from '../skus/claim-sku-for.ts';
import { releaseSku } from '../skus/sku-claim-store.ts';
import { lockProductStock, refreshProductStock } from '../stock/product-stock-store.ts';
import { hideVariantLevels, renameStockLevels } from '../stock/stock-level-store.ts';
import { type AxisValues, combinationOf } from './combination.ts';
import { insertVariants } from './new-variant-store.ts';
import { changesNothing, type VariantFields } from './variant.ts';
import { refreshVariantRollup } from './variant-rollup-store.ts';
import { findVariant, lockVariants, softDeleteVariant, updateVariant } from './variant-store.ts';

/** What a creation has to say; the rest has defaults. */
export type NewVariant = Pick<VariantFields, 'sku'> &
  Partial<VariantFields> & { readonly axisValues: AxisValues };

/**
 * Creates a variant of a product and answers its id. Concurrent creations with one SKU, or of one combination: exactly
 * one succeeds.
 * @throws ApiError `not_found`, `validation_failed` on `axis_values`, `duplicate_sku`, then `conflict` for a combination
 *   that a live variant has [catalog-51] [catalog-52]
 */
export async function createVariant(
  tx: CatalogTransaction,
  caller: Caller,
  productTuId: string,
  { sku, axisValues, ...given }: NewVariant,
  tuId: string = newTuId(),
): Promise<number> {
  const { brandId } = caller;
  const { stampedAt } = await beginCatalogChange(tx, brandId);
  const product = await lockProduct(tx, brandId, productTuId);
  if (product === null) throw notFound();
  const selection = await getAxisSelection(tx, brandId, productTuId);
  const problems = new FieldProblems();
  const combination = combinationOf(axisValues, selection, problems);
  problems.throwIfAny();

  await claimSkuFor(tx, caller, sku, { kind: 'variant', tuId });
  const draft = { barcode: null, priceValue: null, isActive: false, ...given, sku, tuId, combination };
  const [id] = await withReferences(insertVariants(tx, brandId, product.id, [draft], stampedAt), {
    variant_axis_values_value: () => invalidField('axis_values', 'has a value that was deleted meanwhile'),
  });
  if (id === undefined)
    throw new ApiError('conflict', { message: 'A variant with these axis values exists.' });
  await refreshVariantRollup(tx, brandId, product.id, stampedAt);
  return id;
}

/**
 * Writes the given fields of a variant, leaves the others, and answers whose variant it is. What is there already
 * changes nothing, not even `updated_at` [D8]. A SKU that is given up by a rename is free again.
 * @throws ApiError `not_found`, `duplicate_sku`
 */
export async function changeVariant(
  tx: CatalogTransaction,
  caller: Caller,
  tuId: string,
  changes: Partial<VariantFields>,
): Promise<{ id: number; productTuId: string }> {
  const { brandId } = caller;
  const { stampedAt } = await beginCatalogChange(tx, brandId);
  const variant = await findVariant(tx, brandId, tuId);
  if (variant === null) throw notFound();
  if (changesNothing(variant, changes)) return variant;

  const { id, productId, productTuId } = variant;
  const fields: VariantFields = { ...variant, ...changes };
  const isRenamed = fields.sku !== variant.sku;
  const isSwitched = fields.isActive !== variant.isActive;
  await lockProduct(tx, brandId, productTuId);
  if (isRenamed || isSwitched) await lockProductStock(tx, brandId, [productId]);
  await lockVariants(tx, brandId, [id]);
  if (isRenamed) await claimSkuFor(tx, caller, fields.sku, { kind: 'variant', tuId });
  await updateVariant(tx, brandId, id, fields, stampedAt);
  if (isRenamed) {
    releaseSku(tx, brandId, variant.sku);
    renameStockLevels(tx, brandId, productId, id, fields.sku);
  }
  if (isSwitched) await refreshProductStock(tx, brandId, [productId]);
  await refreshVariantRollup(tx, brandId, productId, stampedAt);
  return variant;
}

/**
 * Deletes a variant softly: it is in no list and counts nowhere, its combination and values are free, its SKU stays
 * taken [catalog-57].
 * @throws ApiError `not_found`, also for one that is deleted already
 */
export async function deleteVariant(tx: CatalogTransaction, brandId: number, tuId: string): Promise<void> {
  const { stampedAt } = await beginCatalogChange(tx, brandId);
  const variant = await findVariant(tx, brandId, tuId);
  if (variant === null) throw notFound();
  const { id, productId, productTuId } = variant;
  await lockProduct(tx, brandId, productTuId);
  await lockProductStock(tx, brandId, [productId]);
  await lockVariants(tx, brandId, [id]);
  await softDeleteVariant(tx, brandId, id, stampedAt);
  hideVariantLevels(tx, brandId, id);
  await refreshProductStock(tx, brandId, [productId]);
  await refreshVariantRollup(tx, brandId, productId, stampedAt);
}
