import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { scopes } from '../../../api/access.ts';
import { sha256 } from '../../../lib/secrets.ts';
import { keyIssuer, newKeyBody } from './key-issuer.ts';

const apps = await createTestApps();
const { admin, clock, sql, newBrand } = apps;
const { brandId } = await newBrand();
const { newKey, statusOf } = keyIssuer(apps, brandId);

interface StoredKey {
  readonly id: string;
  readonly lineage_id: string;
  readonly secret_sha256: Buffer;
}

describe('issuing a key', () => {
  // [internal-19]
  it('answers the key with its plaintext, which works at once', async () => {
    const expires_at = '2099-01-01T02:00:00.123+02:00';
    const { key_id, api_key, masked, created_at, ...rest } = await newKey({ expires_at });
    assert.match(api_key, /^tuk_[0-9a-f]{24}\.[A-Za-z0-9]{40}$/);
    assert.equal(key_id, api_key.slice(0, 28));
    assert.equal(masked, `${key_id}.…`);
    assert.ok(Math.abs(Date.parse(created_at) - Date.now()) < 60_000);
    assert.deepEqual(rest, {
      brand_id: brandId,
      ...newKeyBody,
      expires_at: '2099-01-01T00:00:00.123Z',
      revoked_at: null,
      rotated_from_key_id: null,
      replaces_key_id: null,
      last_used_at: null,
      last_used_from: null,
      last_refused_at: null,
      last_refused_code: null,
    });
    assert.equal(await statusOf(api_key), 200);
  });

  // [platform-2]
  it('keeps the SHA-256 of the secret part only, and begins a lineage', async () => {
    const { key_id, api_key } = await newKey();
    const rows = await sql<StoredKey>('select * from api_keys where key_id = $1', [key_id]);
    const secret = api_key.slice(29);
    assert.deepEqual(rows[0]?.secret_sha256, sha256(secret));
    assert.equal(rows[0]?.lineage_id, rows[0]?.id);
    assert.ok(!JSON.stringify(rows).includes(secret));
  });

  it('takes every scope, each once', async () => {
    const { scopes: taken } = await newKey({ scopes: [...scopes, ...scopes] });
    assert.deepEqual(taken, scopes);
  });

  it('ignores keys that are not its own', async () => {
    const mine = { key_id: 'tuk_mine', brand_id: 999, revoked_at: '2020-01-01T00:00:00Z', lineage_id: 1 };
    const key = await newKey(mine);
    assert.deepEqual([key.brand_id, key.revoked_at], [brandId, null]);
    assert.notEqual(key.key_id, 'tuk_mine');
  });

  // [internal-20]
  it('refuses an expiry that is not in the future', async () => {
    for (const moment of [clock.now() - 1, clock.now() - 86_400_000, Date.parse('0001-01-01T00:00:00Z')])
      await assertRefused({ expires_at: new Date(moment).toISOString() }, 'expires_at');
  });

  const wrong: Record<string, unknown[]> = {
    name: [undefined, null, 7, true, [], {}, '', 'x'.repeat(256), 'a\u0000b', 'a\udc00b'],
    scopes: [undefined, null, 7, true, {}, 'catalog.products:read', []],
    expires_at: [
      7,
      true,
      [],
      {},
      '',
      'tomorrow',
      '2099-02-30T00:00:00Z',
      '2099-01-01T00:00:00',
      '99999-01-01T00:00:00Z',
    ],
  };
  for (const [field, values] of Object.entries(wrong))
    for (const value of values)
      it(`refuses the ${field} ${JSON.stringify(value)?.slice(0, 40)}`, () =>
        assertRefused({ [field]: value }, field));

  // [internal-20]
  for (const scope of [
    'catalog.*:read',
    'catalog.products',
    'CATALOG.PRODUCTS:READ',
    '',
    7,
    null,
    [],
    'a\u0000',
  ])
    it(`refuses the scope ${JSON.stringify(scope)} at its index`, () =>
      assertRefused({ scopes: ['catalog.products:read', scope] }, 'scopes.1'));

  async function assertRefused(change: object, field: string): Promise<void> {
    const { status, json } = await admin.post(`/brands/${brandId}/keys`, { ...newKeyBody, ...change });
    assert.deepEqual([status, json.code], [422, 'validation_failed']);
    assert.deepEqual(Object.keys(json.errors), [field]);
  }
});
