import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { keyIssuer } from './key-issuer.ts';

const apps = await createTestApps();
const { admin, clock, sql, newBrand } = apps;
const { brandId } = await newBrand();
const { newKey, statusOf } = keyIssuer(apps, brandId);

describe('rotating a key', () => {
  // [internal-21]
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
      replaces_key_id: null,
      last_used_at: null,
      last_used_from: null,
      last_refused_at: null,
      last_refused_code: null,
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

  // [internal-21]
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

describe('rotating a key with an expiry', () => {
  const inHours = (hours: number) => new Date(clock.now() + hours * 3_600_000).toISOString();

  it('gives the successor that expiry, or none', async () => {
    for (const expires_at of [inHours(5), null]) {
      const key = await newKey({ expires_at: inHours(1) });
      const { status, json } = await admin.post(`/keys/${key.key_id}/rotate`, { expires_at });
      assert.deepEqual([status, json.expires_at], [201, expires_at]);
      assert.equal(await statusOf(json.api_key), 200);
    }
  });

  // [internal-22]
  it('refuses one that is not in the future, and leaves the key as it is', async () => {
    const key = await newKey();
    for (const expires_at of [inHours(0), inHours(-1), '2001-01-01T00:00:00Z', 'soon', 7, ''])
      assertRefused(await admin.post(`/keys/${key.key_id}/rotate`, { expires_at }), 'validation_failed', [
        'expires_at',
      ]);
    assert.equal(await statusOf(key.api_key), 200);
  });

  // [internal-22]
  it('needs one for an expired key, whose successor then works', async () => {
    const key = await newKey({ expires_at: inHours(1) });
    clock.advance(3_600_000);
    const path = `/keys/${key.key_id}/rotate`;
    for (const body of [undefined, {}])
      assertRefused(await admin.post(path, body), 'validation_failed', ['expires_at']);
    const { status, json } = await admin.post(path, { expires_at: inHours(1) });
    assert.deepEqual([status, json.rotated_from_key_id], [201, key.key_id]);
    assert.equal(await statusOf(json.api_key), 200);
    const again = await newKey({ expires_at: inHours(1) });
    clock.advance(3_600_000);
    const forever = await admin.post(`/keys/${again.key_id}/rotate`, { expires_at: null });
    assert.deepEqual([forever.status, forever.json.expires_at], [201, null]);
  });

  it('is a conflict for a revoked key, expired or not', async () => {
    const key = await newKey({ expires_at: inHours(1) });
    await admin.post(`/keys/${key.key_id}/revoke`);
    clock.advance(3_600_000);
    assertRefused(await admin.post(`/keys/${key.key_id}/rotate`), 'conflict');
    assertRefused(await admin.post(`/keys/${key.key_id}/rotate`, { expires_at: inHours(1) }), 'conflict');
  });
});
