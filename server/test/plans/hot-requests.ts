import assert from 'node:assert/strict';
import { getBrand } from '../../src/brands/brand-operations.ts';
import { applyBrandFeeds } from '../../src/catalog/feeds/apply-feeds.ts';
import { countStatuses } from '../../src/catalog/stock/get-stock-health.ts';
import type { ApiResponse } from '../support/api-client.ts';
import type { TestApps, TestBrand } from '../support/test-apps.ts';
import { readStockChanges } from './read-stock-changes.ts';

/** The subjects of the requests. */
export interface Subjects {
  readonly apps: TestApps;
  readonly brand: TestBrand;
  /** The id of a product with and of one without variants, and of a variant of the first. */
  readonly parent: string;
  readonly simple: string;
  readonly variant: string;
  readonly feed: string;
  /** SKUs that have levels at L1. */
  readonly skus: readonly string[];
  /** A word that no other round has used. */
  readonly round: string;
  readonly learner: string;
  readonly learners: readonly string[];
}

/** Sends every hot request at least once. Each has to succeed. */
export async function sendHotRequests(subjects: Subjects): Promise<void> {
  await readCatalog(subjects);
  await writeCatalog(subjects);
  await writeAtOnce(subjects);
  await writeInTwoBrands(subjects);
  await readStockChanges(subjects);
  await sendFeeds(subjects);
  await useAnalytics(subjects);
  await readAsOperator(subjects);
}

function needs2xx(path: string, { status, text }: ApiResponse): void {
  assert.ok(status < 300, `${path}: ${status} ${text}`);
}

async function readCatalog({
  brand: { client },
  parent,
  simple,
  variant,
  feed,
  skus,
}: Subjects): Promise<void> {
  const sku = skus[0];
  for (const path of [
    '/status',
    `/products/${parent}`,
    `/products/${simple}`,
    '/products',
    '/products?page=2',
    '/products?per_page=200&page=20',
    '/products?page=5',
    ...['sku', '-sku', 'created_at', '-created_at', 'updated_at', 'updated_at,-created_at'].map(
      (sort) => `/products?sort=${sort}`,
    ),
    `/products?sku=${sku}`,
    '/products?is_active=false',
    '/products?is_active=true',
    '/products?has_variants=true',
    '/products?has_variants=false',
    '/products?has_variants=true&is_active=false',
    '/products?has_variants=true&sort=sku',
    '/products?is_active=false&sort=-sku',
    '/products?is_active=false&sort=-created_at',
    '/products?updated_since=2026-01-21T19:00:00Z&sort=updated_at',
    '/products?updated_since=2026-01-21T19:00:00Z&has_variants=true&sort=updated_at',
    '/products?updated_since=2026-01-21T19:00:00Z&sort=sku',
    '/products?updated_since=2099-01-01T00:00:00Z',
    `/products/${parent}/variants`,
    `/products/${parent}/variants?per_page=1&page=2`,
    `/products/${parent}/variants?is_active=false`,
    `/products/${parent}/variants?sku=V000001`,
    `/products/${parent}/axes`,
    `/products/${parent}/stock`,
    `/products/${simple}/stock?location=L1`,
    `/products/${parent}/stock?variant=${variant}`,
    `/products/${parent}/stock/movements`,
    `/products/${parent}/stock/movements?per_page=1&page=2`,
    `/products/${parent}/stock/movements?variant=${variant}`,
    `/products/${parent}/stock/movements?location=L2`,
    '/stock/levels',
    '/stock/levels?page=20',
    `/stock/levels?sku=${sku}`,
    '/stock/levels?location=L2',
    `/stock/levels?sku=${sku}&location=L2`,
    '/stock/levels?location=L1&updated_since=2099-01-01T00:00:00Z',
    '/stock/locations',
    '/axes',
    '/axes?is_active=true&per_page=1',
    `/stock/feeds/${feed}`,
    `/stock/feeds/${feed}?page=1000&per_page=100`,
  ])
    needs2xx(path, await client.get(`/catalog${path}`));
}

async function writeCatalog({ brand: { client }, parent, simple, variant, round }: Subjects): Promise<void> {
  const done = async (name: string, answer: Promise<ApiResponse>) => {
    const response = await answer;
    needs2xx(name, response);
    return response.json;
  };
  await done(
    'adjust',
    client.create(`/catalog/products/${simple}/stock/adjust`, { location: 'L1', quantity: 3 }),
  );
  await done(
    'adjust variant',
    client.create(`/catalog/products/${parent}/stock/adjust`, { location: 'L1', variant, quantity: 3 }),
  );
  const product = await done('create', client.create('/catalog/products', { sku: `N-${round}` }));
  const path = `/catalog/products/${product.tu_id}`;
  await done('rename', client.patch(path, { sku: `R-${round}`, is_active: true }));
  const values = Array.from({ length: 40 }, (_, index) => `b${index + 1}`);
  await done('axes', client.put(`${path}/axes`, { axes: [{ code: 'big', values }] }));
  await done('dry run', client.create(`${path}/variants/generate`, { dry_run: true }));
  await done('generate', client.create(`${path}/variants/generate`, {}));
  await done(
    'axes again',
    client.put(`${path}/axes`, { axes: [{ code: 'big', values: [...values, 'b50'] }] }),
  );
  const made = await done(
    'variant',
    client.create(`${path}/variants`, { sku: `X-${round}`, axis_values: { big: 'b50' } }),
  );
  await done(
    'patch variant',
    client.patch(`/catalog/variants/${made.tu_id}`, { sku: `Y-${round}`, is_active: true }),
  );
  await done('detail', client.get(path));
  await done('delete variant', client.delete(`/catalog/variants/${made.tu_id}`));
  await done('new axis', client.post('/catalog/axes', { code: `a-${round}`, values: [{ value: 'x' }] }));
  await done('new value', client.post(`/catalog/axes/a-${round}/values`, { value: 'y' }));
  await done('patch value', client.patch(`/catalog/axes/a-${round}/values/y`, { label: 'Y' }));
  await done('delete value', client.delete(`/catalog/axes/a-${round}/values/y`));
  await done('patch axis', client.patch(`/catalog/axes/a-${round}`, { label: 'A' }));
  await done('delete axis', client.delete(`/catalog/axes/a-${round}`));
}

/** Sends writes that share a transaction. */
async function writeAtOnce({ brand: { client }, parent, simple, variant, round }: Subjects): Promise<void> {
  const answers = await Promise.all([
    client.create(`/catalog/products/${simple}/stock/adjust`, { location: 'L1', quantity: 4 }),
    client.create(`/catalog/products/${parent}/stock/adjust`, { location: 'L1', variant, quantity: 4 }),
    client.create('/catalog/products', { sku: `M-${round}` }),
    client.create('/catalog/products', { sku: `O-${round}` }),
  ]);
  for (const answer of answers) needs2xx('at once', answer);
  const ofOneLevel = await Promise.all(
    [6, 7].map((quantity) =>
      client.create(`/catalog/products/${simple}/stock/adjust`, { location: 'L1', quantity }),
    ),
  );
  for (const answer of ofOneLevel) needs2xx('at once, of one level', answer);
  const changes = await Promise.all(
    [simple, parent].map((id) => {
      const key = { 'idempotency-key': `change-${id}-${round}` };
      return client.patch(`/catalog/products/${id}`, { title: `At once ${round}` }, key);
    }),
  );
  for (const answer of changes) needs2xx('changes at once', answer);
  // The record of the second is looked up while the first one runs.
  const key = { 'idempotency-key': `twice-${round}` };
  const [once] = await Promise.all(
    [1, 2].map(() => client.patch(`/catalog/products/${simple}`, { title: `Twice ${round}` }, key)),
  );
  needs2xx('twice at once', once as ApiResponse);
}

/** Sends writes of two brands at once, which share transactions. */
async function writeInTwoBrands({ apps, brand: { client }, simple, round }: Subjects): Promise<void> {
  const other = await apps.newBrand();
  const { tu_id } = (await other.client.create('/catalog/products', { sku: 'OTHER' })).json;
  const adjusts = [[client, simple] as const, [other.client, tu_id] as const].map(([each, id]) =>
    each.create(`/catalog/products/${id}/stock/adjust`, { quantity: 5 }),
  );
  const creations = [client, other.client].map((each) =>
    each.create('/catalog/products', { sku: `L-${round}` }),
  );
  const answers = await Promise.all([...adjusts, ...creations]);
  for (const answer of answers) needs2xx('in two brands', answer);
}

async function sendFeeds({ apps, brand: { client, brandId }, skus, round }: Subjects): Promise<void> {
  const lines = skus.flatMap((sku, index) => [
    { sku, location_code: 'L1', quantity: 500 + (index % 7) },
    { sku: `N-${sku}-${round}`, location_code: 'L1', quantity: 1 },
  ]);
  const sent = await client.post(
    '/catalog/stock/feeds',
    { source: 'test', mode: 'snapshot', lines },
    { 'idempotency-key': `feed-${round}` },
  );
  needs2xx('feed', sent);
  const observer = {
    feedFinished: () => {},
    chunkFailed: (_: string, error: unknown) => {
      throw error;
    },
  };
  while ((await applyBrandFeeds(apps.context, observer, brandId, { sliceMs: 10_000 })) !== 'finished');
}

async function useAnalytics({
  apps,
  brand: { client, brandId },
  learner,
  learners,
  round,
}: Subjects): Promise<void> {
  const days = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);
  // The last one has no rows: pages must not look for them along the key.
  const windows = [
    [7, 1],
    [90, 1],
    [200, 200],
  ].map(([from = 0, to = 0]) => `from=${days(from)}&to=${days(to)}`);
  for (const window of windows)
    for (const path of [
      '/metrics/daily?',
      '/metrics/daily?group_by=market&',
      '/metrics/contents?',
      '/metrics/contents?type=program&',
      '/metrics/contents?type=episode&content=c2&',
      '/users/daily?',
      `/users/daily?user=${learner}&`,
      '/users/contents?',
      `/users/contents?user=${learner}&`,
      '/users/contents?type=program&',
      '/users/contents?type=episode&content=c2&',
      '/users/contents?completed=true&',
      '/users/contents?completed=false&',
      `/users/contents?completed=true&user=${learner}&`,
      '/users/contents?completed=true&type=program&',
    ]) {
      const first = await client.get(`/analytics${path}${window}`);
      needs2xx(path, first);
      const cursor = first.json.meta.next_cursor;
      if (cursor)
        needs2xx(path, await client.get(`/analytics${path}${window}&cursor=${encodeURIComponent(cursor)}`));
    }
  needs2xx('status', await client.get('/analytics/status'));
  // As a scrape of the metrics does.
  assert.ok((await apps.context.analytics.readFigures()).bytes > 0);
  const items = learners.map((user, index) => ({
    event_id: `${round}-${index}`,
    occurred_at: `${days(2)}T10:00:00Z`,
    kind: 'view',
    user,
    content: { type: 'episode', tu_id: `c${(index % 50) * 4 + 2}` },
    progress: 50,
  }));
  const posted = await apps.admin.post(`/brands/${brandId}/events`, { items });
  needs2xx('events', posted);
  assert.equal(posted.json.accepted, items.length);
  needs2xx(
    'aggregate',
    await apps.admin.post(`/brands/${brandId}/aggregations`, { from: days(2), to: days(2) }),
  );
}

/** Sends the reads of operators whose tables are large. */
async function readAsOperator({ apps, brand: { brandId, client, keyId }, learner }: Subjects): Promise<void> {
  assert.equal((await client.get('/catalog/products/none', { 'x-request-id': 'refused' })).status, 404);
  const { database } = apps.context;
  await countStatuses(database, await getBrand(database, brandId), Date.now());
  await apps.keyUsage.flush();
  const brand = `/brands/${brandId}`;
  for (const path of [
    `${brand}/dataset-days`,
    '/dataset-lag',
    '/overview',
    '/activity?hours=168',
    `${brand}/activity`,
    '/brands?include=summary',
    `${brand}/users?opted_out=false`,
    `${brand}/users?opted_out=true`,
    `${brand}/users?tu_id=${learner}`,
    `${brand}/users?market=m1`,
    `${brand}/users?sort=-tu_id`,
    `${brand}/users/${learner}`,
    `${brand}/skus?prefix=V00`,
    `${brand}/skus?title=none`,
    `${brand}/refusals`,
    `${brand}/refusals?key_id=${keyId}&from=2026-01-01`,
    `${brand}/refusals?sort=at`,
    '/refusals?from=2026-01-01',
    '/refusals?from=2026-01-01&sort=at',
    `${brand}/feeds?sort=received_at`,
    '/keys?q=key&sort=-last_used_at',
    '/search?q=refused',
    '/requests/refused',
    '/audit?resource=1&from=2026-01-01',
    '/audit?sort=at',
    '/audit.csv?actor=admin-token&to=2026-01-01',
  ])
    needs2xx(path, await apps.admin.get(path));
}
