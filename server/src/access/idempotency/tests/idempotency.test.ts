import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { answered, countOutcome, countProducts, products } from './replays.ts';

const apps = await createTestApps();

describe('a retry with the same Idempotency-Key', () => {
  // [platform-61]
  it('gets the first answer again, byte for byte, and says so', async () => {
    const { client } = await apps.newBrand();
    const body = '{ "sku":"R-1",  "title":"Zwölf 👟", "unknown":1 }';
    const send = () => client.post(products, body, { 'idempotency-key': 'retry' });
    const replays = await countOutcome(apps, 'replayed');
    const first = await send();
    assert.deepEqual([first.status, first.headers['idempotency-replayed']], [201, undefined]);
    for (let i = 0; i < 3; i += 1) {
      const again = await send();
      assert.deepEqual(answered(again), answered(first));
      assert.equal(again.headers['idempotency-replayed'], 'true');
      assert.notEqual(again.headers['x-request-id'], first.headers['x-request-id']);
    }
    assert.equal(await countOutcome(apps, 'replayed'), replays + 3);
    assert.equal(await countProducts(client), 1);
  });

  it('gets the first answer also after the product has changed', async () => {
    const { client } = await apps.newBrand();
    const send = () => client.post(products, { sku: 'R-2' }, { 'idempotency-key': 'old' });
    const first = await send();
    await client.patch(`${products}/${first.json.tu_id}`, { title: 'Changed', sku: 'R-3' });
    assert.deepEqual(answered(await send()), answered(first));
    assert.equal((await client.get(`${products}/${first.json.tu_id}`)).json.title, 'Changed');
  });

  it('does a PATCH once', async () => {
    const { client } = await apps.newBrand();
    const { json } = await client.create(products, { sku: 'P' });
    const patch = (title: string, key: string) =>
      client.patch(`${products}/${json.tu_id}`, { title }, { 'idempotency-key': key });
    const first = await patch('One', 'p-1');
    await patch('Two', 'p-2');
    const again = await patch('One', 'p-1');
    assert.deepEqual(answered(again), answered(first));
    assert.equal((await client.get(`${products}/${json.tu_id}`)).json.title, 'Two');
  });

  it('may have another query, which says nothing about the operation', async () => {
    const { client } = await apps.newBrand();
    const headers = { 'idempotency-key': 'query' };
    const first = await client.post(`${products}?a=1`, { sku: 'Q' }, headers);
    assert.deepEqual(answered(await client.post(`${products}?b=2`, { sku: 'Q' }, headers)), answered(first));
  });

  it('needs its scope like every request', async () => {
    const { client, keyId } = await apps.newBrand();
    const send = () => client.post(products, { sku: 'S' }, { 'idempotency-key': 'scope' });
    assert.equal((await send()).status, 201);
    await apps.sql(`update api_keys set scopes = '{catalog.products:read}' where key_id = $1`, [keyId]);
    assertRefused(await send(), 'insufficient_scope');
  });
});

// [platform-62]
describe('an Idempotency-Key that belongs to another request', () => {
  it('is refused with another body, even one that means the same, another path or another method', async () => {
    const { client } = await apps.newBrand();
    const headers = { 'idempotency-key': 'reuse' };
    const body = '{"sku":"U"}';
    const { json } = await client.post(products, body, headers);
    const reuses = await countOutcome(apps, 'reuse');
    for (const answer of [
      await client.post(products, '{"sku":"V"}', headers),
      await client.post(products, '{"sku": "U"}', headers),
      await client.post(products, '{"sku":"U"} ', headers),
      await client.post(products, '{"sku":"\\u0055"}', headers),
      await client.patch(`${products}/${json.tu_id}`, body, headers),
    ])
      assertRefused(answer, 'idempotency_key_reuse');
    assert.equal(await countOutcome(apps, 'reuse'), reuses + 5);
    assert.equal(await countProducts(client), 1);
  });

  it('is refused for the same change of another product', async () => {
    const { client } = await apps.newBrand();
    const a = (await client.create(products, { sku: 'A' })).json;
    const b = (await client.create(products, { sku: 'B' })).json;
    const headers = { 'idempotency-key': 'path' };
    assert.equal((await client.patch(`${products}/${a.tu_id}`, { title: 'x' }, headers)).status, 200);
    assertRefused(
      await client.patch(`${products}/${b.tu_id}`, { title: 'x' }, headers),
      'idempotency_key_reuse',
    );
    assert.equal((await client.get(`${products}/${b.tu_id}`)).json.title, 'B');
  });

  it('is distinguished from one that differs only in case', async () => {
    const { client } = await apps.newBrand();
    for (const key of ['key', 'KEY', 'Key'])
      assert.equal((await client.post(products, { sku: key }, { 'idempotency-key': key })).status, 201);
  });
});

// [platform-58]
describe('where the header is optional', () => {
  it('a change without it, or with an empty one, is done each time and recorded nowhere', async () => {
    const { client } = await apps.newBrand();
    const { json } = await client.create(products, { sku: 'OPTIONAL' });
    const path = `${products}/${json.tu_id}`;
    for (const headers of [{}, { 'idempotency-key': '' }])
      for (const title of ['A', 'B', 'A'])
        assert.equal((await client.patch(path, { title }, headers)).json.title, title);
    const [row] = await apps.sql(
      'select count(*)::integer as n from idempotency_records where brand_id = $1',
      [json.brand_id],
    );
    assert.deepEqual(row, { n: 1 });
  });

  it('an invalid one is refused all the same', async () => {
    const { client } = await apps.newBrand();
    const { json } = await client.create(products, { sku: 'INVALID' });
    assertRefused(
      await client.patch(`${products}/${json.tu_id}`, { title: 'x' }, { 'idempotency-key': 'a b' }),
      'validation_failed',
      ['idempotency_key'],
    );
  });
});

// [platform-59]
describe('where the header means nothing', () => {
  // [internal-4]
  it('it is ignored, valid or not: on reads, and on changes of the internal surface', async () => {
    const { client, brandId } = await apps.newBrand();
    for (const key of ['same', 'not valid', 'x'.repeat(300)]) {
      const headers = { 'idempotency-key': key };
      assert.equal((await client.get(products, headers)).status, 200);
      assert.equal((await client.get('/catalog/status', headers)).status, 200);
      const renamed = await apps.admin.patch(`/brands/${brandId}`, { name: key.slice(0, 9) }, headers);
      assert.equal(renamed.status, 200);
    }
    const { json } = await apps.admin.get(`/brands/${brandId}`);
    assert.equal(json.name, 'x'.repeat(9));
  });
});
