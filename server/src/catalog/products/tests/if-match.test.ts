import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';

const apps = await createTestApps();
const { client } = await apps.newBrand();

let made = 0;
async function newProduct() {
  made += 1;
  const { json } = await client.create('/catalog/products', { sku: `M-${made}`, title: 'First' });
  const path = `/catalog/products/${json.tu_id}`;
  const tagOf = async () => (await client.get(path)).headers['etag'] as string;
  return { sku: json.sku, path, tagOf, titleNow: async () => (await client.get(path)).json.title };
}

// [platform-94]
describe('PATCH of a product with If-Match', () => {
  it('of an earlier state is refused and writes nothing; with the current one, it writes', async () => {
    const { path, tagOf, titleNow } = await newProduct();
    const tag = await tagOf();
    await client.patch(path, { title: 'Somebody' });
    const refused = await client.patch(path, { title: 'Mine' }, { 'if-match': tag });
    assertRefused(refused, 'precondition_failed');
    assert.equal(refused.status, 412);
    assert.equal(await titleNow(), 'Somebody');
    const done = await client.patch(path, { title: 'Mine' }, { 'if-match': await tagOf() });
    assert.deepEqual([done.status, done.headers['x-ignored']], [200, undefined]);
    assert.equal(await titleNow(), 'Mine');
  });

  it('takes *, lists and weak tags, and no malformed one', async () => {
    const { path, tagOf, titleNow } = await newProduct();
    for (const form of [
      (_: string) => '*',
      (tag: string) => `"other", ${tag}`,
      (tag: string) => `W/${tag}`,
    ]) {
      const header = form(await tagOf());
      assert.equal((await client.patch(path, { title: header }, { 'if-match': header })).status, 200, header);
      assert.equal(await titleNow(), header);
    }
    for (const header of ['', 'x', '"x'])
      assertRefused(await client.patch(path, { title: 'No' }, { 'if-match': header }), 'precondition_failed');
    const missing = '/catalog/products/aaaaaaaaaaaaaaaaaaaaa';
    assertRefused(await client.patch(missing, { title: 'x' }, { 'if-match': '*' }), 'not_found');
  });

  it('counts a change of stock as one of the product', async () => {
    const { path, tagOf } = await newProduct();
    const tag = await tagOf();
    const key = { 'idempotency-key': 'stock-1' };
    const { status, text } = await client.post(`${path}/stock/adjust`, { location: null, quantity: 3 }, key);
    assert.equal(status, 200, text);
    assertRefused(await client.patch(path, { title: 'x' }, { 'if-match': tag }), 'precondition_failed');
  });

  it('lets one of two changes of one state through', async () => {
    const { path, tagOf } = await newProduct();
    const headers = { 'if-match': await tagOf() };
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) => client.patch(path, { title: `T${n}` }, headers)),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 412, 412, 412, 412, 412]);
  });

  it('replays a recorded response in any state of the product', async () => {
    const { path, tagOf } = await newProduct();
    const headers = { 'if-match': await tagOf(), 'idempotency-key': 'matched' };
    const first = await client.patch(path, { title: 'Once' }, headers);
    await client.patch(path, { title: 'Later' });
    const again = await client.patch(path, { title: 'Once' }, headers);
    assert.deepEqual([again.status, again.text], [200, first.text]);
    assert.equal(again.headers['idempotency-replayed'], 'true');
  });
});

// [platform-94]
describe('a condition that a write does not take', () => {
  const conditions = { 'if-match': '"x"', 'if-none-match': '*', 'if-unmodified-since': 'now' };

  it('is listed in X-Ignored', async () => {
    const { path } = await newProduct();
    const adjust = { location: null, quantity: 1, extra: 1 };
    const key = { 'idempotency-key': 'conditions' };
    const adjusted = await client.post(`${path}/stock/adjust`, adjust, { ...conditions, ...key });
    assert.equal(adjusted.status, 200, adjusted.text);
    assert.equal(
      adjusted.headers['x-ignored'],
      'header.if-match, header.if-none-match, header.if-unmodified-since, body.extra',
    );
    const patched = await client.patch(path, {}, { 'if-none-match': '"x"' });
    assert.equal(patched.headers['x-ignored'], 'header.if-none-match');
    assert.equal((await client.get(path, { 'if-match': '"x"' })).headers['x-ignored'], undefined);
  });

  it('is refused under strict handling, and nothing is written', async () => {
    const { path, sku } = await newProduct();
    const headers = { ...conditions, prefer: 'handling=strict', 'idempotency-key': 'strict' };
    const refused = await client.post(`${path}/stock/adjust`, { location: null, quantity: 1 }, headers);
    assertRefused(refused, 'validation_failed', Object.keys(conditions));
    assert.deepEqual(refused.json.errors, {
      'if-match': ['is not supported by this operation: leave it out'],
      'if-none-match': ['is not supported by this operation: leave it out'],
      'if-unmodified-since': ['is not supported by this operation: leave it out'],
    });
    assert.equal((await client.get(`/catalog/stock/levels?sku=${sku}`)).json.meta.total, 0);
  });
});
