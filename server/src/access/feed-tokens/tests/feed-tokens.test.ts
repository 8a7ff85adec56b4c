import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { sha256 } from '../../../lib/secrets.ts';

const { admin, sql, newBrand } = await createTestApps();
const { brandId } = await newBrand();

async function newToken(name = 'ERP') {
  const { status, json } = await admin.post(`/brands/${brandId}/feed-tokens`, { name });
  assert.equal(status, 201);
  return json;
}

describe('issuing a feed token', () => {
  // [internal-26]
  it('answers the token this once and keeps the hash of all of it', async () => {
    const { id, token, ...rest } = await newToken('Old ERP');
    assert.ok(Number.isInteger(id));
    assert.match(token, /^cfk_[A-Za-z0-9]{40}$/);
    assert.deepEqual(rest, { name: 'Old ERP' });
    const rows = await sql<{ token_sha256: Buffer; hint: string }>(
      'select * from feed_tokens where id = $1',
      [id],
    );
    assert.deepEqual(rows[0]?.token_sha256, sha256(token));
    assert.equal(rows[0]?.hint, token.slice(-4));
    assert.ok(!JSON.stringify(rows).includes(token.slice(4)));
  });

  for (const name of [undefined, null, 7, true, [], {}, '', 'x'.repeat(256), 'a\u0000b', 'a\ud800b'])
    it(`refuses the name ${JSON.stringify(name)?.slice(0, 40)}`, async () => {
      const { status, json } = await admin.post(`/brands/${brandId}/feed-tokens`, { name });
      assert.deepEqual([status, Object.keys(json.errors)], [422, ['name']]);
    });
});

describe('the list of feed tokens', () => {
  // [internal-26]
  it('shows one brand’s tokens masked, the newest first, page by page', async () => {
    const { brandId: other } = await newBrand();
    const made: { id: number; token: string }[] = [];
    for (const name of ['A', 'B', 'C'])
      made.unshift((await admin.post(`/brands/${other}/feed-tokens`, { name })).json);
    const first = await admin.get(`/brands/${other}/feed-tokens?per_page=2`);
    const second = await admin.get(`/brands/${other}/feed-tokens?per_page=2&page=2`);
    assert.deepEqual(first.json.meta, { current_page: 1, per_page: 2, total: 3, last_page: 2 });
    const listed = [...first.json.data, ...second.json.data];
    assert.deepEqual(
      listed.map(({ id, masked }) => [id, masked]),
      made.map(({ id, token }) => [id, `cfk_…${token.slice(-4)}`]),
    );
    const { created_at, ...rest } = listed[2];
    assert.ok(Math.abs(Date.parse(created_at) - Date.now()) < 60_000);
    assert.deepEqual(rest, {
      id: made[2]?.id,
      brand_id: other,
      name: 'A',
      masked: rest.masked,
      last_used_at: null,
      last_used_from: null,
    });
    for (const { token } of made)
      for (const hidden of [token.slice(4), sha256(token).toString('hex'), sha256(token).toString('base64')])
        assert.ok(!(first.text + second.text).includes(hidden));
  });
});

describe('deleting a feed token', () => {
  // [internal-26]
  it('takes it away, once, also when several try', async () => {
    const { id } = await newToken();
    const answers = await Promise.all(Array.from({ length: 5 }, () => admin.delete(`/feed-tokens/${id}`)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 404, 404, 404, 404]);
    const { json } = await admin.get(`/brands/${brandId}/feed-tokens?per_page=200`);
    assert.ok(!json.data.some((token: { id: number }) => token.id === id));
  });

  for (const id of ['999999', '0', '-1', '01', '1.5', 'abc', '9223372036854775808', '999999999999999', '%00'])
    it(`is a 404 under the id ${id}`, async () => {
      const { status, json } = await admin.delete(`/feed-tokens/${id}`);
      assert.deepEqual([status, json.code], [404, 'not_found']);
    });
});

describe('feed tokens of a brand that does not exist', () => {
  for (const id of ['999999', '0', 'abc', '2147483648', '%00'])
    it(`are a 404 under the brand id ${id}`, async () => {
      const answers = [
        await admin.get(`/brands/${id}/feed-tokens`),
        await admin.post(`/brands/${id}/feed-tokens`, { name: 'A' }),
      ];
      for (const { status, json } of answers) assert.deepEqual([status, json.code], [404, 'not_found']);
    });
});
