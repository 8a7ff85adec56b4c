import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps } from '../../../test/kit/test-apps.ts';

const { admin, clientWith, sql, newBrand } = await createTestApps();
const { brandId } = await newBrand();

async function newKey(more: object = {}) {
  const body = { name: 'PIM', scopes: ['catalog.products:read'], ...more };
  return (await admin.post(`/brands/${brandId}/keys`, body)).json;
}

async function statusOf(apiKey: string): Promise<number> {
  return (await clientWith(apiKey).get('/catalog/status')).status;
}

describe('rotating a key', () => {
  it('makes a like successor and revokes the key at the same moment', async () => {
    const key = await newKey({
      name: 'ERP',
      scopes: ['catalog.stock:read', 'catalog.axes:write'],
      expires_at: '2099-01-01T00:00:00Z',
    });
    const { status, json: successor } = await admin.post(`/keys/${key.key_id}/rotate`);
    assert.equal(status, 201);
    const { key_id, api_key, masked, created_at, ...rest } = successor;
    assert.notEqual(key_id, key.key_id);
    assert.equal(masked, `${key_id}.…`);
    assert.ok(created_at >= key.created_at);
    assert.deepEqual(rest, {
      brand_id: brandId,
      name: key.name,
      scopes: key.scopes,
      expires_at: key.expires_at,
      revoked_at: null,
      rotated_from_key_id: key.key_id,
      last_used_at: null,
    });
    assert.deepEqual([await statusOf(key.api_key), await statusOf(api_key)], [401, 200]);
  });

  it('keeps the lineage over several rotations', async () => {
    const first = await newKey();
    const second = (await admin.post(`/keys/${first.key_id}/rotate`)).json;
    const third = (await admin.post(`/keys/${second.key_id}/rotate`)).json;
    const rows = await sql<{ lineage_id: number }>(
      'select distinct lineage_id from api_keys where key_id = any($1)',
      [[first.key_id, second.key_id, third.key_id]],
    );
    assert.equal(rows.length, 1);
  });

  it('is a conflict when the key is revoked', async () => {
    const { key_id } = await newKey();
    await admin.post(`/keys/${key_id}/revoke`);
    const { status, json } = await admin.post(`/keys/${key_id}/rotate`);
    assert.deepEqual([status, json.code], [409, 'conflict']);
  });

  it('by 20 at once has one winner', async () => {
    // Several rounds: in the first one the pool still opens its connections, which spreads the requests out.
    for (let round = 0; round < 5; round += 1) {
      const { key_id } = await newKey();
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => admin.post(`/keys/${key_id}/rotate`)),
      );
      const statuses = answers.map((answer) => answer.status).sort();
      assert.deepEqual(statuses, [201, ...Array.from({ length: 19 }, () => 409)]);
      const rows = await sql('select key_id from api_keys where rotated_from_key_id = $1', [key_id]);
      assert.equal(rows.length, 1);
    }
  });

  it('against a revocation leaves one order of events', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { key_id } = await newKey();
      const [rotated, revoked] = await Promise.all([
        admin.post(`/keys/${key_id}/rotate`),
        admin.post(`/keys/${key_id}/revoke`),
      ]);
      assert.equal(revoked.status, 200);
      assert.ok(rotated.status === 201 || rotated.status === 409);
      const rows = await sql('select key_id from api_keys where rotated_from_key_id = $1', [key_id]);
      assert.equal(rows.length, rotated.status === 201 ? 1 : 0);
    }
  });
});
