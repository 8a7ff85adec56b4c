import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { KeyUsageRecorder } from '../key-usage-recorder.ts';

const apps = await createTestApps();

interface StoredKey {
  readonly last_used_at: Date | null;
  readonly last_used_from: string | null;
  /** The version of the row: moves with every write. */
  readonly xmin: string;
}

async function storedKey(keyId: string): Promise<StoredKey> {
  const rows = await apps.sql<StoredKey & Record<string, unknown>>(
    'select last_used_at, last_used_from, xmin::text from api_keys where key_id = $1',
    [keyId],
  );
  return rows[0] as StoredKey;
}

describe('the last use of a key', () => {
  it('is written from time to time, not with every request', async () => {
    const { client, keyId } = await apps.newBrand();
    const unused = await storedKey(keyId);
    assert.equal(unused.last_used_at, null);
    const from = apps.clock.now();
    for (let i = 0; i < 30; i += 1) await client.get('/catalog/products');
    await client.create('/catalog/products', { sku: 'A' });
    const to = apps.clock.now();
    assert.deepEqual(await storedKey(keyId), unused);

    await apps.keyUsage.flush();
    const used = await storedKey(keyId);
    const at = used.last_used_at?.getTime() ?? 0;
    assert.ok(at >= from && at <= to);
    assert.notEqual(used.xmin, unused.xmin);
    const { json } = await apps.admin.get(
      `/brands/${(await client.get('/catalog/status')).json.brand_id}/keys`,
    );
    assert.equal(json.data[0].last_used_at, used.last_used_at?.toISOString());
  });

  it('is not written again while nothing is used', async () => {
    const { client, keyId } = await apps.newBrand();
    await client.get('/catalog/status');
    await apps.keyUsage.flush();
    const once = await storedKey(keyId);
    await apps.keyUsage.flush();
    assert.deepEqual(await storedKey(keyId), once);
  });

  it('is that of many keys in one go, each its own', async () => {
    const { brandId } = await apps.newBrand();
    const other = await apps.newBrand();
    const keys = [...(await Promise.all(Array.from({ length: 5 }, () => apps.newKey(brandId)))), other];
    const idle = await apps.newKey(brandId);
    const times: number[] = [];
    for (const { client } of keys) {
      await client.get('/catalog/status');
      times.push(apps.clock.now());
      apps.clock.advance(60_000);
    }
    await apps.keyUsage.flush();
    for (const [i, { keyId }] of keys.entries()) {
      const at = (await storedKey(keyId)).last_used_at?.getTime() ?? 0;
      assert.ok(Math.abs(at - (times[i] as number)) < 30_000);
    }
    assert.equal((await storedKey(idle.keyId)).last_used_at, null);
  });

  it('counts a request that is refused for its scope, and none with a wrong secret', async () => {
    const { brandId } = await apps.newBrand();
    const scopeless = await apps.newKey(brandId, ['analytics.users:read']);
    assert.equal((await scopeless.client.get('/catalog/products')).status, 403);
    const guessed = await apps.newKey(brandId);
    const wrong = `${guessed.keyId}.${'a'.repeat(40)}`;
    assert.equal((await apps.clientWith(wrong).get('/catalog/status')).status, 401);
    await apps.keyUsage.flush();
    assert.notEqual((await storedKey(scopeless.keyId)).last_used_at, null);
    assert.equal((await storedKey(guessed.keyId)).last_used_at, null);
  });

  it('never moves backwards, whichever process writes it', async () => {
    const { keyId, brandId, client } = await apps.newBrand();
    await client.get('/catalog/status');
    await apps.keyUsage.flush();
    const latest = (await storedKey(keyId)).last_used_at;
    const [{ id } = { id: 0 }] = await apps.sql<{ id: number }>('select id from api_keys where key_id = $1', [
      keyId,
    ]);
    const other = new KeyUsageRecorder(apps.database, {
      onError: (error) => {
        throw error;
      },
    });
    const usedAt = (latest?.getTime() ?? 0) - 3_600_000;
    other.note('key', id, { brandId, usedAt, address: '203.0.113.99' });
    await other.close();
    const { last_used_at, last_used_from } = await storedKey(keyId);
    assert.deepEqual([last_used_at, last_used_from], [latest, '127.0.0.1']);
  });

  it('that could not be written is written the next time', async () => {
    const { client, keyId } = await apps.newBrand();
    const failures: unknown[] = [];
    const recorder = new KeyUsageRecorder(apps.database, { onError: (error) => failures.push(error) });
    const [{ id, brand_id } = { id: 0, brand_id: 0 }] = await apps.sql<{ id: number; brand_id: number }>(
      'select id, brand_id from api_keys where key_id = $1',
      [keyId],
    );
    recorder.note('key', id, { brandId: brand_id, usedAt: apps.clock.now(), address: '' });
    await apps.sql('alter table api_keys rename to api_keys_gone');
    await recorder.flush();
    await apps.sql('alter table api_keys_gone rename to api_keys');
    assert.equal(failures.length, 1);
    await recorder.close();
    assert.notEqual((await storedKey(keyId)).last_used_at, null);
    assert.equal((await client.get('/catalog/status')).status, 200);
  });
});
