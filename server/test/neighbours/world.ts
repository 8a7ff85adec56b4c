import { randomHex } from '../../src/lib/ids.ts';
import type { ApiClient, ApiResponse } from '../support/api-client.ts';
import { createDatabase, runSql } from '../support/fresh-database.ts';
import { processAdminToken, type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { databaseUrl } from '../support/test-database.ts';
import { waitFor } from '../support/wait-for.ts';
import { feedOf } from './feed-bodies.ts';
import type { Noisy } from './noise.ts';
import type { Quiet } from './quiet.ts';

/** One server with a quiet brand of ordinary size and a noisy one with the worst data that the contract allows. */
export interface World {
  readonly server: ServerProcess;
  readonly quiet: Quiet;
  /** The noisy brand, with keys that are new in each call. */
  noisy(): Promise<Noisy>;
}

const scopes = [
  ...['catalog.products:read', 'catalog.products:write', 'catalog.axes:write', 'catalog.variants:write'],
  ...['catalog.stock:read', 'catalog.stock:write', 'catalog.stock:ingest', 'analytics.metrics:read'],
  'analytics.users:read',
];
const dayMs = 86_400_000;
const dayBefore = (days: number) => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);
const days = 20;

/** `project`: the checkout whose server is measured; default: this one. */
export async function createWorld(project?: string): Promise<World> {
  const address = await createDatabase();
  const env = {
    DATABASE_URL: databaseUrl(address),
    BRANDPORT_TRUSTED_PROXIES: '127.0.0.0/8',
    LOG_LEVEL: 'error',
  };
  const server = await startServerProcess({ env, ...(project !== undefined && { project }) });
  const sql = (text: string, values: unknown[] = []) => runSql(address, text, values);
  const quiet = await createQuiet(server);
  const noisy = await createNoisy(server, sql);
  await sql('analyze');
  return { server, quiet, noisy };
}

async function createBrand(server: ServerProcess, name: string) {
  const { admin } = server;
  const brandId: number = (await ok(admin.post('/brands', { name }))).json.id;
  await ok(admin.put(`/brands/${brandId}/limits`, { catalog: 1_000_000, analytics: 1_000_000 }));
  const newKey = async (isLimited: boolean) => {
    const { json } = await ok(admin.post(`/brands/${brandId}/keys`, { name: 'ERP', scopes }));
    const limits = { catalog_reads: 1_000_000, catalog_writes: 1_000_000, analytics: 1_000_000 };
    if (!isLimited) await ok(admin.put(`/keys/${json.key_id}/limits`, limits));
    return json as { key_id: string; api_key: string };
  };
  const key = await newKey(false);
  return { brandId, newKey, key, client: server.clientWith(key.api_key) };
}

async function createQuiet(server: ServerProcess): Promise<Quiet> {
  const { brandId, key, client } = await createBrand(server, 'Quiet');
  for (let n = 0; n < 100; n += 1) await ok(client.create('/catalog/products', { sku: `QUIET-${n}` }));
  const product = (await ok(client.get('/catalog/products?sku=QUIET-1'))).json.data[0].tu_id;
  const parent = (await ok(client.create('/catalog/products', { sku: 'PARENT' }))).json.tu_id;
  const values = ['s', 'm', 'l'].map((value) => ({ value }));
  await ok(client.post('/catalog/axes', { code: 'size', values }));
  await ok(
    client.put(`/catalog/products/${parent}/axes`, { axes: [{ code: 'size', values: ['s', 'm', 'l'] }] }),
  );
  await ok(client.create(`/catalog/products/${parent}/variants/generate`, { activate: true }));
  await ok(client.post('/catalog/stock/locations', { external_code: 'main' }));
  const feed = await appliedFeed(client, feedOf(100, 'QUIET'));
  await addEvents(server, brandId, 10);
  const still = (await ok(client.create('/catalog/products', { sku: 'STILL' }))).json.tu_id;
  const { headers } = await ok(client.get(`/catalog/products/${still}`));
  const changed = (await ok(client.get('/catalog/stock/levels'))).json.meta.changed_token;
  return {
    clientUrl: server.clientUrl,
    internalUrl: server.internalUrl,
    adminToken: processAdminToken,
    brandId,
    keyId: key.key_id,
    apiKey: key.api_key,
    product,
    parent,
    still,
    feed,
    etag: headers['etag'] as string,
    changed: encodeURIComponent(changed),
    day: dayBefore(1),
  };
}

type Sql = (text: string, values?: unknown[]) => Promise<unknown>;

async function createNoisy(server: ServerProcess, sql: Sql): Promise<() => Promise<Noisy>> {
  const { brandId, newKey, key, client } = await createBrand(server, 'Noisy');
  const product = async (sku: string) =>
    (await ok(client.create('/catalog/products', { sku }))).json.tu_id as string;
  const widest = await product('WIDEST');
  const wide = await product('WIDE');
  const plain = await product('PLAIN');
  const generated = await product('GENERATED');
  await ok(client.post('/catalog/stock/locations', { external_code: 'main' }));
  await ok(client.post('/catalog/axes', { code: 'wide', values: [{ value: 'v1' }] }));
  await ok(client.post('/catalog/axes', { code: 'widest', values: [{ value: 'v1' }] }));
  await addAxisValues(sql, brandId, { code: 'wide', count: 20_000 });
  await addAxisValues(sql, brandId, { code: 'widest', count: 64_486 });
  await selectAll(sql, brandId, { sku: 'WIDEST', code: 'widest', count: 64_486 });
  await selectAll(sql, brandId, { sku: 'WIDE', code: 'wide', count: 1_000 });
  await selectAll(sql, brandId, { sku: 'GENERATED', code: 'wide', count: 500 });
  const replayKey = `generate-${randomHex(8)}`;
  const generation = { method: 'POST', path: `/catalog/products/${generated}/variants/generate` };
  await ok(
    client.request(generation.method, generation.path, {
      body: '{"activate":true}',
      headers: { 'idempotency-key': replayKey },
    }),
  );
  // The record belongs to a lineage of keys: the keys of a noise replace this one.
  await appliedFeed(client, feedOf(500, 'GENERATED-v', 'main'));
  for (let n = 0; n < 400; n += 1) await product(`NOISE-${n}`);
  await widenVersions(sql, brandId);
  const failedFeed = await appliedFeed(client, feedOf(8_000, 'UNKNOWN'));
  await addEvents(server, brandId, 100);
  let used = 0;
  return async () => {
    used += 1;
    const replacing = async () =>
      (
        await ok(
          server.admin.post(`/brands/${brandId}/keys`, {
            name: 'Noise',
            scopes,
            replaces_key_id: key.key_id,
          }),
        )
      ).json.api_key;
    const operator = { name: `Operator ${used}`, role: 'operator', brand_ids: [brandId] };
    const { token } = (await ok(server.admin.post('/administrators', operator))).json;
    return {
      clientUrl: server.clientUrl,
      internalUrl: server.internalUrl,
      brandId,
      keys: [await replacing(), (await newKey(true)).api_key],
      operatorToken: token,
      address: `192.0.2.${100 + (used % 100)}`,
      widestProduct: widest,
      wideProduct: wide,
      plainProduct: plain,
      generatedProduct: generated,
      replayKey,
      failedFeed,
      firstDay: dayBefore(days),
      lastDay: dayBefore(1),
    };
  };
}

async function addAxisValues(
  sql: Sql,
  brandId: number,
  { code, count }: { code: string; count: number },
): Promise<void> {
  await sql(
    `insert into axis_values (brand_id, axis_id, value, label, position)
     select a.brand_id, a.id, 'v' || n, 'Value number ' || n, n from axes a, generate_series(2, $3) n
     where a.brand_id = $1 and a.code = $2`,
    [brandId, code, count],
  );
}

async function selectAll(
  sql: Sql,
  brandId: number,
  { sku, code, count }: { sku: string; code: string; count: number },
): Promise<void> {
  await sql(
    `with attached as (
       insert into product_axes (brand_id, product_id, axis_id, position)
       select p.brand_id, p.id, a.id, 0 from products p join axes a on a.brand_id = p.brand_id and a.code = $3
       where p.brand_id = $1 and p.sku = $2
       returning product_id, axis_id
     )
     select from attached`,
    [brandId, sku, code],
  );
  await sql(
    `insert into product_axis_values (brand_id, product_id, axis_id, value_id)
     select x.brand_id, x.product_id, x.axis_id, v.id
     from products p
     join product_axes x on x.brand_id = p.brand_id and x.product_id = p.id
     join axes a on a.brand_id = x.brand_id and a.id = x.axis_id and a.code = $3
     join axis_values v on v.brand_id = x.brand_id and v.axis_id = x.axis_id
     where p.brand_id = $1 and p.sku = $2 and v.position between 0 and $4
     order by v.position limit $4`,
    [brandId, sku, code, count],
  );
}

/** 360 products with 64 KiB of text, and 40 with a megabyte, which was allowed before there was a bound. */
async function widenVersions(sql: Sql, brandId: number): Promise<void> {
  const widen = (first: number, last: number, languages: number) =>
    sql(
      `update products set versions = (
         select jsonb_object_agg('x-l' || n, jsonb_build_object('title', repeat('t', 200), 'short_description', repeat('d', $4)))
         from generate_series(1, $5::integer) n
       )
       where brand_id = $1 and sku in (select 'NOISE-' || n from generate_series($2::integer, $3::integer) n)`,
      [brandId, first, last, languages === 195 ? 5_000 : 450, languages],
    );
  await widen(0, 39, 195);
  await widen(40, 399, 100);
}

async function addEvents(server: ServerProcess, brandId: number, learners: number): Promise<void> {
  const { admin } = server;
  const range = (count: number) => Array.from({ length: count }, (_, n) => n);
  await ok(
    admin.put(`/brands/${brandId}/markets`, { items: range(20).map((n) => ({ tu_id: `market-${n}` })) }),
  );
  const users = range(learners).map((n) => ({ tu_id: `learner-${n}`, market: `market-${n % 20}` }));
  await ok(admin.put(`/brands/${brandId}/users`, { items: users }));
  const contents = range(40).map((n) => ({ type: 'episode', tu_id: `episode-${n}`, name: `Episode ${n}` }));
  await ok(admin.put(`/brands/${brandId}/contents`, { items: contents }));
  for (let day = 1; day <= days; day += 1) {
    const at = `${dayBefore(day)}T10:00:00Z`;
    const events = range(learners * 20).map(
      (n) =>
        `{"event_id":"e${day}-${n}","occurred_at":"${at}","kind":"view","user":"learner-${n % learners}","content":{"type":"episode","tu_id":"episode-${n % 40}"}}`,
    );
    const options = { body: events.join('\n'), headers: { 'content-type': 'application/x-ndjson' } };
    await ok(admin.request('POST', `/brands/${brandId}/events`, options));
  }
  await ok(admin.post(`/brands/${brandId}/aggregations`, { from: dayBefore(days), to: dayBefore(1) }));
}

async function appliedFeed(client: ApiClient, body: string): Promise<string> {
  const { feed_id: id } = (await ok(client.create('/catalog/stock/feeds', body))).json;
  await waitFor(
    'the feed',
    async () => (await client.get(`/catalog/stock/feeds/${id}?per_page=1`)).json.status === 'completed',
    60_000,
  );
  return id;
}

async function ok(answered: Promise<ApiResponse>): Promise<ApiResponse> {
  const response = await answered;
  if (response.status >= 300) throw new Error(`${response.status} ${response.text.slice(0, 500)}`);
  return response;
}
