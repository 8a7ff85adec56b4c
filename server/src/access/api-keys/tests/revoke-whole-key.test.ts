import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';

const apps = await createTestApps();
const { admin } = apps;

/** Another secret of the same form. */
const otherwise = (key: string) => key.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));

// [internal-104]
describe('revoking a key by its whole text', () => {
  it('revokes it if the secret is the real one', async () => {
    const { apiKey, keyId, client } = await apps.newBrand();
    assertRefused(await admin.post(`/keys/${otherwise(apiKey)}/revoke`), 'not_found');
    assert.equal((await client.get('/catalog/status')).status, 200);
    const { status, json } = await admin.post(`/keys/${apiKey}/revoke`);
    assert.deepEqual([status, json.key_id], [200, keyId]);
    assert.notEqual(json.revoked_at, null);
    assert.equal((await client.get('/catalog/status')).status, 401);
    const again = await admin.post(`/keys/${apiKey}/revoke`);
    assert.deepEqual([again.status, again.json.revoked_at], [200, json.revoked_at]);
    assert.ok(!again.text.includes(apiKey));
  });

  it('is 404 for a key that does not exist, and never shows the key', async () => {
    const { apiKey, keyId } = await apps.newBrand();
    await admin.delete(`/keys/${keyId}`);
    for (const path of [`/keys/${apiKey}/revoke`, `/keys/${apiKey}x/revoke`, `/keys/${keyId}./revoke`]) {
      const answer = await admin.post(path);
      assertRefused(answer, 'not_found');
      assert.ok(!answer.text.includes(apiKey));
    }
  });
});
