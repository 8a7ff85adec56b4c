import type {
  ActivityList,
  ConcernMute,
  ExplainStockQuery,
  GetActivityQuery,
  InternalOperations,
  ListSkusQuery,
  Overview,
} from '../generated/internal-wire.ts';
import { AdminResource } from '../resource.ts';
import type { Call } from '../transport/attempt.ts';
import type { CallOptions } from '../transport/client-options.ts';

type Response<Id extends keyof InternalOperations> = InternalOperations[Id]['response'];

/** Answers to questions of support: what happened, and why. */
export class Lookups extends AdminResource {
  /** Returns what needs attention: feeds, jobs, datasets, keys, limits, and the state of the databases and of Redis. */
  overview(options?: CallOptions): Call<Overview> {
    return this.api.call('getOverview', [], {}, options);
  }

  /** Mutes a concern of the overview until it changes, or until a time. */
  muteConcern(id: string, body: ConcernMute = {}, options?: CallOptions): Call<void> {
    return this.api.call('muteConcern', [id], { body }, options);
  }

  unmuteConcern(id: string, options?: CallOptions): Call<void> {
    return this.api.call('unmuteConcern', [id], {}, options);
  }

  /** Returns the activity of all brands that the caller may see, the oldest hour first. */
  activity(query?: GetActivityQuery, options?: CallOptions): Call<ActivityList> {
    return this.api.call('getActivity', [], { query }, options);
  }

  /** Finds anything by its id, and brands, keys and administrators by a part of their name. */
  search(q: string, options?: CallOptions): Call<Response<'search'>> {
    return this.api.call('search', [], { query: { q } }, options);
  }

  skus(brandId: number, query?: ListSkusQuery, options?: CallOptions): Call<Response<'listSkus'>> {
    return this.api.call('listSkus', [brandId], { query }, options);
  }

  /** Returns the changes that led to a quantity, newest first. */
  explainStock(
    brandId: number,
    query: ExplainStockQuery,
    options?: CallOptions,
  ): Call<Response<'explainStock'>> {
    return this.api.call('explainStock', [brandId], { query }, options);
  }

  /** Returns the recorded writes under an Idempotency-Key. */
  idempotencyKey(
    brandId: number,
    key: string,
    options?: CallOptions,
  ): Call<Response<'listIdempotencyKeyUses'>> {
    return this.api.call('listIdempotencyKeyUses', [brandId, key], {}, options);
  }

  /** Returns everything that a request changed. */
  request(requestId: string, options?: CallOptions): Call<Response<'getRequest'>> {
    return this.api.call('getRequest', [requestId], {}, options);
  }
}
