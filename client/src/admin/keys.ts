import type { AdminApi } from '../admin-api.ts';
import type {
  ApiKey,
  ApiKeyCreate,
  ApiKeyDetail,
  ApiKeyRotate,
  FeedToken,
  FeedTokenCreate,
  IssuedApiKey,
  IssuedFeedToken,
  KeyUsage,
  LeakList,
  LeakSearch,
  LimitList,
  ListApiKeysQuery,
  ListBrandKeyUsageQuery,
  ListFeedTokensQuery,
  ListKeyUsageQuery,
  PageMeta,
} from '../generated/internal-wire.ts';
import { offsetPages } from '../pages/offset-pages.ts';
import type { PageOptions, Pages } from '../pages/pages.ts';
import type { Call } from '../transport/call.ts';
import type { CallOptions } from '../transport/client-options.ts';

/** API keys, and the feed tokens of the legacy path. */
export class Keys {
  readonly #api: AdminApi;

  constructor(api: AdminApi) {
    this.#api = api;
  }

  list(brandId: number, query?: ListApiKeysQuery, options?: PageOptions): Pages<ApiKeyDetail, PageMeta> {
    return offsetPages(this.#api, 'listApiKeys', [brandId], { query, options });
  }

  get(keyId: string, options?: CallOptions): Call<ApiKeyDetail> {
    return this.#api.call('getApiKey', [keyId], {}, options);
  }

  /** Lists the requests of a key, by hour or day and operation, newest first. */
  usage(keyId: string, query?: ListKeyUsageQuery, options?: PageOptions): Pages<KeyUsage, PageMeta> {
    return offsetPages(this.#api, 'listKeyUsage', [keyId], { query, options });
  }

  /** Lists the requests of all keys of a brand, by hour or day, key and operation, newest first. */
  usageOfBrand(
    brandId: number,
    query?: ListBrandKeyUsageQuery,
    options?: PageOptions,
  ): Pages<KeyUsage, PageMeta> {
    return offsetPages(this.#api, 'listBrandKeyUsage', [brandId], { query, options });
  }

  /** Returns the rate limits of a brand and its active keys with what is used of them now. */
  limits(brandId: number, options?: CallOptions): Call<LimitList> {
    return this.#api.call('listBrandLimits', [brandId], {}, options);
  }

  /** Issues a key. Its plaintext is in this response only. */
  create(brandId: number, body: ApiKeyCreate, options?: CallOptions): Call<IssuedApiKey> {
    return this.#api.call('createApiKey', [brandId], { body }, options);
  }

  /** Issues a successor and revokes the key. */
  rotate(keyId: string, body?: ApiKeyRotate, options?: CallOptions): Call<IssuedApiKey> {
    return this.#api.call('rotateApiKey', [keyId], { body }, options);
  }

  /**
   * Finds keys and tokens in any text, says which are real, and revokes those with `revoke`. The service neither logs nor stores
   * the text.
   */
  findLeaks(body: LeakSearch, options?: CallOptions): Call<LeakList> {
    return this.#api.call('findLeaks', [], { body, isRepeatable: true }, options);
  }

  /**
   * Revoking a key twice changes nothing. Takes the public id; for a whole key use `findLeaks`, since paths are seen by proxies
   * and hooks.
   */
  revoke(keyId: string, options?: CallOptions): Call<ApiKey> {
    return this.#api.call('revokeApiKey', [keyId], { isRepeatable: true }, options);
  }

  delete(keyId: string, options?: CallOptions): Call<undefined> {
    return this.#api.call('deleteApiKey', [keyId], {}, options);
  }

  listFeedTokens(
    brandId: number,
    query?: ListFeedTokensQuery,
    options?: PageOptions,
  ): Pages<FeedToken, PageMeta> {
    return offsetPages(this.#api, 'listFeedTokens', [brandId], { query, options });
  }

  createFeedToken(brandId: number, body: FeedTokenCreate, options?: CallOptions): Call<IssuedFeedToken> {
    return this.#api.call('createFeedToken', [brandId], { body }, options);
  }

  deleteFeedToken(id: string, options?: CallOptions): Call<undefined> {
    return this.#api.call('deleteFeedToken', [id], {}, options);
  }
}
