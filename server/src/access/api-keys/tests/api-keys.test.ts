import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { sha256 } from '../../../lib/secrets.ts';
import { keyIssuer, newKeyBody } from './key-issuer.ts';

const apps = await createTestApps();
const { admin, clock, newBrand } = apps;
const { brandId } = await newBrand();
const { newKey, statusOf } = keyIssuer(apps, brandId);
const unknownKeyIds = [
  `tuk_${'0'.repeat(24)}`,
  'tuk_',
  '1',
  `TUK_${'0'.repeat(24)}`,
  '%00',
  `tuk_${'0'.repeat(23)}%00`,
];

describe('the list of keys', () => {
  // [internal-19]
  it('shows one brand’s keys masked, the newest first, page by page', async () => {
    const { brandId: other, apiKey } = await newBrand();
    const made: string[] = [apiKey];
    for (const name of ['A', 'B'])
      made.push((await admin.post(`/brands/${other}/keys`, { ...newKeyBody, name })).json.api_key);
    const first = await admin.get(`/brands/${other}/keys?per_page=2`);
    const second = await admin.get(`/brands/${other}/keys?per_page=2&page=2`);
    assert.deepEqual(first.json.meta, { current_page: 1, per_page: 2, total: 3, last_page: 2 });
    const ids = [...first.json.data, ...second.json.data].map((key: { key_id: string }) => key.key_id);
    assert.deepEqual(ids, made.map((key) => key.slice(0, 28)).reverse());
    assert.deepEqual(Object.keys(first.json.data[0]), [
      ...[
        'key_id',
        'brand_id',
        'name',
        'scopes',
        'masked',
        'expires_at',
        'revoked_at',
        'rotated_from_key_id',
      ],
      ...['replaces_key_id', 'last_used_at', 'last_used_from', 'last_refused_at', 'last_refused_code'],
      ...['created_at', 'lineage_key_ids', 'brand_name'],
    ]);
    for (const key of made) assertHides(first.text + second.text, key);
  });
});

describe('revoking a key', () => {
  // [internal-23]
  it('shuts it out with the next request; a second time changes nothing', async () => {
    const key = await newKey();
    assert.equal(await statusOf(key.api_key), 200);
    const first = await admin.post(`/keys/${key.key_id}/revoke`);
    assert.equal(first.status, 200);
    assert.ok(Math.abs(Date.parse(first.json.revoked_at) - Date.now()) < 60_000);
    assert.equal(await statusOf(key.api_key), 401);
    const second = await admin.post(`/keys/${key.key_id}/revoke`);
    assert.deepEqual([second.status, second.json], [200, first.json]);
    assertHides(first.text, key.api_key);
  });
});

describe('deleting a key', () => {
  // [internal-23]
  it('takes it away, once', async () => {
    const key = await newKey();
    const { status, text } = await admin.delete(`/keys/${key.key_id}`);
    assert.deepEqual([status, text], [204, '']);
    assert.equal(await statusOf(key.api_key), 401);
    assert.equal((await admin.delete(`/keys/${key.key_id}`)).status, 404);
    const { text: list } = await admin.get(`/brands/${brandId}/keys?per_page=200`);
    assert.ok(!list.includes(key.key_id));
  });

  it('of a predecessor leaves the successor working', async () => {
    const key = await newKey();
    const { json: successor } = await admin.post(`/keys/${key.key_id}/rotate`);
    assert.equal((await admin.delete(`/keys/${key.key_id}`)).status, 204);
    assert.equal(await statusOf(successor.api_key), 200);
  });
});

describe('an expired key', () => {
  it('is refused from its moment on', async () => {
    const { api_key } = await newKey({ expires_at: new Date(clock.now() + 3_600_000).toISOString() });
    assert.equal(await statusOf(api_key), 200);
    clock.advance(3_600_000);
    assert.equal(await statusOf(api_key), 401);
  });
});

// [internal-18]
describe('what does not exist', () => {
  for (const id of unknownKeyIds)
    it(`is a 404 for the key ${id}`, async () => {
      const answers = await Promise.all([
        admin.post(`/keys/${id}/rotate`),
        admin.post(`/keys/${id}/revoke`),
        admin.delete(`/keys/${id}`),
      ]);
      for (const { status, json } of answers) assert.deepEqual([status, json.code], [404, 'not_found']);
    });

  for (const id of ['999999', '0', 'abc', '2147483648', '%00'])
    it(`is a 404 for the brand ${id}`, async () => {
      for (const answer of [
        await admin.get(`/brands/${id}/keys`),
        await admin.post(`/brands/${id}/keys`, newKeyBody),
      ])
        assert.deepEqual([answer.status, answer.json.code], [404, 'not_found']);
    });
});

function assertHides(text: string, apiKey: string): void {
  const secret = apiKey.slice(29);
  const digest = sha256(secret);
  for (const hidden of [secret, digest.toString('hex'), digest.toString('base64')])
    assert.ok(!text.includes(hidden));
}
