import type {
  ApiKey,
  ApiKeyCreate,
  ApiKeyDetail,
  ApiKeyRotate,
  ApiKeyUpdate,
  BrandLimits,
  FeedToken,
  FeedTokenCreate,
  IssuedApiKey,
  IssuedFeedToken,
  KeyLimits,
  KeyUsage,
  LimitList,
  ListAllApiKeysQuery,
  ListAllRefusalsQuery,
  ListApiKeysQuery,
  ListBrandKeyUsageQuery,
  ListBrandLimitsQuery,
  ListFeedTokensQuery,
  ListKeyUsageQuery,
  ListRefusalsQuery,
  ListUnverifiedRefusalsQuery,
  OwnLimitList,
  PageMeta,
  Refusal,
  UnverifiedRefusal,
} from '../generated/internal-wire.ts';
import type { PageOptions, Pages } from '../pages.ts';
import { offsetPages } from '../pages.ts';
import { AdminResource } from '../resource.ts';
import type { Call } from '../transport/attempt.ts';
import type { CallOptions, ChangeOptions, WriteOptions } from '../transport/client-options.ts';

/** API keys, and the feed tokens of the legacy path. */
export class Keys extends AdminResource {
  list(brandId: number, query?: ListApiKeysQuery, options?: PageOptions): Pages<ApiKeyDetail, PageMeta> {
    return offsetPages(this.api, 'listApiKeys', [brandId], { query, options });
  }

  /** Lists the keys of all brands that the caller may see. */
  listAll(query?: ListAllApiKeysQuery, options?: PageOptions): Pages<ApiKeyDetail, PageMeta> {
    return offsetPages(this.api, 'listAllApiKeys', [], { query, options });
  }

  /** Renames a key, moves its expiry or takes scopes away. `response.headers` of `get` has the ETag for `ifMatch`. */
  update(keyId: string, body: ApiKeyUpdate, options?: ChangeOptions): Call<ApiKey> {
    return this.api.call('updateApiKey', [keyId], { body }, options);
  }

  get(keyId: string, options?: CallOptions): Call<ApiKeyDetail> {
    return this.api.call('getApiKey', [keyId], {}, options);
  }

  /** Lists the requests of a key, by hour or day and operation, newest first. */
  usage(keyId: string, query?: ListKeyUsageQuery, options?: PageOptions): Pages<KeyUsage, PageMeta> {
    return offsetPages(this.api, 'listKeyUsage', [keyId], { query, options });
  }

  /** Lists the requests of all keys of a brand, by hour or day, key and operation, newest first. */
  usageOfBrand(
    brandId: number,
    query?: ListBrandKeyUsageQuery,
    options?: PageOptions,
  ): Pages<KeyUsage, PageMeta> {
    return offsetPages(this.api, 'listBrandKeyUsage', [brandId], { query, options });
  }

  /** Lists the requests of a brand's keys that were answered with 4xx or 5xx, newest first. */
  refusals(brandId: number, query?: ListRefusalsQuery, options?: PageOptions): Pages<Refusal, PageMeta> {
    return offsetPages(this.api, 'listRefusals', [brandId], { query, options });
  }

  /** Counts the refused requests that had no verified key, by minute, network and reason, the latest minute first. */
  unverifiedRefusals(
    query?: ListUnverifiedRefusalsQuery,
    options?: PageOptions,
  ): Pages<UnverifiedRefusal, PageMeta> {
    return offsetPages(this.api, 'listUnverifiedRefusals', [], { query, options });
  }

  /** Lists the refusals of all brands that the caller may see. */
  allRefusals(query?: ListAllRefusalsQuery, options?: PageOptions): Pages<Refusal, PageMeta> {
    return offsetPages(this.api, 'listAllRefusals', [], { query, options });
  }

  /** Returns a page of the rate limits of a brand and its active keys, with what is used of them now. */
  limits(brandId: number, query?: ListBrandLimitsQuery, options?: CallOptions): Call<LimitList> {
    return this.api.call('listBrandLimits', [brandId], { query }, options);
  }

  /** Replaces the own rate limits of a key, such as for an import until a time, and returns its limits. */
  limitKey(keyId: string, body: KeyLimits, options?: CallOptions): Call<OwnLimitList> {
    return this.api.call('limitKey', [keyId], { body }, options);
  }

  /** Replaces the own rate limits of all keys of a brand together. */
  limitBrand(brandId: number, body: BrandLimits, options?: CallOptions): Call<OwnLimitList> {
    return this.api.call('limitBrand', [brandId], { body }, options);
  }

  /** Gives a key the configured limits again. */
  resetKeyLimits(keyId: string, options?: CallOptions): Call<void> {
    return this.api.call('resetKeyLimits', [keyId], {}, options);
  }

  /** Gives a brand the configured limits again. */
  resetBrandLimits(brandId: number, options?: CallOptions): Call<void> {
    return this.api.call('resetBrandLimits', [brandId], {}, options);
  }

  /** Issues a key. Its plaintext is in this response only; null if the response was lost and a retry found the key. */
  create(brandId: number, body: ApiKeyCreate, options?: WriteOptions): Call<IssuedApiKey> {
    return this.api.call('createApiKey', [brandId], { body }, options);
  }

  /** Issues a successor and revokes the key. */
  rotate(keyId: string, body?: ApiKeyRotate, options?: WriteOptions): Call<IssuedApiKey> {
    return this.api.call('rotateApiKey', [keyId], { body }, options);
  }

  /** Revoking a key twice changes nothing. Takes the public id, not the whole key: paths are seen by proxies and hooks. */
  revoke(keyId: string, options?: CallOptions): Call<ApiKey> {
    return this.api.call('revokeApiKey', [keyId], { isRepeatable: true }, options);
  }

  delete(keyId: string, options?: CallOptions): Call<undefined> {
    return this.api.call('deleteApiKey', [keyId], {}, options);
  }

  listFeedTokens(
    brandId: number,
    query?: ListFeedTokensQuery,
    options?: PageOptions,
  ): Pages<FeedToken, PageMeta> {
    return offsetPages(this.api, 'listFeedTokens', [brandId], { query, options });
  }

  createFeedToken(brandId: number, body: FeedTokenCreate, options?: WriteOptions): Call<IssuedFeedToken> {
    return this.api.call('createFeedToken', [brandId], { body }, options);
  }

  deleteFeedToken(id: string, options?: CallOptions): Call<undefined> {
    return this.api.call('deleteFeedToken', [id], {}, options);
  }
}
