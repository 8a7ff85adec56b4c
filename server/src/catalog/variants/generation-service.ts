import { ApiError, notFound } from '../../errors/api-error.ts';
import { newTuId } from '../../lib/ids.ts';
import type { CatalogTransaction, Transaction } from '../../postgres/transaction.ts';
import { getAxisSelection } from '../axis-selection/queries/get-axis-selection.ts';
import { beginCatalogChange, type CatalogLock } from '../brand-catalog-store.ts';
import { withReferences } from '../broken-reference.ts';
import type { Product } from '../product-records/product.ts';
import { lockProduct } from '../product-records/product-store.ts';
import { findProductView } from '../product-records/queries/find-product-view.ts';
import { claimVariantSkus } from '../skus/sku-claim-store.ts';
import { type GenerationCandidate, generationCandidates } from './generation.ts';
import { insertGeneratedVariants, listTakenCombinations } from './new-variant-store.ts';
import type { VariantDraft } from './variant.ts';
import { refreshVariantRollup } from './variant-rollup-store.ts';

interface GenerationPlan {
  /** The number of all combinations of the selection. */
  readonly total: number;
  /** The candidates whose combination no live variant has, in order. */
  readonly missing: readonly GenerationCandidate[];
}

/**
 * Returns what a generation would do at this moment (a dry run): locks and writes nothing. It does not check whether
 * SKUs are taken, which may change until the variants are created.
 * @throws ApiError `not_found`, and what `generationCandidates` throws
 */
export async function planGeneration(
  tx: Transaction,
  brandId: number,
  productTuId: string,
  skuTemplate: string | undefined,
): Promise<GenerationPlan> {
  const view = await findProductView(tx, brandId, productTuId);
  if (view === null) throw notFound();
  return planFor(tx, view.product, skuTemplate);
}

/**
 * Creates every combination of a product's selection that no live variant has, all or nothing, in a constant number of
 * statements, and returns the ids in order. Takes the brand's catalog lock: of two concurrent generations, the second
 * sees the variants of the first.
 * @throws ApiError `not_found`, what `generationCandidates` throws, `conflict` when a SKU is taken [catalog-66]
 */
export async function generateVariants(
  tx: CatalogTransaction,
  productTuId: string,
  { skuTemplate, activate }: { skuTemplate: string | undefined; activate: boolean },
): Promise<GenerationPlan & { readonly createdIds: readonly number[] }> {
  const write = await beginCatalogChange(tx);
  const product = await lockProduct(write, productTuId);
  if (product === null) throw notFound();
  const plan = await planFor(tx, product, skuTemplate);
  if (plan.missing.length === 0) return { ...plan, createdIds: [] };

  const drafts = plan.missing.map((candidate): VariantDraft => {
    return { ...candidate, tuId: newTuId(), barcode: null, priceValue: null, isActive: activate };
  });
  await claimAll(write, drafts);
  const createdIds = await withReferences(insertGeneratedVariants(write, product.id, drafts), {
    variant_axis_values_value: () =>
      new ApiError('conflict', { message: 'A selected value was deleted concurrently.' }),
  });
  await refreshVariantRollup(write, product.id);
  return { ...plan, createdIds };
}

async function planFor(
  tx: Transaction,
  product: Product,
  skuTemplate: string | undefined,
): Promise<GenerationPlan> {
  const selection = await getAxisSelection(tx, product.brandId, product.tuId);
  const candidates = generationCandidates(selection, product.sku, skuTemplate);
  const taken = await listTakenCombinations(
    tx,
    product.brandId,
    product.id,
    candidates.map(({ combination }) => combination),
  );
  return {
    total: candidates.length,
    missing: candidates.filter(({ combination }) => !taken.has(combination)),
  };
}

async function claimAll(lock: CatalogLock, drafts: readonly VariantDraft[]): Promise<void> {
  const claimed = await claimVariantSkus(lock, drafts);
  const refused = drafts.find(({ sku }) => !claimed.has(sku));
  if (refused !== undefined)
    throw new ApiError('conflict', {
      message: `The SKU ${refused.sku} is already in use. Nothing was created.`,
    });
}
