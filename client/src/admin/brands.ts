import type { AdminApi } from '../admin-api.ts';
import type {
  Brand,
  BrandCreate,
  BrandListed,
  BrandSummary,
  BrandUpdate,
  ListBrandsQuery,
  PageMeta,
} from '../generated/internal-wire.ts';
import { offsetPages } from '../pages/offset-pages.ts';
import type { PageOptions, Pages } from '../pages/pages.ts';
import type { Call } from '../transport/call.ts';
import type { CallOptions } from '../transport/client-options.ts';

export class Brands {
  readonly #api: AdminApi;

  constructor(api: AdminApi) {
    this.#api = api;
  }

  list(query?: ListBrandsQuery, options?: PageOptions): Pages<BrandListed, PageMeta> {
    return offsetPages(this.#api, 'listBrands', [], { query, options });
  }

  get(brandId: number, options?: CallOptions): Call<Brand> {
    return this.#api.call('getBrand', [brandId], {}, options);
  }

  /** Returns the figures of a brand: products, keys, feeds and datasets. */
  summary(brandId: number, options?: CallOptions): Call<BrandSummary> {
    return this.#api.call('getBrandSummary', [brandId], {}, options);
  }

  create(body: BrandCreate, options?: CallOptions): Call<Brand> {
    return this.#api.call('createBrand', [], { body }, options);
  }

  /** Merges the settings. */
  update(brandId: number, body: BrandUpdate, options?: CallOptions): Call<Brand> {
    return this.#api.call('updateBrand', [brandId], { body }, options);
  }
}
