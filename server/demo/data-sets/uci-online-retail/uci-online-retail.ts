import { join } from 'node:path';
import { type DemoBrand, type Scope, shareOut } from '../../client/demo-brand.ts';
import { requireStatus } from '../../client/demo-client.ts';
import { differencesBetween } from '../../compare.ts';
import { type CreatedProduct, createProducts } from '../../products/create-products.ts';
import type { ProductBody } from '../../products/product-body.ts';
import { verifyTotals, verifyWalk } from '../../products/read-products.ts';
import { linesOf } from '../../stock/feed.ts';
import { verifyLedger } from '../../stock/read-ledger.ts';
import { verifyLevels } from '../../stock/read-levels.ts';
import { verifyReports } from '../../stock/read-reports.ts';
import { createLocation, resendFeeds, sendFeeds } from '../../stock/send-feeds.ts';
import { type ModelLevel, StockModel, stockableProducts } from '../../stock/stock-model.ts';
import type { DataSet, DataSetRun } from '../data-set.ts';
import { type Article, articlesOf, caseTwins, readSales, type Sale } from './sales.ts';
import { feedsOf, location } from './sales-feeds.ts';

const file = 'online-retail.csv.gz';
const scopes: readonly Scope[] = [
  'catalog.products:read',
  'catalog.products:write',
  'catalog.stock:read',
  'catalog.stock:write',
  'catalog.stock:ingest',
];
const rowsOfPart = 1_000;
const walk = { pageSize: 200, sort: 'sku' };

/** A year of a shop: 4,070 stock codes, and 541,909 sales as a stream of stock feeds, day by day, partly out of order. */
export const uciOnlineRetail: DataSet = {
  name: 'uci-online-retail',
  files: [file],
  async run(run) {
    const { articles, sales } = await readShop(join(run.dir, file), run.part);
    const bodies = articles.map(bodyOf);
    const model = new StockModel(new Set(articles.map(({ sku }) => sku)));
    const planned = feedsOf(articles, sales).map(({ batchId, lines }) => ({
      batchId,
      lines,
      expected: model.apply(batchId, lines),
    }));

    const brand = await run.newBrand(scopes);
    const twins = caseTwins(articles);
    const lines = linesOf(planned).toLocaleString('en');
    const what = `${bodies.length.toLocaleString('en')} products, ${planned.length} feeds of ${lines} lines`;
    run.announce(brand, what);

    const created = await createProducts(run, brand, bodies);
    await verifyTotals(run, brand, bodies);
    await verifyWalk(run, brand, created, walk);
    await verifyTwins(run, brand, twins, created);
    await createLocation(brand, location);
    const feeds = await sendFeeds(run, brand, planned);
    await verifyReports(run, brand, feeds);
    await resendFeeds(run, brand, feeds);
    const levels = levelsAfter(articles, sales);
    const stockables = stockableProducts(created);
    await verifyLevels(run, brand, { location, stockables, levels });
    await verifyLedger(run, brand, stockables, { location, feeds, movements: model.movements, levels });
  },
};

/**
 * Reads a part: at most the given number of stock codes, and their sales in the same number of thousand rows; stock
 * codes that differ only by case come first.
 */
async function readShop(path: string, part: number | null) {
  const sales = await readSales(path, part === null ? null : part * rowsOfPart);
  const articles = articlesOf(sales);
  if (part === null) return { articles, sales };
  const twins = new Set(caseTwins(articles));
  const chosen = [...twins, ...articles.filter((article) => !twins.has(article))].slice(0, part);
  const skus = new Set(chosen.map(({ sku }) => sku));
  return { articles: chosen, sales: sales.filter(({ sku }) => skus.has(sku)) };
}

function bodyOf({ sku, title, price }: Article): ProductBody {
  return { sku, title, is_active: true, price_value: price, price_currency: 'GBP' };
}

/** Requests each of the SKUs that differ only by case separately. */
async function verifyTwins(
  run: DataSetRun,
  brand: DemoBrand,
  twins: readonly Article[],
  created: readonly CreatedProduct[],
): Promise<void> {
  const ids = new Map(created.map(({ body, answer }) => [body.sku, answer.json.tu_id]));
  await run.step(brand, 'find by SKU and case', twins.length, (step) =>
    shareOut(brand.clients, twins, async (client, { sku }) => {
      const path = `/catalog/products?sku=${encodeURIComponent(sku)}`;
      const answer = await client.send((api, call) => api.catalog.products.list({ sku }, call).first());
      requireStatus(answer, 200, `GET ${path}`);
      const expected = { data: [{ sku, tu_id: ids.get(sku) }], meta: { total: 1 } };
      for (const text of differencesBetween(expected, answer.json, sku)) step.differs(text);
      step.advance();
    }),
  );
}

/**
 * Computes the final stock from the file alone: the opening stock less all sales, as of the last sale. It
 * shares nothing with the feeds and their model except the opening stock.
 */
function levelsAfter(articles: readonly Article[], sales: readonly Sale[]): Map<string, ModelLevel> {
  const bySku = Map.groupBy(sales, ({ sku }) => sku);
  return new Map(
    articles.map(({ sku, openingStock }) => {
      const own = bySku.get(sku) ?? [];
      const sold = own.reduce((sum, { quantity }) => sum + quantity, 0);
      const updatedAt = Math.max(...own.map(({ soldAt }) => Date.parse(soldAt)));
      return [sku, { quantity: openingStock - sold, updatedAt }];
    }),
  );
}
