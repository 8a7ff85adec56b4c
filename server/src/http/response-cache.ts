import { LRUCache } from 'lru-cache';

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

export interface ResponseCacheUse {
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
 * The bodies of recent reads that have a version; the least recently used are dropped. A body is served again only if the
 * statement of the new request finds the same version [D95]. It is kept when it is read for the second time: keeping those that
 * are read once would displace others.
 */
export class ResponseCache {
  readonly #responses: LRUCache<string, CachedResponse> | null;
  readonly #missed = new LRUCache<string, true>({ max: rememberedMisses });
  #hits = 0;
  #misses = 0;

  /** @param maxBytes 0 = nothing is kept */
  constructor(maxBytes: number) {
    this.#responses =
      maxBytes === 0
        ? null
        : new LRUCache({
            maxSize: maxBytes,
            maxEntrySize: Math.floor(maxBytes * largestShare),
            sizeCalculation: sizeOf,
          });
  }

  /** Returns the body that was kept under the key, if the clock has not changed it since. */
  find(key: string, now: number): CachedResponse | undefined {
    const kept = this.#responses?.get(key);
    return kept !== undefined && kept.validFrom <= now && now <= kept.validUntil ? kept : undefined;
  }

  /** Keeps the body, if one was kept or offered under the key recently. */
  offer(key: string, response: CachedResponse): void {
    if (this.#responses === null) return;
    if (this.#missed.get(key) === true || this.#responses.has(key)) this.#responses.set(key, response);
    else this.#missed.set(key, true);
  }

  count(isHit: boolean): void {
    if (isHit) this.#hits += 1;
    else this.#misses += 1;
  }

  get use(): ResponseCacheUse {
    const { calculatedSize = 0, size = 0 } = this.#responses ?? {};
    return { bytes: calculatedSize, responses: size, hits: this.#hits, misses: this.#misses };
  }
}

/** A string has one byte for each character if none is beyond U+00FF, else two. Only ASCII is sure to have one. */
function sizeOf({ body, etag, state }: CachedResponse, key: string): number {
  const bytes = Buffer.byteLength(body) === body.length ? body.length : 2 * body.length;
  return bytes + 2 * key.length + etag.length + state.length + overhead;
}
