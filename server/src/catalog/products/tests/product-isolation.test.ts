import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiClient } from '../../../../test/support/api-client.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { newTuId } from '../../../lib/ids.ts';

const apps = await createTestApps();
const ours = await apps.newBrand();
const theirs = await apps.newBrand();
const { json: foreign } = await theirs.client.create('/catalog/products', { sku: 'THEIRS', title: 'Secret' });

/** Returns everything by which a client can tell responses apart; only the id of the request differs from one to the next. */
async function bytesOf(client: ApiClient, method: string, tuId: string, body?: unknown): Promise<object> {
  const { status, headers, text } = await client.request(method, `/catalog/products/${tuId}`, {
    ...(body !== undefined && { body }),
    headers: { 'x-request-id': 'same', 'idempotency-key': `key-${method}` },
  });
  const { date: _date, ...rest } = headers;
  return { status, text, headers: rest };
}

// [platform-6]
describe('a product of another brand', () => {
  for (const [method, body] of [
    ['GET', undefined],
    ['HEAD', undefined],
    ['PATCH', { title: 'Mine now' }],
    ['PATCH', {}],
    ['PATCH', { sku: 'THEIRS' }],
    ['PATCH', { title: 5 }],
  ] as const)
    it(`answers ${method} ${JSON.stringify(body ?? '')} with the bytes of a product that does not exist`, async () => {
      const nowhere = await bytesOf(ours.client, method, newTuId(), body);
      assert.deepEqual(await bytesOf(ours.client, method, foreign.tu_id, body), nowhere);
      assert.deepEqual(await bytesOf(ours.client, method, 'not-an-id', body), nowhere);
    });

  it('is unchanged by all of these requests', async () => {
    assert.deepEqual((await theirs.client.get(`/catalog/products/${foreign.tu_id}`)).json, foreign);
  });

  it('cannot be reached by its number or by its SKU', async () => {
    assert.equal((await ours.client.get(`/catalog/products/${foreign.id}`)).status, 404);
    assert.equal((await ours.client.get('/catalog/products?sku=THEIRS')).json.meta.total, 0);
  });

  it('is in none of our lists, counts or conflicts', async () => {
    assert.equal((await ours.client.get('/catalog/products')).json.meta.total, 0);
    const created = await ours.client.create('/catalog/products', { sku: 'THEIRS' });
    assert.equal(created.status, 201);
    const list = await ours.client.get('/catalog/products?updated_since=2001-01-01T00:00:00Z');
    assert.deepEqual(
      list.json.data.map(({ tu_id }: { tu_id: string }) => tu_id),
      [created.json.tu_id],
    );
  });
});
