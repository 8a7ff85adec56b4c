const hourMs = 3_600_000;
/** The status recorded for a client that disconnected before the end of the response. */
export const clientGone = 499;

export interface KeyUse {
  readonly brandId: number;
  /** The key's public id. */
  readonly keyId: string;
  readonly operation: string;
  /** The scope by which the key may call the operation, or the one that it lacks; null: any valid key may. */
  readonly scope: string | null;
}

/** The use under which accepted learning events are counted, which have no key [D143]. */
export const eventUse = { keyId: '', operation: 'postLearningEvents', scope: null } as const;

export interface UsageCount extends KeyUse {
  /** The start of the hour, in milliseconds since the Unix epoch. */
  readonly hour: number;
  requests: number;
  denied: number;
  refused: number;
  failed: number;
}

/**
 * Counts requests by hour, key and operation until they are written. Has at most `limit` counts, and twice as many while a write
 * fails; requests beyond that are only counted as omitted.
 */
export class UsageCounts {
  readonly #limit: number;
  #counts = new Map<string, UsageCount>();
  #omitted = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Counts requests with the status of their responses, at a time in milliseconds since the Unix epoch. */
  add(use: KeyUse, status: number, at: number, requests = 1): void {
    const hour = Math.floor(at / hourMs) * hourMs;
    const name = nameOf(use, hour);
    let count = this.#counts.get(name);
    if (count === undefined) {
      if (this.#counts.size >= this.#limit) {
        this.#omitted += requests;
        return;
      }
      count = { ...use, hour, requests: 0, denied: 0, refused: 0, failed: 0 };
      this.#counts.set(name, count);
    }
    count.requests += requests;
    if (status === 429) count.denied += requests;
    else if (status >= 500) count.failed += requests;
    else if (status >= 400 && status !== clientGone) count.refused += requests;
  }

  take(): UsageCount[] {
    const counts = [...this.#counts.values()];
    this.#counts = new Map();
    return counts;
  }

  putBack(counts: readonly UsageCount[]): void {
    for (const count of counts) {
      const name = nameOf(count, count.hour);
      const since = this.#counts.get(name);
      this.#counts.set(name, count);
      if (since === undefined) continue;
      count.requests += since.requests;
      count.denied += since.denied;
      count.refused += since.refused;
      count.failed += since.failed;
    }
  }

  /** Returns the number of requests that were omitted since the last call. */
  takeOmitted(): number {
    const omitted = this.#omitted;
    this.#omitted = 0;
    return omitted;
  }
}

function nameOf({ brandId, keyId, operation }: KeyUse, hour: number): string {
  return `${hour} ${brandId} ${keyId} ${operation}`;
}
