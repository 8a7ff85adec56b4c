import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scopes } from '../../src/api/access.ts';
import { FollowedStock } from '../../src/catalog/stock/tests/followed-stock.ts';
import type { ApiClient } from '../support/api-client.ts';
import { createDatabase, runSql } from '../support/fresh-database.ts';
import { unlimitedCatalog } from '../support/limits.ts';
import { startServerProcess } from '../support/server-process.ts';
import { databaseUrl } from '../support/test-database.ts';
import { waitFor } from '../support/wait-for.ts';

// Three processes on one database.
const database = await createDatabase();
const env = {
  DATABASE_URL: databaseUrl(database),
  BRANDPORT_CURSOR_SECRET: 'a secret of cursors that three processes share',
  ...unlimitedCatalog,
};
const first = await startServerProcess({ env });
const servers = [first, ...(await Promise.all([1, 2].map(() => startServerProcess({ env }))))];
const { id } = (await first.admin.post('/brands', { name: 'Changes' })).json;
const key = (await first.admin.post(`/brands/${id}/keys`, { name: 'all', scopes })).json;
const clients = servers.map((server) => server.clientWith(key.api_key));
const [client] = clients as [ApiClient];

const random = (below: number) => Math.floor(Math.random() * below);
const any = <T>(list: readonly T[]): T => list[random(list.length)] as T;

async function created(answer: ReturnType<ApiClient['get']>): Promise<string> {
  const { status, text, json } = await answer;
  assert.ok(status < 300, `${status} ${text}`);
  return json.tu_id;
}

const places = ['A', 'B', 'C'];
for (const code of places) await client.post('/catalog/stock/locations', { external_code: code });
const sizes = Array.from({ length: 8 }, (_, n) => `s${n}`);
await client.post('/catalog/axes', { code: 'size', values: sizes.map((value) => ({ value })) });
const simple: string[] = [];
for (let n = 0; n < 6; n += 1)
  simple.push(await created(client.create('/catalog/products', { sku: `S${n}` })));
const parent = await created(client.create('/catalog/products', { sku: 'P' }));
await client.put(`/catalog/products/${parent}/axes`, { axes: [{ code: 'size', values: sizes }] });

let writes = 0;
const variants = new Map<string, string>();

async function addVariant(through: ApiClient, size: string): Promise<void> {
  writes += 1;
  const body = { sku: `V${writes}`, axis_values: { size }, is_active: true };
  variants.set(size, await created(through.create(`/catalog/products/${parent}/variants`, body)));
}
for (const size of sizes) await addVariant(client, size);

/** Refusals, such as an adjustment of a variant that is being deleted, change nothing and are as welcome. */
const kinds: Record<string, (through: ApiClient, n: number) => Promise<unknown>> = {
  adjust: (through, n) =>
    through.create(`/catalog/products/${any(simple)}/stock/adjust`, {
      location: any(places),
      quantity: n % 50,
    }),
  adjustVariant: (through, n) =>
    through.create(`/catalog/products/${parent}/stock/adjust`, {
      variant: variants.get(any(sizes)),
      location: any(places),
      quantity: n % 50,
    }),
  rename: (through, n) => through.patch(`/catalog/products/${any(simple)}`, { sku: `R${n}` }),
  renameVariant: (through, n) =>
    through.patch(`/catalog/variants/${variants.get(any(sizes))}`, { sku: `X${n}` }),
  replaceVariant: async (through) => {
    const size = any(sizes);
    const { status } = await through.delete(`/catalog/variants/${variants.get(size)}`);
    if (status === 204) await addVariant(through, size);
  },
  feed: async (through, n) => {
    const { data } = (await through.get('/catalog/stock/levels?per_page=200')).json;
    const lines = data.map(({ sku, location, quantity }: Record<string, unknown>, index: number) => {
      // Some lines are unchanged, which moves the source's time only.
      return { sku, location_code: location, quantity: index % 3 === 0 ? quantity : n % 50 };
    });
    if (lines.length === 0) return;
    const body = { source: 'test', mode: 'snapshot', lines };
    const sent = await through.post('/catalog/stock/feeds', body, { 'idempotency-key': `feed-${n}` });
    await waitFor('the feed', async () => {
      const { json } = await through.get(`/catalog/stock/feeds/${sent.json.feed_id}`);
      return json.status === 'completed';
    });
  },
  location: (through, n) => through.patch('/catalog/stock/locations/B', { is_active: n % 2 === 0 }),
};

/** Writes until the time is over and each kind was done, which takes longer on a busy machine. */
async function write(through: ApiClient, until: number, undone: Set<string>): Promise<void> {
  for (let count = 1; Date.now() < until || undone.size > 0 || count <= 15; count += 1) {
    writes += 1;
    const kind = any(undone.size > 0 && Date.now() >= until ? [...undone] : Object.keys(kinds));
    await kinds[kind]?.(through, writes);
    undone.delete(kind);
  }
}

/** Polls through a process that changes with each page, as behind a proxy. */
async function follow(query: string, isDone: () => boolean): Promise<FollowedStock> {
  const turn = () => any(clients);
  const through = { get: (path: string) => turn().get(path) } as ApiClient;
  const stock = new FollowedStock(through, { query });
  while (!isDone()) await stock.page();
  await stock.catchUp();
  return stock;
}

// [catalog-120]
test('pollers end with exactly the stored levels while several processes write, regardless of where they begin', async () => {
  let isDone = false;
  const until = Date.now() + 8_000;
  const early = ['per_page=1', 'per_page=3', 'per_page=200'].map((query) => follow(query, () => isDone));
  const late = new Promise((resolve) => setTimeout(resolve, 4_000)).then(() =>
    Promise.all(['per_page=2', 'per_page=7'].map((query) => follow(query, () => isDone))),
  );
  const undone = new Set(Object.keys(kinds));
  await Promise.all(clients.flatMap((through) => [1, 2, 3].map(() => write(through, until, undone))));
  isDone = true;
  for (const stock of [...(await Promise.all(early)), ...(await late)]) await stock.assertEqualsList();
  const [counts] = await runSql<{ changes: number; hidden: number }>(
    database,
    `select (select count(*) from stock_changes)::integer as changes,
       (select count(*) from stock_levels where is_hidden)::integer as hidden`,
  );
  assert.ok(counts !== undefined && counts.changes > 50 && counts.hidden > 0, JSON.stringify(counts));
});
