import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { readPublishedDocument } from '../../http/docs/reference.ts';
import { newTuId } from '../../lib/ids.ts';
import { sendFeed } from '../feeds/tests/feeds.ts';
import { newLocation, newSimple, newStockedParent } from '../stock/tests/stock.ts';
import { ok, selecting } from './new-axes.ts';

const apps = await createTestApps();
const { client } = await apps.newBrand();
const own = await newSimple(client);

const theirs = (await apps.newBrand()).client;
const { product, variants } = await newStockedParent(theirs, 'THEIRS', 1);
await newLocation(theirs, 'THEIRS');
const line = { sku: 'THEIRS-1', location_code: 'THEIRS', quantity: 3 };
const { json: feed } = await sendFeed(theirs, [line]);

/** Ids of the other brand by the start of a path; and an own id of another resource. */
const foreignIds: Readonly<Record<string, readonly string[]>> = {
  products: [product.tu_id],
  variants: [variants[0].tu_id, product.tu_id, own.tu_id],
  axes: ['axis-THEIRS'],
  'stock/locations': ['THEIRS'],
  'stock/feeds': [feed.feed_id],
};

const label = { label: 'Mine now' };
const item = '/products/{tuId}';
const value = '/axes/{code}/values/{value}';
const operations: readonly (readonly [method: string, path: string, body?: object])[] = [
  ['GET', item],
  ['HEAD', item],
  ['PATCH', item, { title: 'Mine now' }],
  ['PATCH', item, {}],
  ['PATCH', item, { sku: 'THEIRS' }],
  ['GET', `${item}/axes`],
  ['PUT', `${item}/axes`, selecting({ 'axis-THEIRS': ['1'] })],
  ['GET', `${item}/variants`],
  ['POST', `${item}/variants`, { sku: 'X', axis_values: {} }],
  ['POST', `${item}/variants/generate`],
  ['POST', `${item}/variants/generate`, { dry_run: true }],
  ['GET', `${item}/stock`],
  ['GET', `${item}/stock/movements`],
  ['POST', `${item}/stock/adjust`, { quantity: 1 }],
  ['PATCH', '/variants/{tuId}', { is_active: false }],
  ['DELETE', '/variants/{tuId}'],
  ['PATCH', '/axes/{code}', label],
  ['DELETE', '/axes/{code}'],
  ['POST', '/axes/{code}/values', { value: 'x' }],
  ['PATCH', value, label],
  ['DELETE', value],
  ['PATCH', '/stock/locations/{externalCode}', { name: 'Mine now' }],
  ['GET', '/stock/feeds/{tuId}'],
];

/** Returns everything by which a client can tell responses apart; only the id of the request differs from one to the next. */
async function answerTo(method: string, path: string, body?: object): Promise<object> {
  const response = await client.request(method, `/catalog${path.replace('{value}', '1')}`, {
    ...(body !== undefined && { body }),
    headers: { 'x-request-id': 'same', 'idempotency-key': newTuId() },
  });
  if (method !== 'HEAD') assertRefused(response, 'not_found');
  const { date: _date, ...headers } = response.headers;
  return { status: response.status, text: response.text, headers };
}

/** Reads the resources with a key of their own brand. */
async function read() {
  const of = `/products/${product.tu_id}`;
  const paths = [
    of,
    `${of}/axes`,
    `${of}/stock`,
    `${of}/stock/movements`,
    '/axes',
    '/stock/locations',
    `/stock/feeds/${feed.feed_id}`,
  ];
  return Promise.all(paths.map((path) => ok(theirs.get(`/catalog${path}`))));
}

// [platform-6] [catalog-114]
describe('a resource of another brand', async () => {
  const before = await read();

  for (const [method, path, body] of operations)
    it(`answers ${method} ${path} ${JSON.stringify(body ?? '')} with the bytes of what does not exist`, async () => {
      const [first] = path.split('/{') as [string];
      const nowhere = await answerTo(method, path.replace(/\{\w+\}/, newTuId()), body);
      const foreign = foreignIds[first.slice(1)] ?? assert.fail(first);
      for (const id of [...foreign, 'not-an-id', '%00', 'x'.repeat(200)])
        assert.deepEqual(await answerTo(method, path.replace(/\{\w+\}/, id), body), nowhere, id);
    });

  it('is tried with every operation of the catalog that names a resource', () => {
    const { paths } = JSON.parse(readPublishedDocument('openapi.json'));
    const documented = Object.keys(paths)
      .filter((path) => path.includes('/{'))
      .flatMap((path) => Object.keys(paths[path]).map((method) => `${method.toUpperCase()} ${path}`));
    const tried = operations.map(([method, path]) => `${method} /v1/client/catalog${path}`);
    assert.deepEqual(
      documented.filter((operation) => !tried.includes(operation)),
      [],
    );
  });

  it('is unchanged by all of these requests', async () => assert.deepEqual(await read(), before));

  it('cannot be reached by its number or by its SKU', async () => {
    assert.equal((await client.get(`/catalog/products/${before[0].id}`)).status, 404);
    assert.equal((await client.get('/catalog/products?sku=THEIRS')).json.meta.total, 0);
  });

  it('is in none of our lists, counts or conflicts', async () => {
    assert.equal((await client.get('/catalog/products')).json.meta.total, 1);
    const created = await client.create('/catalog/products', { sku: 'THEIRS' });
    assert.equal(created.status, 201);
    const list = await client.get('/catalog/products?updated_since=2001-01-01T00:00:00Z');
    assert.deepEqual(
      list.json.data.map(({ tu_id }: { tu_id: string }) => tu_id).sort(),
      [created.json.tu_id, own.tu_id].sort(),
    );
  });
});
