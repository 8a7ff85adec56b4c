import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiClient } from '../../../../test/support/api-client.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';

const apps = await createTestApps();

interface Item {
  readonly tu_id: string;
  readonly title: string;
  readonly updated_at: string;
}

/** Follows the changes of a brand as the reference recommends to integrators. */
class Poller {
  readonly seen = new Map<string, Item>();
  readonly #client: ApiClient;
  #since = '2001-01-01T00:00:00Z';

  constructor(client: ApiClient) {
    this.#client = client;
  }

  /** Polls until a response has nothing new; returns how many changes it saw. */
  async catchUp(): Promise<number> {
    for (let news = 0; ; ) {
      const { json } = await this.#client.get(
        `/catalog/products?updated_since=${this.#since}&sort=updated_at&per_page=7`,
      );
      const fresh = (json.data as Item[]).filter(
        ({ tu_id, updated_at }) => this.seen.get(tu_id)?.updated_at !== updated_at,
      );
      for (const item of json.data as Item[]) this.seen.set(item.tu_id, item);
      this.#since = json.data.at(-1)?.updated_at ?? this.#since;
      if (fresh.length === 0) return news;
      news += fresh.length;
    }
  }
}

// [catalog-26]
test('a poller misses nothing while eight writers create and change products', async () => {
  const { client } = await apps.newBrand();
  const poller = new Poller(client);
  let writing = true;
  let polls = 0;

  const writers = Array.from({ length: 8 }, async (_, writer) => {
    const own: string[] = [];
    for (let i = 0; i < 18; i += 1) {
      const title = `writer ${writer}, write ${i}`;
      if (i % 3 === 0) {
        const { status, json } = await client.create('/catalog/products', { sku: `W${writer}-${i}`, title });
        assert.equal(status, 201);
        own.push(json.tu_id);
      } else {
        // Sometimes a product of this writer, sometimes one that all of them share.
        const target = i % 3 === 1 ? own.at(-1) : [...poller.seen.keys()][0];
        const { status } = await client.patch(`/catalog/products/${target ?? own[0]}`, { title });
        assert.equal(status, 200);
      }
    }
  });
  const polling = (async () => {
    while (writing) {
      await poller.catchUp();
      polls += 1;
    }
  })();
  await Promise.all(writers);
  writing = false;
  await polling;
  await poller.catchUp();

  const { json } = await client.get('/catalog/products?per_page=200');
  assert.equal(json.meta.total, 8 * 6);
  const stored = new Map(json.data.map((item: Item) => [item.tu_id, item]));
  assert.deepEqual(poller.seen, stored);
  assert.ok(polls > 3, `the poller asked ${polls} times while there were writers`);
});

test('changes that wait for each other get stamps in the order of their commits', async () => {
  const { client, brandId } = await apps.newBrand();
  const { json: first } = await client.create('/catalog/products', { sku: 'FIRST' });
  const holder = await apps.database.pool.connect();
  try {
    await holder.query('begin');
    await holder.query('select 1 from brand_catalogs where brand_id = $1 for update', [brandId]);
    const waiting = Promise.all(
      Array.from({ length: 5 }, (_, i) => client.create('/catalog/products', { sku: `WAITED-${i}` })),
    );
    // Nothing can be committed while the brand is locked, so no reader sees a newer change.
    const during = await client.get(`/catalog/products?updated_since=${first.updated_at}`);
    assert.equal(during.json.meta.total, 1);
    await holder.query('commit');
    const stamps = (await waiting).map(({ json }) => json.updated_at);
    assert.equal(new Set(stamps).size, 5);
    const after = await client.get(`/catalog/products?updated_since=${first.updated_at}&sort=updated_at`);
    assert.deepEqual(
      after.json.data.map(({ updated_at }: Item) => updated_at),
      [first.updated_at, ...stamps.toSorted()],
    );
  } finally {
    holder.release();
  }
});
