import { type ChangeBatch, type ChangesOptions, changes } from '../changes/changes.ts';
import { ProductChangeReader } from '../changes/product-change-reader.ts';
import type {
  EffectiveAxes,
  ListProductsQuery,
  PageMeta,
  Product,
  ProductAxesReplace,
  ProductCreate,
  ProductListItem,
  ProductUpdate,
} from '../generated/wire.ts';
import { offsetPages } from '../pages/offset-pages.ts';
import type { PageOptions, Pages } from '../pages/pages.ts';
import { ClientResource } from '../resource.ts';
import type { Call } from '../transport/call.ts';
import type { CallOptions, ReadOptions, WriteOptions } from '../transport/client-options.ts';

/** Products are archived with `is_active: false` and never deleted. */
export class Products extends ClientResource {
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

  /** Writes the given fields only. */
  update(tuId: string, body: ProductUpdate, options?: WriteOptions): Call<Product> {
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
