import type {
  Content,
  ContentsPut,
  ErasureReceipt,
  ListContentsQuery,
  ListLearnersQuery,
  ListMarketsQuery,
  ListPointsOfSaleQuery,
  Market,
  MarketsPut,
  PageMeta,
  PointOfSale,
  PointsOfSalePut,
  Upserted,
  User,
  UserDetail,
  UsersPut,
} from '../generated/internal-wire.ts';
import { offsetPages, type PageOptions, type Pages } from '../pages.ts';
import { AdminResource } from '../resource.ts';
import type { Call } from '../transport/attempt.ts';
import type { CallOptions, EraseOptions } from '../transport/client-options.ts';

/** Markets, points of sale, learners and contents. A PUT adds and changes items; omitted ones are kept. */
export class Directory extends AdminResource {
  listMarkets(brandId: number, query?: ListMarketsQuery, options?: PageOptions): Pages<Market, PageMeta> {
    return offsetPages(this.api, 'listMarkets', [brandId], { query, options });
  }

  putMarkets(brandId: number, body: MarketsPut, options?: CallOptions): Call<Upserted> {
    return this.api.call('putMarkets', [brandId], { body }, options);
  }

  deleteMarket(brandId: number, tuId: string, options?: CallOptions): Call<undefined> {
    return this.api.call('deleteMarket', [brandId, tuId], {}, options);
  }

  listPointsOfSale(
    brandId: number,
    query?: ListPointsOfSaleQuery,
    options?: PageOptions,
  ): Pages<PointOfSale, PageMeta> {
    return offsetPages(this.api, 'listPointsOfSale', [brandId], { query, options });
  }

  putPointsOfSale(brandId: number, body: PointsOfSalePut, options?: CallOptions): Call<Upserted> {
    return this.api.call('putPointsOfSale', [brandId], { body }, options);
  }

  deletePointOfSale(brandId: number, tuId: string, options?: CallOptions): Call<undefined> {
    return this.api.call('deletePointOfSale', [brandId, tuId], {}, options);
  }

  listLearners(brandId: number, query?: ListLearnersQuery, options?: PageOptions): Pages<User, PageMeta> {
    return offsetPages(this.api, 'listLearners', [brandId], { query, options });
  }

  putLearners(brandId: number, body: UsersPut, options?: CallOptions): Call<Upserted> {
    return this.api.call('putLearners', [brandId], { body }, options);
  }

  getLearner(brandId: number, tuId: string, options?: CallOptions): Call<UserDetail> {
    return this.api.call('getLearner', [brandId, tuId], {}, options);
  }

  /** Erases a learner from the user-level datasets and the raw events. */
  deleteLearner(brandId: number, tuId: string, options?: EraseOptions): Call<ErasureReceipt | undefined> {
    return this.api.call('deleteLearner', [brandId, tuId], {}, options);
  }

  listContents(brandId: number, query?: ListContentsQuery, options?: PageOptions): Pages<Content, PageMeta> {
    return offsetPages(this.api, 'listContents', [brandId], { query, options });
  }

  putContents(brandId: number, body: ContentsPut, options?: CallOptions): Call<Upserted> {
    return this.api.call('putContents', [brandId], { body }, options);
  }

  deleteContent(brandId: number, type: string, tuId: string, options?: CallOptions): Call<undefined> {
    return this.api.call('deleteContent', [brandId, type, tuId], {}, options);
  }
}
