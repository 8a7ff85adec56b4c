import type { BenchContext, Load, Subject } from '../bench-context.ts';
import { type BenchBrand, sampleProducts } from '../data/catalog-data.ts';

const products = '/v1/client/catalog/products';

/** Products that are read again and again: few enough for any cache. */
const repeated = 3_200;
/** Products of one round that reads each once: more than a round can read. */
const once = 30_000;

/** Reads of brand B. */
export interface ReadLoads {
  /** Asks each time for what was not asked for lately, so that no cached response is served. */
  once(round: number): Load;
  /** Asks for the same again and again. */
  readonly repeatedly: Load;
}

/** Reads the detail of products with 3 variants, spread over the brand. */
export async function detailLoads({ client, service, large }: Subject): Promise<ReadLoads> {
  const tuIds = await sampleProducts(client, large, once * 3, true);
  return readsOf(tuIds, (ids) => detailsOf({ service }, large, ids));
}

/** Reads the detail of a few products of brand B again and again. */
export async function repeatedDetails({ client, service, large }: Subject, count = repeated): Promise<Load> {
  return detailsOf({ service }, large, await sampleProducts(client, large, count, true));
}

function detailsOf(
  { service }: Pick<Subject, 'service'>,
  { headers }: BenchBrand,
  tuIds: readonly string[],
): Load {
  return {
    on: service.endpoint,
    requests: tuIds.map((tuId) => ({ path: `${products}/${tuId}`, headers })),
  };
}

/** Reads the same products from the thin server. */
export async function thinDetailLoads({ client, thin, large }: BenchContext): Promise<ReadLoads> {
  return readsOf(await sampleProducts(client, large, once * 3, true), (ids) => ({
    on: thin,
    requests: ids.map((tuId) => ({ path: `/detail/${large.brandId}/${tuId}` })),
  }));
}

function readsOf(tuIds: readonly string[], loadOf: (ids: readonly string[]) => Load): ReadLoads {
  const slices = [0, 1, 2].map((n) => loadOf(tuIds.filter((_, index) => index % 3 === n)));
  return {
    once: (round) => slices[round % slices.length] as Load,
    repeatedly: loadOf(tuIds.slice(0, repeated)),
  };
}

/**
 * Reads the first page of 50. A name that `sort` ignores tells the queries apart; the work for each is the same.
 */
export function listLoads({ service, large: { headers } }: Subject): ReadLoads {
  const on = service.endpoint;
  const page = `${products}?per_page=50`;
  const each: Load = { on, requests: [{ path: `${page}&sort=-updated_at,x{{n}}`, headers }] };
  return { once: () => each, repeatedly: { on, requests: [{ path: page, headers }] } };
}
