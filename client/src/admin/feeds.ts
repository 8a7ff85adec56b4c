import type { AdminApi } from '../admin-api.ts';
import type { Feed, ListBrandFeedsQuery, PageMeta } from '../generated/internal-wire.ts';
import { offsetPages } from '../pages/offset-pages.ts';
import type { PageOptions, Pages } from '../pages/pages.ts';

/** The stock feeds that brands have submitted. */
export class Feeds {
  readonly #api: AdminApi;

  constructor(api: AdminApi) {
    this.#api = api;
  }

  listOfBrand(brandId: number, query?: ListBrandFeedsQuery, options?: PageOptions): Pages<Feed, PageMeta> {
    return offsetPages(this.#api, 'listBrandFeeds', [brandId], { query, options });
  }
}
