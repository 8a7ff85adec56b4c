import assert from 'node:assert/strict';
import type { ApiClient } from '../../../../test/support/api-client.ts';
import { ok } from '../../tests/new-axes.ts';

export const levelsPath = '/catalog/stock/levels';

export interface ListedLevel {
  readonly sku: string;
  readonly product_tu_id: string;
  readonly variant_tu_id: string | null;
  readonly location: string;
  readonly quantity: number;
  readonly is_deleted?: boolean;
}

/** A copy of a brand's levels that follows `changed_after`, as an integrator's does. */
export class FollowedStock {
  readonly #client: ApiClient;
  readonly #query: string;
  readonly levels = new Map<string, Omit<ListedLevel, 'is_deleted'>>();
  token: string;

  constructor(client: ApiClient, { token = 'start', query = 'per_page=200' } = {}) {
    this.#client = client;
    this.#query = query;
    this.token = token;
  }

  /** Reads one page into the copy. */
  async page(): Promise<{ readonly data: ListedLevel[]; readonly hasMore: boolean }> {
    const { data, meta } = await ok(
      this.#client.get(`${levelsPath}?${this.#query}&changed_after=${encodeURIComponent(this.token)}`),
    );
    for (const { is_deleted: isDeleted, ...level } of data) {
      assert.equal(typeof isDeleted, 'boolean');
      if (isDeleted) this.levels.delete(nameOf(level));
      else this.levels.set(nameOf(level), level);
    }
    this.token = meta.changed_token;
    return { data, hasMore: meta.has_more };
  }

  /** Reads until nothing is left, and returns all rows. */
  async catchUp(): Promise<ListedLevel[]> {
    const rows: ListedLevel[] = [];
    for (;;) {
      const { data, hasMore } = await this.page();
      rows.push(...data);
      if (!hasMore) return rows;
    }
  }

  /** Returns each change as `SKU@location=quantity`; a deleted level as `SKU@location gone`. */
  async changes(): Promise<string[]> {
    return (await this.catchUp()).map(
      ({ sku, location, quantity, is_deleted }) =>
        `${sku}@${location}${is_deleted ? ' gone' : `=${quantity}`}`,
    );
  }

  /** Asserts that the copy is what the list of all levels shows. Nobody may write meanwhile. */
  async assertEqualsList(): Promise<void> {
    const listed = new Map<string, ListedLevel>();
    for (let page = 1, last = 1; page <= last; page += 1) {
      const { data, meta } = await ok(this.#client.get(`${levelsPath}?per_page=200&page=${page}`));
      for (const level of data) listed.set(nameOf(level), level);
      last = meta.last_page;
    }
    const inOrder = (levels: ReadonlyMap<string, unknown>) =>
      Object.fromEntries([...levels].sort(([a], [b]) => (a < b ? -1 : 1)));
    assert.deepEqual(inOrder(this.levels), inOrder(listed));
  }
}

/** Returns the names that a level keeps when it changes; its SKU is none of them. */
function nameOf({ product_tu_id, variant_tu_id, location }: ListedLevel): string {
  return `${product_tu_id} ${variant_tu_id} ${location}`;
}
