import { lockStock, noteStockChange } from '../catalog/stock/brand-stock-store.ts';
import { refreshProductStock, touchProductStock } from '../catalog/stock/product-stock-store.ts';
import { repairCatalog } from './catalog-repair-store.ts';
import type { Check } from './check.ts';
import { listProductsOfLevels, rewriteLevelCopies, rewriteSkuClaims } from './copy-repair-store.ts';
import { lockFeeds, rewriteFeedTotals } from './feed-total-repair-store.ts';
import {
  brandScan,
  claimScan,
  feedScan,
  levelScan,
  movementScan,
  productScan,
  variantScan,
} from './queries/find-batch-end.ts';
import { findCounterDifferences } from './queries/find-counter-differences.ts';
import {
  findFeedNumberingDifferences,
  findFeedProgressDifferences,
} from './queries/find-feed-differences.ts';
import { findFeedTotalDifferences } from './queries/find-feed-total-differences.ts';
import { findLedgerDifferences } from './queries/find-ledger-differences.ts';
import { findLevelCopyDifferences } from './queries/find-level-copy-differences.ts';
import { findLevelOwnerDifferences, findMovementOwnerDifferences } from './queries/find-owner-differences.ts';
import { findProductStockDifferences } from './queries/find-product-stock-differences.ts';
import { findSkuClaimDifferences } from './queries/find-sku-claim-differences.ts';
import {
  findCombinationDifferences,
  findSelectionDifferences,
  findVariantValueDifferences,
} from './queries/find-variant-differences.ts';
import { findVariantRollupDifferences } from './queries/find-variant-rollup-differences.ts';
import {
  findIdempotencyDifferences,
  findStampDifferences,
  findStockVersionDifferences,
} from './queries/find-version-differences.ts';
import { referenceChecks } from './references.ts';
import { rewriteCounters, rewriteVariantRollups } from './rollup-repair-store.ts';
import { rewriteVariantValues, selectCarriedValues } from './selection-repair-store.ts';
import { completeFeedProgress, raiseStamp, raiseStockVersion } from './version-repair-store.ts';

/**
 * All checks of derived data. Each value is compared with original data, never with another derived value:
 * one wrong value is one difference, and the order of repairs does not matter.
 */
export const checks: readonly Check[] = [
  {
    name: 'sku_claims',
    scan: claimScan,
    find: findSkuClaimDifferences,
    repair: (tx, brandId, skus) => repairCatalog(tx, brandId, (catalog) => rewriteSkuClaims(catalog, skus)),
  },
  {
    // The representation of the product changes, so its `updated_at` moves and pollers see the change.
    name: 'variant_rollup',
    scan: productScan,
    find: findVariantRollupDifferences,
    repair: (tx, brandId, productIds) =>
      repairCatalog(tx, brandId, (catalog) => rewriteVariantRollups(catalog, productIds)),
  },
  {
    name: 'product_counters',
    scan: brandScan,
    find: findCounterDifferences,
    repair: (tx, brandId) => repairCatalog(tx, brandId, (catalog) => rewriteCounters(catalog)),
  },
  {
    name: 'stock_level_copies',
    scan: levelScan,
    find: findLevelCopyDifferences,
    repair: async (tx, brandId, levelIds) => {
      const productIds = await listProductsOfLevels(tx, brandId, levelIds);
      const stock = await lockStock(tx, brandId);
      await rewriteLevelCopies(stock, levelIds);
      touchProductStock(stock, productIds);
      noteStockChange(stock, levelIds.map(Number));
    },
  },
  { name: 'stock_ledger', scan: levelScan, find: findLedgerDifferences },
  {
    name: 'product_stock',
    scan: productScan,
    find: findProductStockDifferences,
    repair: async (tx, brandId, productIds) => {
      const ids = productIds.map(Number);
      const stock = await lockStock(tx, brandId);
      refreshProductStock(stock, ids);
      noteStockChange(stock, []);
    },
  },
  {
    name: 'feed_totals',
    scan: feedScan,
    find: findFeedTotalDifferences,
    repair: async (tx, brandId, feedIds) => {
      await lockFeeds(tx, brandId, feedIds);
      await rewriteFeedTotals(tx, brandId, feedIds);
    },
  },
  {
    name: 'feed_progress',
    scan: feedScan,
    find: findFeedProgressDifferences,
    repair: async (tx, brandId, feedIds) => {
      await lockFeeds(tx, brandId, feedIds);
      await completeFeedProgress(tx, brandId, feedIds);
    },
  },
  { name: 'feed_numbering', scan: feedScan, find: findFeedNumberingDifferences },
  { name: 'variant_combinations', scan: variantScan, find: findCombinationDifferences },
  {
    name: 'variant_values',
    scan: variantScan,
    find: findVariantValueDifferences,
    repair: (tx, brandId, variantIds) =>
      repairCatalog(tx, brandId, (catalog) => rewriteVariantValues(catalog, variantIds)),
  },
  {
    // The variant shows the value again, so its product's `updated_at` moves.
    name: 'axis_selections',
    scan: productScan,
    find: findSelectionDifferences,
    repair: (tx, brandId, productIds) =>
      repairCatalog(tx, brandId, (catalog) => selectCarriedValues(catalog, productIds)),
  },
  { name: 'movement_owners', scan: movementScan, find: findMovementOwnerDifferences },
  { name: 'level_owners', scan: levelScan, find: findLevelOwnerDifferences },
  {
    name: 'catalog_stamp',
    scan: brandScan,
    find: findStampDifferences,
    repair: (tx, brandId) => repairCatalog(tx, brandId, (catalog) => raiseStamp(catalog)),
  },
  {
    name: 'stock_versions',
    scan: brandScan,
    find: findStockVersionDifferences,
    repair: async (tx, brandId) => {
      await raiseStockVersion(await lockStock(tx, brandId));
    },
  },
  { name: 'idempotency_records', scan: brandScan, find: findIdempotencyDifferences },
  ...referenceChecks,
];
