import assert from 'node:assert/strict';
import { ok } from '../../src/catalog/tests/new-axes.ts';
import type { ApiClient } from '../support/api-client.ts';
import type { Place } from './sent-writes.ts';

interface Origin {
  readonly at: string;
  readonly key_id: string | null;
  readonly request_id: string | null;
}

interface FeedOrigin {
  readonly feed_id: string;
  readonly source_batch_id: string;
  readonly line: number;
  readonly updated_at: string;
}

export interface ChainEntry extends Origin {
  readonly id: number;
  readonly kind: 'adjustment' | 'feed_line';
  readonly quantity_before: number;
  readonly quantity_after: number;
  readonly note: string;
  readonly feed: FeedOrigin | null;
}

export interface RefusedEntry extends Origin {
  readonly result: string;
  readonly quantity: number;
  readonly feed: FeedOrigin;
}

/** Everything that the service says about a level. */
export interface Chain {
  readonly place: Place;
  /** null: there is no level. */
  readonly level: { readonly quantity: number } | null;
  readonly quantityAt: number;
  readonly firstAt: string | null;
  /** Newest first, as the pages list them. */
  readonly entries: readonly ChainEntry[];
  readonly refused: readonly RefusedEntry[];
}

/** Returns the path that explains a level. */
export function explainPath(brandId: number, place: Place, query: object = {}): string {
  const [sku = '', location = ''] = place.split('@');
  const search = new URLSearchParams({ sku, location });
  for (const [name, value] of Object.entries(query)) if (value !== null) search.set(name, String(value));
  return `/brands/${brandId}/stock/explain?${search}`;
}

/** Reads the whole chain of a level in pages of `limit`, as a client does that follows `before` and `refused_before`. */
export async function walkChain(
  admin: ApiClient,
  brandId: number,
  place: Place,
  limit: number,
): Promise<Chain> {
  const entries: ChainEntry[] = [];
  const refused: RefusedEntry[] = [];
  let before: number | null = null;
  for (;;) {
    const page = await ok(admin.get(explainPath(brandId, place, { limit, before })));
    assert.ok(page.entries.length <= limit, `${place}: a page has at most ${limit} entries`);
    entries.push(...page.entries);
    let part = page;
    for (;;) {
      assert.ok(part.refused.length <= limit, `${place}: a page has at most ${limit} refused lines`);
      refused.push(...part.refused);
      if (part.refused_next === null) break;
      const query = { limit, before, refused_before: part.refused_next };
      part = await ok(admin.get(explainPath(brandId, place, query)));
      assert.deepEqual(part.entries, page.entries, `${place}: the page stays the same`);
    }
    if (page.entries.length < limit) {
      const { level, quantity_at, first_at } = page;
      return { place, level, quantityAt: quantity_at, firstAt: first_at, entries, refused };
    }
    before = page.entries.at(-1).id;
  }
}
