import type { ClientApi } from '../client-api.ts';
import type {
  GetProductStockQuery,
  ListStockLevelsQuery,
  ListStockMovementsQuery,
  PageMeta,
  ProductStock,
  StockAdjust,
  StockAdjusted,
  StockLevel,
  StockMovement,
} from '../generated/wire.ts';
import { offsetPages } from '../pages/offset-pages.ts';
import type { PageOptions, Pages } from '../pages/pages.ts';
import type { Call } from '../transport/call.ts';
import type { CallOptions, WriteOptions } from '../transport/client-options.ts';

/** Stock levels and their ledger. Feeds set many levels at once: see `brandport.feeds`. */
export class Stock {
  readonly #api: ClientApi;

  constructor(api: ClientApi) {
    this.#api = api;
  }

  /** Returns the levels of the whole brand, by SKU and location. */
  levels(query?: ListStockLevelsQuery, options?: PageOptions): Pages<StockLevel, PageMeta> {
    return offsetPages(this.#api, 'listStockLevels', [], { query, options });
  }

  /** Returns the levels of a product and its variants. */
  get(productTuId: string, query?: GetProductStockQuery, options?: CallOptions): Call<ProductStock> {
    return this.#api.call('getProductStock', [productTuId], { query }, options);
  }

  /** Returns the changes of a product's levels, newest first. */
  movements(
    productTuId: string,
    query?: ListStockMovementsQuery,
    options?: PageOptions,
  ): Pages<StockMovement, PageMeta> {
    return offsetPages(this.#api, 'listStockMovements', [productTuId], { query, options });
  }

  /**
   * Sets the absolute quantity of a level. With `expected_quantity`, rejects with `StockVersionConflict` if another
   * quantity is stored.
   */
  adjust(productTuId: string, body: StockAdjust, options?: WriteOptions): Call<StockAdjusted> {
    return this.#api.call('adjustStock', [productTuId], { body }, options);
  }
}
