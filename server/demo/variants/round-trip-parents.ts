import type { LibraryAxis } from '../axes/axis-library.ts';
import { createAxes } from '../axes/create-axes.ts';
import type { DemoBrand, Scope } from '../client/demo-brand.ts';
import type { DataSetRun } from '../data-sets/data-set.ts';
import type { CreatedProduct } from '../products/create-products.ts';
import { verifyTotals } from '../products/read-products.ts';
import type { FeedLine } from '../stock/feed.ts';
import { verifyLedger } from '../stock/read-ledger.ts';
import { verifyLevels } from '../stock/read-levels.ts';
import { verifyReports } from '../stock/read-reports.ts';
import { createLocation, resendFeeds, sendFeeds } from '../stock/send-feeds.ts';
import { StockModel, stockableVariants } from '../stock/stock-model.ts';
import { createVariants } from './create-variants.ts';
import type { ParentSource } from './parent.ts';
import { verifyParents } from './read-parents.ts';
import { selectAxes } from './select-axes.ts';

/** The input of a data set with products, variants and stock. */
export const parentScopes: readonly Scope[] = [
  'catalog.products:read',
  'catalog.products:write',
  'catalog.axes:write',
  'catalog.variants:write',
  'catalog.stock:read',
  'catalog.stock:write',
  'catalog.stock:ingest',
];

/** A shop: products with variants of axes, and its stock at one location. */
export interface Shop {
  readonly axisLibrary: readonly LibraryAxis[];
  readonly parents: readonly ParentSource[];
  readonly location: string;
  /** One feed. */
  readonly stock: readonly FeedLine[];
}

/**
 * Adds axes and variants to existing products, sends the stock as one feed twice, and reads everything back in all
 * possible ways.
 */
export async function roundTripParents(
  run: DataSetRun,
  brand: DemoBrand,
  created: readonly CreatedProduct[],
  { axisLibrary, parents: sources, location, stock }: Shop,
): Promise<void> {
  await createAxes(run, brand, axisLibrary);
  const pending = await selectAxes(run, brand, { axisLibrary, sources, created });
  const parents = await createVariants(run, brand, pending);

  const stockables = stockableVariants(parents);
  const { levels, movements, ...model } = modelOf(new Set(stockables.map(({ sku }) => sku)), stock);
  await createLocation(brand, location);
  const feeds = await sendFeeds(run, brand, model.feeds);
  await verifyReports(run, brand, feeds);
  await resendFeeds(run, brand, feeds);

  const quantities = new Map([...levels].map(([sku, { quantity }]) => [sku, quantity]));
  const state = { axisLibrary, lowStockThreshold: brand.lowStockThreshold, location, quantities };
  await verifyParents(run, brand, parents, state);
  await verifyLevels(run, brand, { location, stockables, levels });
  await verifyLedger(run, brand, stockables, { location, feeds, movements, levels });
  const bodies = created.map(({ body }) => body);
  const withVariants = parents.filter(({ variants }) => variants.length > 0).length;
  await verifyTotals(run, brand, bodies, withVariants);
}

function modelOf(skus: ReadonlySet<string>, lines: readonly FeedLine[]) {
  const model = new StockModel(skus);
  const batchId = 'stock';
  const feeds = [{ batchId, lines, expected: model.apply(batchId, lines) }];
  return { feeds, levels: model.levels, movements: model.movements };
}
