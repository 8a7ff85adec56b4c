import { OwnedCache } from '../lib/owned-cache.ts';

/** A response body, and when it is what a fresh read would return. */
export interface CachedResponse {
  readonly body: string;
  readonly etag: string;
  /** The version that the statement which read the body returned. */
  readonly state: string;
  /** The first and last instants, milliseconds since the Unix epoch, between which the clock does not change the body. */
  readonly validFrom: number;
  readonly validUntil: number;
}

interface ResponseCacheUse {
  readonly bytes: number;
  readonly responses: number;
  readonly hits: number;
  readonly misses: number;
}

/** Bytes of an entry besides its body and key: the objects, and its place in the cache. */
const overhead = 600;

/** The number of recent misses that are remembered: more than the cache has room for. */
const rememberedMisses = 10_000;

/** A response that takes more than this part of the cache is not kept. */
const largestShare = 1 / 8;

/**
 * The bodies of recent reads that have a version. When they are too many, the brand with the most loses the least recently used.
 * A body is served again only if the statement of the new request finds the same version [D95]. It is kept when it is read for
 * the second time: keeping those that are read once would displace others.
 */
export class ResponseCache {
  readonly #responses: OwnedCache<number, CachedResponse> | null;
  readonly #largest: number;
  readonly #missed = new OwnedCache<number, true>(rememberedMisses);
  #hits = 0;
  #misses = 0;

  /** @param maxBytes 0 = nothing is kept */
  constructor(maxBytes: number) {
    this.#responses = maxBytes === 0 ? null : new OwnedCache(maxBytes);
    this.#largest = Math.floor(maxBytes * largestShare);
  }

  /** Returns the body that was kept under the key of a brand, if the clock has not changed it since. */
  find(brandId: number, key: string, now: number): CachedResponse | undefined {
    const kept = this.#responses?.get(brandId, key);
    return kept !== undefined && kept.validFrom <= now && now <= kept.validUntil ? kept : undefined;
  }

  /** Keeps the body, if one was kept or offered under the key recently. */
  offer(brandId: number, key: string, response: CachedResponse): void {
    if (this.#responses === null) return;
    if (!this.#missed.has(brandId, key) && !this.#responses.has(brandId, key)) {
      this.#missed.set(brandId, key, true);
      return;
    }
    const size = sizeOf(response, key);
    if (size > this.#largest) this.#responses.delete(brandId, key);
    else this.#responses.set(brandId, key, response, size);
  }

  count(isHit: boolean): void {
    if (isHit) this.#hits += 1;
    else this.#misses += 1;
  }

  get use(): ResponseCacheUse {
    const { size = 0, count = 0 } = this.#responses ?? {};
    return { bytes: size, responses: count, hits: this.#hits, misses: this.#misses };
  }
}

/** A string has one byte for each character if none is beyond U+00FF, else two. Only ASCII is sure to have one. */
function sizeOf({ body, etag, state }: CachedResponse, key: string): number {
  const bytes = Buffer.byteLength(body) === body.length ? body.length : 2 * body.length;
  return bytes + 2 * key.length + etag.length + state.length + overhead;
}
