import type { SentLine } from '../../src/catalog/feeds/tests/feeds.ts';

/** A SKU and a location, as `sku@location`. */
export type Place = string;

export function placeOf({ sku, location_code }: Pick<SentLine, 'sku' | 'location_code'>): Place {
  return `${sku}@${location_code}`;
}

/** An adjustment that was accepted and changed its level. */
export interface SentAdjustment {
  readonly place: Place;
  readonly quantity: number;
  readonly note: string;
  readonly keyId: string;
  /** The id of the request that was executed, not of a replay. */
  readonly requestId: string;
}

/** A feed that was accepted. */
export interface SentFeed {
  readonly batchId: string;
  /** In the order of the request. Those of a re-queued feed all have a time. */
  readonly lines: readonly SentLine[];
  readonly keyId: string;
  readonly requestId: string;
}

/** Everything that a storm has sent and the service has accepted. */
export class SentWrites {
  /** The adjustments by the id of their movement. */
  readonly adjustments = new Map<number, SentAdjustment>();
  /** The feeds by their id. */
  readonly feeds = new Map<string, SentFeed>();
}
