import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { scopes } from '../../src/api/access.ts';
import type { ApiClient } from '../support/api-client.ts';
import { createDatabase } from '../support/fresh-database.ts';
import { startServerProcess } from '../support/server-process.ts';
import { databaseUrl } from '../support/test-database.ts';
import { waitFor } from '../support/wait-for.ts';

// Two processes on one database: the first keeps bodies, the second never does. Both write.
const url = databaseUrl(await createDatabase());
const limits = Object.fromEntries(
  ['CATALOG_READS', 'CATALOG_WRITES', 'CATALOG_BRAND'].map((name) => [`BRANDPORT_LIMIT_${name}`, '0']),
);
const shared = {
  ...limits,
  DATABASE_URL: url,
  BRANDPORT_CURSOR_SECRET: 'a secret of cursors that both processes share',
};
const caching = await startServerProcess({ env: shared });
const plain = await startServerProcess({
  env: { ...shared, BRANDPORT_RESPONSE_CACHE_MIB: '0' },
});

async function newBrand() {
  const { id } = (await plain.admin.post('/brands', { name: 'Cache' })).json;
  const key = (await plain.admin.post(`/brands/${id}/keys`, { name: 'all', scopes })).json;
  const limited = await plain.admin.post(`/brands/${id}/keys`, {
    name: 'few',
    scopes: ['catalog.products:read'],
  });
  return { id, keys: [key.api_key, limited.json.api_key] as const };
}

const brands = [await newBrand(), await newBrand()];
const through = (process: number, brand: number): ApiClient =>
  [caching, plain][process]?.clientWith(brands[brand]?.keys[0] ?? '') as ApiClient;

/** The products of a brand: the first two with variants. */
const products: string[][] = [];
const variants: string[][] = [];
for (const [n] of brands.entries()) {
  const client = through(1, n);
  for (const code of ['A', 'B'])
    await succeed(client.post('/catalog/stock/locations', { external_code: code }));
  await succeed(client.post('/catalog/axes', { code: 'size', values: [{ value: 's' }, { value: 'm' }] }));
  const own: string[] = [];
  const live: string[] = [];
  for (let i = 0; i < 4; i += 1) {
    const { tu_id } = await succeed(client.create('/catalog/products', { sku: `P${i}`, price_value: i }));
    own.push(tu_id);
    if (i > 1) continue;
    await succeed(
      client.put(`/catalog/products/${tu_id}/axes`, { axes: [{ code: 'size', values: ['s', 'm'] }] }),
    );
    for (const size of ['s', 'm']) {
      const body = { sku: `P${i}-${size}`, axis_values: { size }, is_active: true };
      live.push((await succeed(client.create(`/catalog/products/${tu_id}/variants`, body))).tu_id);
    }
  }
  products.push(own);
  variants.push(live);
}

async function succeed(answer: ReturnType<ApiClient['get']>) {
  const { status, text, json } = await answer;
  assert.ok(status < 300, `${status} ${text}`);
  return json;
}

let writes = 0;
/** The last feed of each brand. */
const feeds: string[] = [];

/** Each changes what some read shows; refusals, such as a second axis of one code, change nothing and are as welcome. */
const kinds: Record<string, (client: ApiClient, brand: number, n: number) => Promise<unknown>> = {
  title: (client, brand, n) =>
    client.patch(productPath(brand, n), { title: `Title ${n} ü 😀`, price_value: n / 8 }),
  activity: (client, brand, n) => client.patch(productPath(brand, n), { is_active: n % 2 === 0 }),
  rename: (client, brand, n) => client.patch(productPath(brand, n), { sku: `R${n}` }),
  create: (client, _brand, n) => client.create('/catalog/products', { sku: `N${n}`, title: 'New' }),
  adjust: (client, brand, n) =>
    client.create(`${productPath(brand, 2 + (n % 2))}/stock/adjust`, { location: 'A', quantity: n % 9 }),
  adjustVariant: (client, brand, n) =>
    client.create(`${productPath(brand, n % 2)}/stock/adjust`, {
      variant: variants[brand]?.[(n % 2) * 2 + (Math.floor(n / 2) % 2)],
      location: 'B',
      quantity: n % 9,
    }),
  feed: async (client, brand, n) => {
    const updated_at = new Date(Date.now() - (n % 3) * 86_400_000).toISOString();
    const lines = [
      { sku: 'P0-s', location_code: 'A', quantity: n % 7, updated_at },
      { sku: 'P3', location_code: 'B', quantity: n % 5, updated_at },
    ];
    const body = { source: 'erp', mode: 'snapshot', lines };
    const { feed_id } = await succeed(
      client.post('/catalog/stock/feeds', body, { 'idempotency-key': `f${n}` }),
    );
    feeds[brand] = feed_id;
    await waitFor('the feed', async () =>
      (await client.get(`/catalog/stock/feeds/${feed_id}`)).json.status === 'completed' ? true : null,
    );
  },
  variant: (client, brand, n) =>
    client.patch(`${productPath(brand, n % 2)}/variants/${variants[brand]?.[(n % 2) * 2]}`, {
      price: n % 3 === 0 ? null : { value: n },
      is_active: n % 2 === 0,
      barcode: `b${n}`,
    }),
  replaceVariant: async (client, brand, n) => {
    const path = productPath(brand, 1);
    const own = variants[brand] ?? [];
    await client.delete(`${path}/variants/${own[3]}`);
    const body = { sku: `W${n}`, axis_values: { size: 'm' }, is_active: true };
    const { status, json } = await client.create(`${path}/variants`, body);
    if (status !== 201) return;
    own[3] = json.tu_id;
    await client.create(`${path}/stock/adjust`, { variant: own[3], location: 'B', quantity: 1 + (n % 9) });
    await client.patch(`${path}/variants/${own[3]}`, { sku: `X${n}` });
  },
  label: (client, _brand, n) => client.patch('/catalog/axes/size/values/s', { label: `Small ${n}` }),
  axis: (client, _brand, n) => client.patch('/catalog/axes/size', { label: `Size ${n}` }),
  location: (client, _brand, n) => client.patch('/catalog/stock/locations/A', { is_active: n % 2 === 0 }),
  settings: (_client, brand, n) =>
    plain.admin.patch(`/brands/${brands[brand]?.id}`, {
      low_stock_threshold: n % 6,
      stale_after_hours: n % 2 === 0 ? null : 12,
    }),
};

function productPath(brand: number, n: number): string {
  return `/catalog/products/${products[brand]?.[n % 4]}`;
}

const queries = [
  '',
  '?per_page=2',
  '?per_page=2&page=2',
  '?sort=sku',
  '?is_active=true',
  '?has_variants=true&sort=-sku',
  '?sku=P3',
];

const levelQueries = ['', '?location=A', '?sku=P3', '?per_page=3&page=2'];

/** The reads of one product. The first two products have variants. */
const parts = [
  '',
  '/variants',
  '/variants?is_active=true&per_page=1',
  '/stock/movements',
  '/stock/movements?location=B&per_page=2',
];

/** Reads everything through both processes, and compares. */
async function compareReads(brand: number): Promise<void> {
  const lists = queries.map((query) => `/catalog/products${query}`);
  const ofProducts = (products[brand] ?? []).flatMap((tuId) =>
    parts.map((part) => `/catalog/products/${tuId}${part}`),
  );
  const feed = feeds[brand] === undefined ? [] : [`/catalog/stock/feeds/${feeds[brand]}`];
  const paths = [
    ...lists,
    ...feed,
    ...levelQueries.map((query) => `/catalog/stock/levels${query}`),
    ...ofProducts,
  ];
  for (const [n, key] of (brands[brand]?.keys ?? []).entries())
    await Promise.all(
      // The second key must not read stock.
      paths
        .filter((path) => n === 0 || !path.includes('/stock'))
        .map(async (path) => {
          // One after the other: the cached read must not be older than the uncached one.
          const fresh = await plain.clientWith(key).get(path);
          const cached = await caching.clientWith(key).get(path);
          assert.deepEqual([cached.status, cached.text], [fresh.status, fresh.text], path);
          assert.equal(cached.headers['etag'], fresh.headers['etag'], path);
        }),
    );
}

async function cacheReads(outcome: 'hit' | 'miss'): Promise<number> {
  const text = await (await fetch(`${caching.internalUrl}/metrics`)).text();
  return Number(
    new RegExp(`^brandport_response_cache_reads_total\\{outcome="${outcome}"\\} (\\d+)`, 'm').exec(text)?.[1],
  );
}

test('after writes of every kind, through any process, a cached read returns what an uncached one does', async () => {
  const write = fc.record({
    kind: fc.constantFrom(...Object.keys(kinds)),
    process: fc.nat({ max: 1 }),
    brand: fc.nat({ max: 1 }),
  });
  const performed = new Set<string>();
  for (const brand of [0, 1]) await compareReads(brand);
  // Every kind through both processes once, then at random.
  const each = Object.keys(kinds).flatMap((kind) =>
    [0, 1].map((process) => ({ kind, process, brand: process })),
  );
  for (const { kind, process, brand } of [...each, ...fc.sample(write, 30)]) {
    writes += 1;
    await kinds[kind]?.(through(process, brand), brand, writes);
    performed.add(`${kind} ${process}`);
    await compareReads(brand);
    if (writes % 5 === 0) await compareReads(1 - brand);
  }
  assert.equal(performed.size, 2 * Object.keys(kinds).length);
  assert.ok((await cacheReads('hit')) > 100, 'the cache was hardly used');
  assert.ok((await cacheReads('miss')) > 100);
});

test('while both processes write at once, no cached body is older than what was read before it', async () => {
  const writers = [0, 1].flatMap((process) =>
    ['title', 'adjust', 'adjustVariant', 'label'].map(async (kind) => {
      for (let n = 0; n < 12; n += 1) {
        writes += 1;
        await kinds[kind]?.(through(process, 0), 0, writes);
      }
    }),
  );
  let done = false;
  const all = Promise.all(writers).finally(() => {
    done = true;
  });
  const client = through(0, 0);
  const uncached = through(1, 0);
  let compared = 0;
  while (!done) {
    const path = `/catalog/products${queries[compared % queries.length]}`;
    const before = await uncached.get(path);
    const cached = await client.get(path);
    const after = await uncached.get(path);
    if (before.headers['etag'] === after.headers['etag']) assert.equal(cached.text, after.text, path);
    compared += 1;
  }
  await all;
  await compareReads(0);
});
