import type { Brandport } from '@brandport/client';
import type { RequestLimits } from './plan-summary.ts';

/** The brand and its limits when a plan is made or applied. */
export interface Situation {
  readonly brandId: number;
  /** The time of the server's clock, in whole seconds. */
  readonly now: string;
  readonly limits: RequestLimits;
}

/** The contract's limit. A read does not say the limit of writes. */
const defaultWrites = 60;

/** Asks the service for the brand of the key, its clock and its limits. */
export async function readSituation(
  brandport: Brandport,
  { writesPerMinute, signal }: { writesPerMinute?: number | undefined; signal?: AbortSignal | undefined },
): Promise<Situation> {
  const { data, response } = await brandport.catalog.status({ signal }).withResponse();
  const reads = Number(response.headers.get('x-ratelimit-limit') ?? Number.POSITIVE_INFINITY);
  const date = Date.parse(response.headers.get('date') ?? '');
  return {
    brandId: data.brand_id,
    now: new Date(Number.isNaN(date) ? Math.floor(Date.now() / 1000) * 1000 : date).toISOString(),
    limits: {
      reads,
      writes: writesPerMinute ?? (reads === Number.POSITIVE_INFINITY ? reads : defaultWrites),
    },
  };
}
