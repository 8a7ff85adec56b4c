import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps, type TestKey } from '../../../../test/support/test-apps.ts';

const apps = await createTestApps();
const { admin, clientWith, newBrand, newKey, sql } = apps;

interface Shown {
  readonly request_id: string;
  readonly code: string;
}

async function refusalsOf({ client }: Pick<TestKey, 'client'>, domain = 'catalog'): Promise<Shown[]> {
  await apps.keyUsage.flush();
  const { status, json, text } = await client.get(`/${domain}/status?include=refusals`);
  assert.equal(status, 200, text);
  return json.refusals;
}

const refuse = ({ client }: Pick<TestKey, 'client'>, id: string) =>
  client.post('/catalog/products', { price_value: -1 }, { 'x-request-id': id, 'idempotency-key': id });

// [platform-96]
describe('the refusals that a key sees', () => {
  it('are its own, newest first, without address and message, in both domains', async () => {
    const brand = await newBrand();
    const sibling = await newKey(brand.brandId);
    await refuse(brand, 'own-1');
    await refuse(sibling, 'of-another-key');
    await refuse(await newBrand(), 'of-another-brand');
    await refuse(brand, 'own-2');
    const shown = await refusalsOf(brand);
    assert.deepEqual(
      shown.map(({ request_id: id }) => id),
      ['own-2', 'own-1'],
    );
    const [{ at, ...first }] = shown as [Shown & { at: string }];
    assert.ok(!Number.isNaN(Date.parse(at)));
    assert.deepEqual(first, {
      request_id: 'own-2',
      method: 'POST',
      path: '/v1/client/catalog/products',
      status: 422,
      code: 'validation_failed',
      fields: ['sku', 'price_value'],
      count: 1,
    });
    assert.deepEqual(await refusalsOf(brand, 'analytics'), shown);
  });

  it('include those of the keys that it was rotated from, and none with a wrong secret', async () => {
    const { brandId, keyId, client } = await newBrand();
    await refuse({ client }, 'before');
    const { json: key } = await admin.post(`/keys/${keyId}/rotate`);
    const next = { client: clientWith(key.api_key) };
    await refuse(next, 'after');
    await refusalsOf(next);
    await sql(
      `insert into refusals (brand_id, id, at, request_id, key_id, method, path, status, code, reason, fields, count)
       values ($1, 90, now(), 'stranger', $2, 'GET', '/x', 401, 'unauthenticated', 'wrong_secret', '{}', 1)`,
      [brandId, keyId],
    );
    const shown = await refusalsOf(next);
    assert.deepEqual(
      shown.map(({ request_id: id }) => id).filter((id) => ['before', 'after', 'stranger'].includes(id)),
      ['after', 'before'],
    );
  });

  it('are at most 50, and only shown when they are asked for', async () => {
    const { brandId, keyId, client } = await newBrand();
    await sql(
      `insert into refusals (brand_id, id, at, request_id, key_id, method, path, status, code, fields, count)
       select $1::integer, n, now() - n * interval '1 second', 'r' || n, $2, 'GET', '/x', 404, 'not_found', '{}', 1
       from generate_series(1, 60) n`,
      [brandId, keyId],
    );
    const shown = await refusalsOf({ client });
    assert.deepEqual([shown.length, shown[0]?.request_id], [50, 'r1']);
    for (const domain of ['catalog', 'analytics']) {
      assert.ok(!('refusals' in (await client.get(`/${domain}/status`)).json));
      assertRefused(await client.get(`/${domain}/status?include=keys`), 'validation_failed', ['include']);
    }
  });
});
