const hourMs = 3_600_000;
/** The status recorded for a client that disconnected before the end of the response. */
export const clientGone = 499;

/** A request of a key to an operation. */
export interface KeyUse {
  readonly brandId: number;
  /** The key's public id. */
  readonly keyId: string;
  /** The operationId. */
  readonly operation: string;
  /** The scope by which the key may call the operation, or the one that it lacks; null: any valid key may. */
  readonly scope: string | null;
}

/** The use under which accepted learning events are counted, which have no key [D252]. */
export const eventUse = { keyId: '', operation: 'postLearningEvents', scope: null } as const;

/** The requests of a key to an operation in an hour. */
export interface UsageCount extends KeyUse {
  /** The start of the hour, in milliseconds since the Unix epoch. */
  readonly hour: number;
  requests: number;
  denied: number;
  refused: number;
  failed: number;
}

/**
 * Counts requests by hour, key and operation until they are written. Has at most `limit` counts, and twice as many while a
 * write fails; requests beyond that are only counted as omitted.
 */
export class UsageCounts {
  readonly #limit: number;
  /** Counts by number of the hour, key and operation: nested, because a joined name would be built for each request. */
  #counts = new Map<number, Map<string, Map<string, UsageCount>>>();
  #size = 0;
  #omitted = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Counts requests with the status of their responses, at a time in milliseconds since the Unix epoch. */
  add(use: KeyUse, status: number, at: number, requests = 1): void {
    const hour = Math.floor(at / hourMs);
    let count = this.#counts.get(hour)?.get(use.keyId)?.get(use.operation);
    if (count === undefined) {
      if (this.#size >= this.#limit) {
        this.#omitted += requests;
        return;
      }
      count = { ...use, hour: hour * hourMs, requests: 0, denied: 0, refused: 0, failed: 0 };
      this.#set(count);
    }
    count.requests += requests;
    if (status === 429) count.denied += requests;
    else if (status >= 500) count.failed += requests;
    else if (status >= 400 && status !== clientGone) count.refused += requests;
  }

  /** Returns all counts and begins at zero. */
  take(): UsageCount[] {
    const counts: UsageCount[] = [];
    for (const keys of this.#counts.values())
      for (const operations of keys.values()) counts.push(...operations.values());
    this.#counts = new Map();
    this.#size = 0;
    return counts;
  }

  /** Adds counts that could not be written to those that came since. */
  putBack(counts: readonly UsageCount[]): void {
    for (const count of counts) {
      const since = this.#counts
        .get(count.hour / hourMs)
        ?.get(count.keyId)
        ?.get(count.operation);
      if (since === undefined) {
        this.#set(count);
        continue;
      }
      since.requests += count.requests;
      since.denied += count.denied;
      since.refused += count.refused;
      since.failed += count.failed;
    }
  }

  /** Returns the number of requests that were omitted since the last call. */
  takeOmitted(): number {
    const omitted = this.#omitted;
    this.#omitted = 0;
    return omitted;
  }

  #set(count: UsageCount): void {
    const keys = mapIn(this.#counts, count.hour / hourMs);
    mapIn(keys, count.keyId).set(count.operation, count);
    this.#size += 1;
  }
}

/** Returns the map under a name, after creating it if there is none. */
function mapIn<Name, Key, Value>(maps: Map<Name, Map<Key, Value>>, name: Name): Map<Key, Value> {
  let map = maps.get(name);
  if (map === undefined) {
    map = new Map();
    maps.set(name, map);
  }
  return map;
}
