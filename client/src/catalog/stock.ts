import { type ChangeBatch, type ChangesOptions, changes } from '../changes/changes.ts';
import { StockChangeReader } from '../changes/stock-change-reader.ts';
import type {
  GetProductStockQuery,
  ListStockLevelsQuery,
  ListStockMovementsQuery,
  PageMeta,
  ProductStock,
  StockAdjust,
  StockAdjusted,
  StockLevelListed,
  StockMovement,
} from '../generated/wire.ts';
import { offsetPages } from '../pages/offset-pages.ts';
import type { PageOptions, Pages } from '../pages/pages.ts';
import { ClientResource } from '../resource.ts';
import type { Call } from '../transport/call.ts';
import type { CallOptions, WriteOptions } from '../transport/client-options.ts';

/** Stock levels and their ledger. Feeds set many levels at once: see `brandport.feeds`. */
export class Stock extends ClientResource {
  /** Returns the levels of the whole brand, by SKU and location. */
  levels(query?: ListStockLevelsQuery, options?: PageOptions): Pages<StockLevelListed, PageMeta> {
    return offsetPages(this.api, 'listStockLevels', [], { query, options });
  }

  /**
   * Iterates the levels that changed, from a place that survives the process (`fileState`); first all levels. A level of a
   * deleted variant comes once more, with `is_deleted`. Identify levels by `product_tu_id`, `variant_tu_id` and `location`: SKUs
   * change. Rejects with `ValidationFailed` if the place is older than 7 days: begin with another state and an empty copy.
   */
  changes(options: ChangesOptions): AsyncGenerator<ChangeBatch<StockLevelListed>, void, undefined> {
    return changes((callOptions) => new StockChangeReader(this.api, callOptions), options);
  }

  /** Returns the levels of a product and its variants. */
  get(productTuId: string, query?: GetProductStockQuery, options?: CallOptions): Call<ProductStock> {
    return this.api.call('getProductStock', [productTuId], { query }, options);
  }

  /** Returns the changes of a product's levels, newest first. */
  movements(
    productTuId: string,
    query?: ListStockMovementsQuery,
    options?: PageOptions,
  ): Pages<StockMovement, PageMeta> {
    return offsetPages(this.api, 'listStockMovements', [productTuId], { query, options });
  }

  /**
   * Sets the absolute quantity of a level. With `expected_quantity`, rejects with `StockVersionConflict` if another
   * quantity is stored.
   */
  adjust(productTuId: string, body: StockAdjust, options?: WriteOptions): Call<StockAdjusted> {
    return this.api.call('adjustStock', [productTuId], { body }, options);
  }
}
