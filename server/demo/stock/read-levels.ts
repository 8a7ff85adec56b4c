import { clientFor, type DemoBrand } from '../client/demo-brand.ts';
import { requireStatus } from '../client/demo-client.ts';
import { differencesBetween, lastPageOf, pageOf } from '../compare.ts';
import type { DataSetRun } from '../data-sets/data-set.ts';
import type { ModelLevel, Stockable } from './stock-model.ts';

const levelsPerPage = 200;

export interface ExpectedLevels {
  /** The only location of the brand. */
  readonly location: string;
  readonly stockables: readonly Stockable[];
  /** Keyed by SKU. */
  readonly levels: ReadonlyMap<string, ModelLevel>;
}

/** Reads all levels of the brand page by page, and checks that they are the expected ones and no others. */
export async function verifyLevels(
  run: DataSetRun,
  brand: DemoBrand,
  { location, stockables, levels }: ExpectedLevels,
): Promise<void> {
  const expected = stockables
    .flatMap((stockable) => {
      const level = levels.get(stockable.sku);
      return level === undefined ? [] : [servedLevel(stockable, location, level)];
    })
    .sort((a, b) => (a.sku < b.sku ? -1 : 1));
  await run.step(brand, 'read levels', expected.length, async (step) => {
    for (let page = 1; page <= lastPageOf(expected.length, levelsPerPage); page++) {
      const name = `/catalog/stock/levels?per_page=${levelsPerPage}&page=${page}`;
      const query = { per_page: levelsPerPage, page };
      const answer = await clientFor(brand, page).send((api, call) =>
        api.catalog.stock.levels(query, call).first(),
      );
      requireStatus(answer, 200, `GET ${name}`);
      const served = pageOf(expected, page, levelsPerPage);
      for (const text of differencesBetween(served, answer.json, name)) step.differs(text);
      step.advance(served.data.length);
    }
  });
}

function servedLevel(stockable: Stockable, location: string, { quantity, updatedAt }: ModelLevel) {
  return {
    sku: stockable.sku,
    product_tu_id: stockable.productTuId,
    variant_tu_id: stockable.variantTuId,
    location,
    quantity,
    reserved: 0,
    available: quantity,
    ...(Number.isFinite(updatedAt) && { source_updated_at: new Date(updatedAt).toISOString() }),
  };
}
