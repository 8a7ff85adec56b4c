import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps } from '../../../../test/support/test-apps.ts';

const apps = await createTestApps();
const { client } = await apps.newBrand();

interface Item {
  readonly id: number;
  readonly sku: string;
  readonly is_active: boolean;
  readonly created_at: string;
  readonly updated_at: string;
}

// SKUs run against the order of creation, and every third product is changed again, so that no two orders are the same.
for (let i = 0; i < 12; i += 1)
  await client.create('/catalog/products', {
    sku: `S-${String((i * 7) % 12).padStart(2, '0')}`,
    is_active: i % 2 === 0,
  });
const unsorted: Item[] = (await client.get('/catalog/products')).json.data;
for (const { tu_id } of unsorted.filter((_, i) => i % 3 === 0) as unknown as { tu_id: string }[])
  await client.patch(`/catalog/products/${tu_id}`, { title: 'Touched' });
const all: Item[] = (await client.get('/catalog/products')).json.data;

const list = async (query: string): Promise<{ items: Item[]; meta: object; skus: string[] }> => {
  const { status, json, text } = await client.get(`/catalog/products?${query}`);
  assert.equal(status, 200, text);
  return { items: json.data, meta: json.meta, skus: json.data.map(({ sku }: Item) => sku) };
};

type Column = 'sku' | 'created_at' | 'updated_at' | 'id';

/** Returns the SKUs in an order such as `created_at,-id`. */
function sorted(items: readonly Item[], order: string): string[] {
  const keys = order
    .split(',')
    .map((key) => ({ column: key.replace('-', '') as Column, down: key.startsWith('-') }));
  const compare = (a: Item, b: Item) => {
    for (const { column, down } of keys)
      if (a[column] !== b[column]) return a[column] < b[column] !== down ? -1 : 1;
    return 0;
  };
  return items.toSorted(compare).map(({ sku }) => sku);
}

describe('the order of the product list', () => {
  const columns = ['sku', 'created_at', 'updated_at'];
  const keys = columns.flatMap((column) => [column, `-${column}`]);
  const pairs = keys.flatMap((a) =>
    keys.filter((b) => a.replace('-', '') !== b.replace('-', '')).map((b) => `${a},${b}`),
  );
  const triples = pairs.flatMap((pair) =>
    keys.filter((key) => !pair.includes(key.replace('-', ''))).map((key) => `${pair},${key}`),
  );

  it('is correct for every combination of fields', async () => {
    assert.equal(keys.length + pairs.length + triples.length, 6 + 24 + 48);
    for (const sort of [...keys, ...pairs, ...triples]) {
      const direction = sort.split(',').at(-1)?.startsWith('-') ? '-' : '';
      assert.deepEqual((await list(`sort=${sort}`)).skus, sorted(all, `${sort},${direction}id`), sort);
    }
  });

  it('is the latest change first by default', async () => {
    const newestFirst = sorted(all, '-updated_at,-id');
    for (const query of ['', 'sort=', 'sort=title', 'sort=nothing,-price_value', 'sort=SKU'])
      assert.deepEqual((await list(query)).skus, newestFirst, query);
  });

  it('ignores unknown fields and applies the known ones', async () => {
    assert.deepEqual((await list('sort=title,sku,nothing')).skus, sorted(all, 'sku'));
  });

  it('compares SKUs by bytes, regardless of the locale of the database', async () => {
    const other = await apps.newBrand();
    const skus = ['a', 'B', 'ä', 'Z', '_', '0', 'b', 'é', '~', '😀', '\uffff'];
    for (const sku of skus) await other.client.create('/catalog/products', { sku });
    const { json } = await other.client.get('/catalog/products?sort=sku');
    assert.deepEqual(
      json.data.map(({ sku }: Item) => sku),
      skus.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
    );
  });
});

describe('the pages of the product list', () => {
  // [platform-45]
  it('have no gaps and no repetitions, for any order and size', async () => {
    for (const sort of ['sku', '-sku', 'updated_at', '-updated_at', 'created_at,-updated_at'])
      for (const size of [1, 5, 12]) {
        const walked: string[] = [];
        for (let page = 1; page <= Math.ceil(12 / size); page += 1) {
          const { skus, meta } = await list(`sort=${sort}&per_page=${size}&page=${page}`);
          assert.deepEqual(meta, {
            current_page: page,
            per_page: size,
            total: 12,
            last_page: Math.ceil(12 / size),
          });
          walked.push(...skus);
        }
        assert.deepEqual(walked, (await list(`sort=${sort}`)).skus);
      }
  });

  it('after the last one are empty, at any distance', async () => {
    for (const page of [2, 1000, 2_147_483_648, Number.MAX_SAFE_INTEGER]) {
      const { items, meta } = await list(`page=${page}`);
      assert.deepEqual(items, []);
      assert.deepEqual(meta, { current_page: page, per_page: 50, total: 12, last_page: 1 });
    }
    assert.deepEqual((await list(`page=${'9'.repeat(100)}`)).items, []);
  });

  it('have at most 200 rows', async () => {
    for (const size of [200, 201, 100_000, '9'.repeat(50)])
      assert.deepEqual((await list(`per_page=${size}`)).meta, {
        current_page: 1,
        per_page: 200,
        total: 12,
        last_page: 1,
      });
  });

  it('of an empty list number one', async () => {
    const empty = await apps.newBrand();
    const { json } = await empty.client.get('/catalog/products');
    assert.deepEqual(json, { data: [], meta: { current_page: 1, per_page: 50, total: 0, last_page: 1 } });
  });
});

// [catalog-22]
describe('a filter of the product list', () => {
  it('by SKU is exact', async () => {
    assert.deepEqual((await list('sku=S-03')).skus, ['S-03']);
    for (const sku of ['s-03', 'S-0', 'S-03%20', '%25', '', 'S-__', '*'])
      assert.deepEqual((await list(`sku=${sku}`)).skus, []);
  });

  it('by is_active accepts true, false, 1 and 0', async () => {
    const skusOf = (isActive: boolean) =>
      sorted(
        all.filter(({ is_active }) => is_active === isActive),
        'sku',
      );
    for (const word of ['true', '1'])
      assert.deepEqual((await list(`sort=sku&is_active=${word}`)).skus, skusOf(true));
    for (const word of ['false', '0'])
      assert.deepEqual((await list(`sort=sku&is_active=${word}`)).skus, skusOf(false));
  });

  it('by has_variants separates simple products from variant parents', async () => {
    assert.equal((await list('has_variants=false')).items.length, 12);
    assert.equal((await list('has_variants=true')).items.length, 0);
  });

  // [catalog-23]
  it('by updated_since includes that very millisecond, for any UTC offset', async () => {
    const since = all.toSorted((a, b) => (a.updated_at < b.updated_at ? -1 : 1))[7]?.updated_at as string;
    const expected = sorted(
      all.filter(({ updated_at }) => updated_at >= since),
      'sku',
    );
    assert.equal(expected.length, 5);
    const plusTwo = `${new Date(Date.parse(since) + 7_200_000).toISOString().slice(0, -1)}+02:00`;
    const minusOne = `${new Date(Date.parse(since) - 3_600_000).toISOString().slice(0, -1)}-0100`;
    // The second is sent raw, so that its + is decoded as a space; the third is encoded correctly.
    for (const text of [since, plusTwo, encodeURIComponent(plusTwo), minusOne])
      assert.deepEqual((await list(`sort=sku&updated_since=${text}`)).skus, expected, text);
    const justAfter = new Date(Date.parse(since) + 1).toISOString();
    assert.equal((await list(`updated_since=${justAfter}`)).items.length, 4);
  });

  it('by updated_since supports the first year to the last', async () => {
    assert.equal((await list('updated_since=0001-01-01T00:00:00Z')).items.length, 12);
    assert.equal((await list('updated_since=9999-12-31T23:59:59.999Z')).items.length, 0);
  });

  it('that is unknown is ignored', async () => {
    assert.equal(
      (await list('title=x&brand_id=99&__proto__=1&constructor=2&is_active[]=false&limit=1')).items.length,
      12,
    );
  });
});
