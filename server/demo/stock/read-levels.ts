import { clientFor, type DemoBrand } from '../client/demo-brand.ts';
import { requireStatus } from '../client/demo-client.ts';
import { differencesBetween } from '../compare.ts';
import type { DataSetRun } from '../data-sets/data-set.ts';
import type { ModelLevel } from './stock-model.ts';
import type { Stockable } from './stockable.ts';

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
    const lastPage = Math.max(1, Math.ceil(expected.length / levelsPerPage));
    for (let page = 1; page <= lastPage; page++) {
      const name = `/catalog/stock/levels?per_page=${levelsPerPage}&page=${page}`;
      const query = { per_page: levelsPerPage, page };
      const answer = await clientFor(brand, page).send((api, call) =>
        api.catalog.stock.levels(query, call).first(),
      );
      requireStatus(answer, 200, `GET ${name}`);
      const data = expected.slice((page - 1) * levelsPerPage, page * levelsPerPage);
      const meta = {
        current_page: page,
        per_page: levelsPerPage,
        total: expected.length,
        last_page: lastPage,
      };
      for (const text of differencesBetween({ data, meta }, answer.json, name)) step.differs(text);
      step.advance(data.length);
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
