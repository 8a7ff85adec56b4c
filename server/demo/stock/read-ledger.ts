import type { StockMovement } from '../../../client/src/index.ts';
import { type BrandClient, type DemoBrand, shareOut } from '../client/demo-brand.ts';
import { requireStatus } from '../client/demo-client.ts';
import { differencesBetween, lastPageOf } from '../compare.ts';
import type { DataSetRun } from '../data-sets/data-set.ts';
import type { SentFeed } from './feed.ts';
import type { ModelLevel, ModelMovement, Stockable } from './stock-model.ts';

/** The expected ledger. */
export interface ExpectedLedger {
  readonly location: string;
  readonly feeds: readonly SentFeed[];
  /** Movements by SKU, oldest first. */
  readonly movements: ReadonlyMap<string, readonly ModelMovement[]>;
  readonly levels: ReadonlyMap<string, Pick<ModelLevel, 'quantity'>>;
}

const movementsPerPage = 200;

/**
 * Reads the whole ledger of every product, newest first, and checks that the feeds caused each movement and that the
 * sum of a SKU's movements is its level.
 */
export async function verifyLedger(
  run: DataSetRun,
  brand: DemoBrand,
  stockables: readonly Stockable[],
  ledger: ExpectedLedger,
): Promise<void> {
  const products = [...Map.groupBy(stockables, ({ productTuId }) => productTuId)];
  const total = [...ledger.movements.values()].reduce((sum, movements) => sum + movements.length, 0);
  const feedIds = new Map(ledger.feeds.map(({ batchId, id }) => [batchId, id]));
  await run.step(brand, 'read ledger', total, (step) =>
    shareOut(brand.clients, products, async (client, [productTuId, owned]) => {
      const count = owned.reduce((sum, { sku }) => sum + (ledger.movements.get(sku)?.length ?? 0), 0);
      const served = await readMovements(client, productTuId, count, (text) => step.differs(text));
      if (served.some(({ id }, index) => id >= (served[index - 1]?.id ?? Number.POSITIVE_INFINITY)))
        step.differs(`${productTuId}: the movements are not newest first`);
      const bySku = Map.groupBy(served, ({ sku }) => sku);
      for (const stockable of owned) {
        const found = bySku.get(stockable.sku) ?? [];
        const expected = (ledger.movements.get(stockable.sku) ?? [])
          .map((movement) => servedMovement(stockable, ledger.location, movement, feedIds))
          .reverse();
        for (const text of differencesBetween(expected, found, `${stockable.sku}/movements`))
          step.differs(text);
        const sum = found.reduce((quantity, { delta }) => quantity + delta, 0);
        const quantity = ledger.levels.get(stockable.sku)?.quantity ?? 0;
        if (sum !== quantity)
          step.differs(`${stockable.sku}: the movements add up to ${sum}, the level is ${quantity}`);
        step.advance(found.length);
      }
    }),
  );
}

async function readMovements(
  client: BrandClient,
  productTuId: string,
  count: number,
  differs: (text: string) => void,
): Promise<StockMovement[]> {
  const all: StockMovement[] = [];
  for (let page = 1; page <= lastPageOf(count, movementsPerPage); page++) {
    const path = `/catalog/products/${productTuId}/stock/movements?per_page=${movementsPerPage}&page=${page}`;
    const query = { per_page: movementsPerPage, page };
    const answer = await client.send((api, call) =>
      api.catalog.stock.movements(productTuId, query, call).first(),
    );
    requireStatus(answer, 200, `GET ${path}`);
    const { data, meta } = answer.json;
    if (meta.total !== count) differs(`${productTuId}: has ${meta.total} movements, not ${count}`);
    all.push(...data);
  }
  return all;
}

function servedMovement(
  { sku, productTuId, variantTuId }: Stockable,
  location: string,
  { before, after, batchId }: ModelMovement,
  feedIds: ReadonlyMap<string, string>,
) {
  return {
    sku,
    product_tu_id: productTuId,
    variant_tu_id: variantTuId,
    location,
    quantity_before: before,
    quantity_after: after,
    delta: after - before,
    reason: 'feed',
    actor: null,
    note: `feed:${feedIds.get(batchId)}`,
  };
}
