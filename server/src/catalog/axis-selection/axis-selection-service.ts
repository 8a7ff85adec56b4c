import { invalidField, notFound } from '../../errors/api-error.ts';
import type { CatalogTransaction } from '../../postgres/transaction.ts';
import { beginCatalogChange } from '../brand-catalog-store.ts';
import { withReferences } from '../broken-reference.ts';
import { FieldProblems } from '../field-problems.ts';
import { lockProduct, stampProduct } from '../product-records/product-store.ts';
import { isSameSelection } from './axis-selection.ts';
import { listCarriedValues, replaceSelection } from './axis-selection-store.ts';
import { checkDetached, chooseAxes, type WantedAxis } from './choose-axes.ts';
import { findLibraryAxes } from './queries/find-library-axes.ts';
import { getAxisSelection } from './queries/get-axis-selection.ts';

/**
 * Replaces the whole selection of a product by `wanted`: axes that it omits are detached. Setting the same selection
 * changes nothing; a different one moves the product's `updated_at` [catalog-25]. Takes the brand's catalog lock, so
 * that no variant is created, and nothing of the library deleted, between the checks and the commit.
 * @throws ApiError `not_found`, `validation_failed`, then `axis_in_use` [catalog-47]
 */
export async function replaceAxisSelection(
  tx: CatalogTransaction,
  productTuId: string,
  wanted: readonly WantedAxis[],
): Promise<void> {
  const write = await beginCatalogChange(tx);
  const { brandId } = write;
  const product = await lockProduct(write, productTuId);
  if (product === null) throw notFound();
  const ground = {
    axisLibrary: await findLibraryAxes(tx, brandId, wanted),
    current: await getAxisSelection(tx, brandId, productTuId),
    hasVariants: product.hasVariants,
    carried: product.hasVariants ? await listCarriedValues(write, product.id) : new Map(),
  };
  const problems = new FieldProblems();
  const chosen = chooseAxes(wanted, ground, problems);
  problems.throwIfAny();
  checkDetached(chosen, ground);
  if (isSameSelection(chosen, ground.current)) return;
  const unknown = () => invalidField('axes', 'has an axis or a value that was deleted concurrently');
  await withReferences(replaceSelection(write, product.id, chosen), {
    product_axes_axis: unknown,
    product_axis_values_value: unknown,
  });
  stampProduct(write, product.id);
}
