import type {
  ActivityList,
  Brand,
  BrandCreate,
  BrandDetail,
  BrandListed,
  BrandUpdate,
  GetBrandActivityQuery,
  ListBrandsQuery,
  PageMeta,
  StockHealth,
} from '../generated/internal-wire.ts';
import { offsetPages, type PageOptions, type Pages } from '../pages.ts';
import { AdminResource } from '../resource.ts';
import type { Call } from '../transport/attempt.ts';
import type { CallOptions, ChangeOptions, WriteOptions } from '../transport/client-options.ts';

export class Brands extends AdminResource {
  list(query?: ListBrandsQuery, options?: PageOptions): Pages<BrandListed, PageMeta> {
    return offsetPages(this.api, 'listBrands', [], { query, options });
  }

  /** Returns the settings of a brand and, in `figures`, its figures. */
  get(brandId: number, options?: CallOptions): Call<BrandDetail> {
    return this.api.call('getBrand', [brandId], {}, options);
  }

  /** Returns requests, feed lines and learning events of the last hours, the oldest hour first. */
  activity(brandId: number, query?: GetBrandActivityQuery, options?: CallOptions): Call<ActivityList> {
    return this.api.call('getBrandActivity', [brandId], { query }, options);
  }

  /** Returns the numbers of stock levels that are low, out of stock or stale, also by location. */
  stockHealth(brandId: number, options?: CallOptions): Call<StockHealth> {
    return this.api.call('getStockHealth', [brandId], {}, options);
  }

  create(body: BrandCreate, options?: WriteOptions): Call<Brand> {
    return this.api.call('createBrand', [], { body }, options);
  }

  /** Merges the settings. `response.headers` of `get` has the ETag for `ifMatch`. */
  update(brandId: number, body: BrandUpdate, options?: ChangeOptions): Call<Brand> {
    return this.api.call('updateBrand', [brandId], { body }, options);
  }
}
