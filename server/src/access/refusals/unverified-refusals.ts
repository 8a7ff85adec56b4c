import { countedNetwork } from '../../lib/addresses.ts';

/** Why a request was of no key. `not_looked_up`: a token on a path without an operation. */
export const unverifiedReasons = [
  'malformed',
  'feed_token',
  'unknown',
  'wrong_secret',
  'not_looked_up',
] as const;

export type UnverifiedReason = (typeof unverifiedReasons)[number];

export function isUnverifiedReason(reason: string): reason is UnverifiedReason {
  return (unverifiedReasons as readonly string[]).includes(reason);
}

/** A refused request with a credential that is not known to be a key's: wrong, or of a path for which nobody looked. */
export interface UnverifiedRefusal {
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly address: string;
  readonly reason: UnverifiedReason;
}

/** Such requests of one minute, network and reason. */
export interface UnverifiedCount {
  /** The start of the minute. */
  readonly minute: Date;
  /** An IPv4 address, or the /64 of an IPv6 address. */
  readonly network: string;
  readonly reason: UnverifiedReason;
  count: number;
}

const minuteMs = 60_000;
/** The most counts of a minute. Requests of further networks count under `others`. */
const mostCounts = 50;

/** Counts refused requests without a verified key until their minute is over: they are of no key [internal-208] [D293]. */
export class UnverifiedRefusals {
  readonly #minutes = new Map<number, Map<string, UnverifiedCount>>();

  add({ at, address, reason }: UnverifiedRefusal): void {
    const minute = Math.floor(at / minuteMs) * minuteMs;
    const counts = this.#minutes.get(minute) ?? new Map<string, UnverifiedCount>();
    this.#minutes.set(minute, counts);
    const network = countedNetwork(address);
    const known = counts.get(`${network} ${reason}`);
    const named = known !== undefined || counts.size < mostCounts ? network : 'others';
    const count = counts.get(`${named} ${reason}`) ?? {
      minute: new Date(minute),
      network: named,
      reason,
      count: 0,
    };
    count.count += 1;
    counts.set(`${named} ${reason}`, count);
  }

  /** Returns the counts of minutes that have ended at `now`, in milliseconds since the Unix epoch, and forgets them. */
  take(now: number): UnverifiedCount[] {
    const ended = [...this.#minutes].filter(([minute]) => minute + minuteMs <= now);
    for (const [minute] of ended) this.#minutes.delete(minute);
    return ended.flatMap(([, counts]) => [...counts.values()]);
  }
}
