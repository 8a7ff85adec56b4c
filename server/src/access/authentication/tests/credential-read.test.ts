import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { sharedReadSize } from '../../../postgres/shared-reads.ts';
import { credentialRead } from '../find-credential.ts';

const { database, newBrand, sql } = await createTestApps();

describe('the look-ups of keys', () => {
  it('return to each request its own key or none, together as alone [D174]', async () => {
    const brands = await Promise.all(Array.from({ length: sharedReadSize + 2 }, () => newBrand()));
    const keyIds = brands.map(({ keyId }) => keyId);
    const unknown = `tuk_${'0'.repeat(24)}`;
    const asked = [...keyIds, unknown, ...keyIds];
    const rows = await Promise.all(asked.map((keyId) => database.findShared(credentialRead, keyId)));
    const expected = brands.map(({ brandId }) => brandId);
    assert.deepEqual(
      rows.map((row) => row?.brand_id),
      [...expected, undefined, ...expected],
    );
    const [alone] = await database.run(credentialRead.one(keyIds[0] as string));
    const { n: _, ...together } = rows[0] as typeof alone & { n: number };
    assert.deepEqual(together, alone);
  });

  it('keep nothing: a key that was revoked before a request is revoked for it', async () => {
    const { keyId } = await newBrand();
    const before = database.findShared(credentialRead, keyId);
    assert.equal((await before)?.revoked_at, null);
    await sql('update api_keys set revoked_at = now() where key_id = $1', [keyId]);
    assert.ok((await database.findShared(credentialRead, keyId))?.revoked_at instanceof Date);
  });
});
