import {
  type ChangeBatch,
  type ChangesOptions,
  changes,
  ProductChangeReader,
  StockChangeReader,
} from './changes.ts';
import type {
  Axis,
  AxisCreate,
  AxisUpdate,
  AxisValue,
  AxisValueCreate,
  AxisValueUpdate,
  EffectiveAxes,
  GetCatalogStatusQuery,
  GetProductStockQuery,
  KeyStatus,
  ListAxesQuery,
  ListProductsQuery,
  ListStockLevelsQuery,
  ListStockLocationsQuery,
  ListStockMovementsQuery,
  ListVariantsQuery,
  PageMeta,
  Product,
  ProductAxesReplace,
  ProductCreate,
  ProductListItem,
  ProductStock,
  ProductUpdate,
  StockAdjust,
  StockAdjusted,
  StockLevelListed,
  StockLocation,
  StockLocationCreate,
  StockLocationUpdate,
  StockMovement,
  Variant,
  VariantCreate,
  VariantGenerate,
  VariantGenerationPlan,
  VariantGenerationResult,
  VariantUpdate,
} from './generated/wire.ts';
import { offsetPages, type PageOptions, type Pages } from './pages.ts';
import { type ClientApi, ClientResource } from './resource.ts';
import type { Call } from './transport/attempt.ts';
import type { CallOptions, ChangeOptions, ReadOptions, WriteOptions } from './transport/client-options.ts';

/**
 * Rounds a computed price to the 4 decimal places that the API takes: `10 + 1.12` is `11.120000000000001` in JavaScript, and
 * `money(10 + 1.12)` is `11.12`. Half a unit is rounded up, as it is written. @throws TypeError for a value that is not finite
 */
export function money(value: number): number {
  if (!Number.isFinite(value)) throw new TypeError('A price is a finite number.');
  const text = String(value);
  // Shifts the point in the text: 1.00005 * 10000 is less than 10000.5.
  const shifted = text.includes('e') ? value * 10_000 : Number(`${text}e4`);
  return Math.round(shifted) / 10_000;
}

/** The brand's library of variant axes. */
class Axes extends ClientResource {
  list(query?: ListAxesQuery, options?: PageOptions): Pages<Axis, PageMeta> {
    return offsetPages(this.api, 'listAxes', [], { query, options });
  }

  create(body: AxisCreate, options?: WriteOptions): Call<Axis> {
    return this.api.call('createAxis', [], { body }, options);
  }

  update(code: string, body: AxisUpdate, options?: CallOptions): Call<Axis> {
    return this.api.call('updateAxis', [code], { body }, options);
  }

  delete(code: string, options?: CallOptions): Call<undefined> {
    return this.api.call('deleteAxis', [code], {}, options);
  }

  createValue(code: string, body: AxisValueCreate, options?: WriteOptions): Call<AxisValue> {
    return this.api.call('createAxisValue', [code], { body }, options);
  }

  updateValue(code: string, value: string, body: AxisValueUpdate, options?: CallOptions): Call<AxisValue> {
    return this.api.call('updateAxisValue', [code, value], { body }, options);
  }

  deleteValue(code: string, value: string, options?: CallOptions): Call<undefined> {
    return this.api.call('deleteAxisValue', [code, value], {}, options);
  }
}

/** The brand's stock locations. */
class Locations extends ClientResource {
  list(query?: ListStockLocationsQuery, options?: PageOptions): Pages<StockLocation, PageMeta> {
    return offsetPages(this.api, 'listStockLocations', [], { query, options });
  }

  create(body: StockLocationCreate, options?: WriteOptions): Call<StockLocation> {
    return this.api.call('createStockLocation', [], { body }, options);
  }

  update(externalCode: string, body: StockLocationUpdate, options?: CallOptions): Call<StockLocation> {
    return this.api.call('updateStockLocation', [externalCode], { body }, options);
  }
}

/** Products are archived with `is_active: false` and never deleted. */
class Products extends ClientResource {
  list(query?: ListProductsQuery, options?: PageOptions): Pages<ProductListItem, PageMeta> {
    return offsetPages(this.api, 'listProducts', [], { query, options });
  }

  /**
   * Iterates the changes of products, from a place that survives the process (`fileState`). A product comes once for each
   * change, or once for several in a row; a change of its variants or axes is a change of the product, one of its stock is not.
   */
  changes(options: ChangesOptions): AsyncGenerator<ChangeBatch<ProductListItem>, void, undefined> {
    return changes((callOptions) => new ProductChangeReader(this.api, callOptions), options);
  }

  get(tuId: string, options?: ReadOptions): Call<Product> {
    return this.api.call('getProduct', [tuId], {}, options);
  }

  /** Rejects with `DuplicateSku` if a product or variant of the brand has the SKU, which a created product always has. */
  create(body: ProductCreate, options?: WriteOptions): Call<Product & { readonly sku: string }> {
    return this.api.call('createProduct', [], { body }, options) as Call<Product & { readonly sku: string }>;
  }

  /** Writes the given fields only. `response.headers` of `get` has the ETag for `ifMatch`. */
  update(tuId: string, body: ProductUpdate, options?: WriteOptions & ChangeOptions): Call<Product> {
    return this.api.call('updateProduct', [tuId], { body }, options);
  }

  /** Returns the axes and values that the product's variants are built from. */
  getAxes(tuId: string, options?: CallOptions): Call<EffectiveAxes> {
    return this.api.call('getProductAxes', [tuId], {}, options);
  }

  /** Replaces the whole selection; axes that are omitted are detached. */
  replaceAxes(tuId: string, body: ProductAxesReplace, options?: CallOptions): Call<EffectiveAxes> {
    return this.api.call('replaceProductAxes', [tuId], { body }, options);
  }
}

/** Stock levels and their ledger. Feeds set many levels at once: see `brandport.feeds`. */
class Stock extends ClientResource {
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

class Variants extends ClientResource {
  /** Returns the live variants of a product. */
  list(productTuId: string, query?: ListVariantsQuery, options?: PageOptions): Pages<Variant, PageMeta> {
    return offsetPages(this.api, 'listVariants', [productTuId], { query, options });
  }

  create(productTuId: string, body: VariantCreate, options?: WriteOptions): Call<Variant> {
    return this.api.call('createVariant', [productTuId], { body }, options);
  }

  /** Creates a variant for every combination of the product's selection that has none. */
  generate(
    productTuId: string,
    body?: VariantGenerate & { readonly dry_run?: false },
    options?: WriteOptions,
  ): Call<VariantGenerationResult> {
    const call = this.api.call('generateVariants', [productTuId], { body }, options);
    return call as Call<VariantGenerationResult>;
  }

  /** Returns the number of variants that `generate` would create, without creating them. */
  planGeneration(
    productTuId: string,
    body?: VariantGenerate,
    options?: WriteOptions,
  ): Call<VariantGenerationPlan> {
    const input = { body: { ...body, dry_run: true } };
    const call = this.api.call('generateVariants', [productTuId], input, options);
    return call as Call<VariantGenerationPlan>;
  }

  update(tuId: string, body: VariantUpdate, options?: CallOptions): Call<Variant> {
    return this.api.call('updateVariant', [tuId], { body }, options);
  }

  /** Deletes a variant; its SKU stays taken. A retry that finds it deleted succeeds. */
  delete(tuId: string, options?: CallOptions): Call<undefined> {
    return this.api.call('deleteVariant', [tuId], {}, options);
  }
}

/** The catalog of the key's brand. */
export class Catalog {
  readonly products: Products;
  readonly variants: Variants;
  readonly axes: Axes;
  readonly locations: Locations;
  readonly stock: Stock;
  readonly #api: ClientApi;

  constructor(api: ClientApi) {
    this.#api = api;
    this.products = new Products(api);
    this.variants = new Variants(api);
    this.axes = new Axes(api);
    this.locations = new Locations(api);
    this.stock = new Stock(api);
  }

  /** Returns the brand and scopes of the API key; with `include: 'refusals'`, why its last requests were refused. */
  status({ include, ...options }: GetCatalogStatusQuery & CallOptions = {}): Call<KeyStatus> {
    return this.#api.call('getCatalogStatus', [], { query: { include } }, options);
  }
}
