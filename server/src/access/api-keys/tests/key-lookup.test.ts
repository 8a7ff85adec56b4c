import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { keyIssuer } from './key-issuer.ts';

const apps = await createTestApps();
const { admin, clock, newBrand } = apps;

// [internal-74]
describe('a key that is looked up', () => {
  it('has the lineage of rotations and replacements, and the last use', async () => {
    const { brandId, keyId, client } = await newBrand();
    const { newKey } = keyIssuer(apps, brandId);
    await client.get('/catalog/status');
    await apps.keyUsage.flush();
    const { json: second } = await admin.post(`/keys/${keyId}/rotate`);
    const third = await newKey({ replaces_key_id: second.key_id });
    const unrelated = await newKey();
    const lineage = [keyId, second.key_id, third.key_id];
    for (const id of lineage) {
      const { status, json } = await admin.get(`/keys/${id}`);
      assert.deepEqual([status, json.key_id, json.lineage_key_ids], [200, id, lineage]);
    }
    const first = (await admin.get(`/keys/${keyId}`)).json;
    assert.equal(first.last_used_from, '127.0.0.1');
    assert.notEqual(first.revoked_at, null);
    const { api_key: _, ...shown } = third;
    assert.deepEqual((await admin.get(`/keys/${third.key_id}`)).json, {
      ...shown,
      lineage_key_ids: lineage,
      brand_name: 'Test brand',
    });
    assert.equal(shown.replaces_key_id, second.key_id);
    const { data } = (await admin.get(`/brands/${brandId}/keys`)).json;
    assert.deepEqual(
      data.map((key: { lineage_key_ids: string[] }) => key.lineage_key_ids),
      [[unrelated.key_id], lineage, lineage, lineage],
    );
    await admin.delete(`/keys/${second.key_id}`);
    const left = [keyId, third.key_id];
    assert.deepEqual((await admin.get(`/keys/${keyId}`)).json.lineage_key_ids, left);
  });

  it('is 404 if there is none', async () => {
    const { keyId, apiKey } = await newBrand();
    await admin.delete(`/keys/${keyId}`);
    for (const id of [keyId, apiKey, `tuk_${'0'.repeat(24)}`, 'x'])
      assert.equal((await admin.get(`/keys/${id}`)).status, 404);
  });
});

// [internal-74]
describe('the keys of a brand by state', () => {
  it('are active, expired or revoked, each in one list, by the clock', async () => {
    const { brandId, keyId: active } = await newBrand();
    const { newKey } = keyIssuer(apps, brandId);
    const soon = new Date(clock.now() + 60_000).toISOString();
    const expiring = (await newKey({ expires_at: soon })).key_id;
    const revoked = (await newKey({ expires_at: soon })).key_id;
    await admin.post(`/keys/${revoked}/revoke`);
    await newBrand();
    const listed = async (query: string) => {
      const { json } = await admin.get(`/brands/${brandId}/keys?${query}`);
      assert.equal(json.meta.total, query.includes('page') ? 2 : json.data.length);
      return json.data.map(({ key_id }: { key_id: string }) => key_id);
    };
    assert.deepEqual(await listed('state=active&per_page=1'), [expiring]);
    assert.deepEqual(await listed('state=active&per_page=1&page=2'), [active]);
    assert.deepEqual(await listed('state=expired'), []);
    clock.advance(60_001);
    assert.deepEqual(await listed('state=active'), [active]);
    assert.deepEqual(await listed('state=expired'), [expiring]);
    assert.deepEqual(await listed('state=revoked'), [revoked]);
    assert.deepEqual(await listed(''), [revoked, expiring, active]);
    const { status, json } = await admin.get(`/brands/${brandId}/keys?state=idle`);
    assert.deepEqual([status, Object.keys(json.errors)], [422, ['state']]);
  });
});
