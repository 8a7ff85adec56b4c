import type { Transaction } from '../../postgres/transaction.ts';
import { passStockChanges, type StockPass, tryStockChanges } from './change-stock-store.ts';
import { isContended, lockContendedStock, noteContention } from './contended-stock-store.ts';
import { ensureDefaultLocation } from './location-store.ts';
import { lockProductStock, makeMissingProductStock, refreshProductStock } from './product-stock-store.ts';
import type { StockChange, StockChangeResult, StockOutcome } from './stock-change.ts';

/** A default location, a missing row and a product that changed can each cost one pass. */
const maxPasses = 4;

/**
 * Decides and writes stock changes of any brands, in the given transaction: for each the level, its ledger entry, the
 * product's rollup and the brand's stock version. Returns one result for each change, in their order; a refusal is a
 * result, and does not affect the other changes. Changes to one level are decided in the order of the set, each based
 * on the result of the one before.
 *
 * Creates a missing default location, the only thing that a change creates besides its level [catalog-89].
 *
 * Runs one statement, regardless of the number of changes. The statement runs again for the changes of products that
 * another transaction was writing to, since the state that it had read was outdated once their locks were free. Locks
 * are taken in the order location, product's stock by brand and product id, stock version; the brand's catalog lock is
 * not taken.
 */
export async function changeStock(
  tx: Transaction,
  changes: readonly StockChange[],
): Promise<StockChangeResult[]> {
  const results: StockChangeResult[] = [];
  let open = changes.map((change, index) => ({ change, index }));
  const [only] = changes;
  if (changes.length === 1 && only !== undefined && isContended(only)) lockContendedStock(tx, only);
  for (let pass = 1; open.length > 0; pass += 1) {
    if (pass > maxPasses) throw new Error('the stock of a product changed under its lock');
    const passed = await passStockChanges(
      tx,
      open.map(({ change }) => change),
    );
    const undecided: { change: StockChange; index: number; result: StockPass }[] = [];
    for (const [position, { change, index }] of open.entries()) {
      const result = passed[position] as StockPass;
      if (isDecided(result)) results[index] = result;
      else undecided.push({ change, index, result });
      if (result.outcome === 'moved') noteContention(change);
    }
    await refreshUnsettled(tx, open, passed);
    await createMissing(tx, undecided);
    open = undecided;
  }
  return results;
}

/**
 * Decides and writes the stock changes of requests that share a transaction like `changeStock`, in one statement and
 * without waiting for a lock of a location or a product. null: the change was not decided and has written nothing, because
 * another transaction holds one of its locks, something that it needs has to be created first, or its request does not
 * have its Idempotency-Key. In the first two cases `changeStock` decides it.
 */
export async function tryChangeStock(
  tx: Transaction,
  changes: readonly StockChange[],
): Promise<(StockChangeResult | null)[]> {
  const passed = await tryStockChanges(tx, changes);
  const open = changes.map((change) => ({ change }));
  await refreshUnsettled(tx, open, passed);
  return changes.map((_, index) => {
    const result = passed[index];
    if (result === undefined) return null;
    if (isDecided(result)) return result;
    if (result.outcome === 'moved') noteContention(changes[index] as StockChange);
    return null;
  });
}

function isDecided(result: StockPass): result is StockPass & { readonly outcome: StockOutcome } {
  return !['moved', 'no_default_location', 'no_product_stock'].includes(result.outcome);
}

/** Recomputes the rollups that a difference could not update. Their rows are already locked. */
async function refreshUnsettled(
  tx: Transaction,
  open: readonly { readonly change: StockChange }[],
  passed: readonly (StockPass | undefined)[],
): Promise<void> {
  const byBrand = new Map<number, Set<number>>();
  for (const [position, { change }] of open.entries()) {
    const { isUnsettled = false, productId = null } = passed[position] ?? {};
    if (!isUnsettled || productId === null) continue;
    byBrand.set(change.brandId, (byBrand.get(change.brandId) ?? new Set()).add(productId));
  }
  for (const [brandId, productIds] of byBrand)
    await refreshProductStock(await lockProductStock(tx, brandId, [...productIds]));
}

/** Creates the default locations and rows of `product_stock` that changes need, brand by brand. */
async function createMissing(
  tx: Transaction,
  undecided: readonly { readonly change: StockChange; readonly result: StockPass }[],
): Promise<void> {
  const brandIds = [...new Set(undecided.map(({ change }) => change.brandId))].sort((a, b) => a - b);
  for (const brandId of brandIds) {
    const lacks = (outcome: StockPass['outcome']) =>
      undecided.filter(({ change, result }) => change.brandId === brandId && result.outcome === outcome);
    if (lacks('no_default_location').length > 0) await ensureDefaultLocation(tx, brandId);
    const productIds = lacks('no_product_stock').map(({ result }) => result.productId as number);
    if (productIds.length > 0) await makeMissingProductStock(tx, brandId, productIds);
  }
}
