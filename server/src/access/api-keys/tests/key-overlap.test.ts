import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused, waitingForLocks } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { waitFor } from '../../../../test/support/wait-for.ts';

const apps = await createTestApps({ limits: { catalog_key_reads: 3 } });
const { admin, clientWith, clock, sql, newBrand } = apps;
const products = '/catalog/products';
const scopes = ['catalog.products:read', 'catalog.products:write'];

async function issue(brandId: number, more: object = {}) {
  return admin.post(`/brands/${brandId}/keys`, { name: 'PIM', scopes, ...more });
}

/** A brand with one key, and a second key that replaces it. */
async function overlapping() {
  const { brandId, apiKey, keyId, client } = await newBrand();
  const { status, json: key } = await issue(brandId, { replaces_key_id: keyId });
  assert.equal(status, 201);
  return { brandId, keyId, old: client, apiKey, next: clientWith(key.api_key), key };
}

const lineages = (keyIds: string[]) =>
  sql<{ lineage_id: number }>('select distinct lineage_id from api_keys where key_id = any($1)', [keyIds]);

describe('a key that replaces another one', () => {
  // [internal-24]
  it('names the key that it replaces, works at the same time, and continues when that one is revoked or deleted', async () => {
    const { brandId, keyId, old, next, key } = await overlapping();
    assert.deepEqual([key.replaces_key_id, key.rotated_from_key_id], [keyId, null]);
    assert.deepEqual(
      [(await old.get('/catalog/status')).status, (await next.get('/catalog/status')).status],
      [200, 200],
    );
    await admin.post(`/keys/${keyId}/revoke`);
    assert.deepEqual(
      [(await old.get('/catalog/status')).status, (await next.get('/catalog/status')).status],
      [401, 200],
    );
    assert.equal((await admin.delete(`/keys/${keyId}`)).status, 204);
    const { json: list } = await admin.get(`/brands/${brandId}/keys`);
    assert.deepEqual(
      list.data.map((shown: { replaces_key_id: string }) => shown.replaces_key_id),
      [keyId],
    );
    assert.equal((await next.get('/catalog/status')).status, 200);
  });

  it('stays one of two that overlap when the older one is rotated', async () => {
    const { brandId, keyId, key } = await overlapping();
    const listed = async () => {
      const { json } = await admin.get(`/brands/${brandId}/keys?state=overlapping`);
      return json.data.map(({ key_id: id }: { key_id: string }) => id);
    };
    const concerns = async () => {
      const { json } = await admin.get('/overview');
      const one = json.concerns.find(({ kind }: { kind: string }) => kind === 'keys_overlapping');
      return one?.brands.find(({ id }: { id: number }) => id === brandId)?.count ?? 0;
    };
    assert.deepEqual([await listed(), await concerns()], [[key.key_id], 1]);
    const { json: rotated } = await admin.post(`/keys/${keyId}/rotate`);
    assert.deepEqual([await listed(), await concerns()], [[rotated.key_id], 1]);
    await admin.post(`/keys/${key.key_id}/revoke`);
    assert.deepEqual([await listed(), await concerns()], [[], 0]);
  });

  // [platform-67]
  it('answers a retry of a write that was made with the old key, byte for byte', async () => {
    const { old, next, keyId } = await overlapping();
    const send = (client: typeof old, body: object) =>
      client.post(products, body, { 'idempotency-key': 'once' });
    const first = await send(old, { sku: 'ONCE' });
    const again = await send(next, { sku: 'ONCE' });
    assert.equal(first.status, 201);
    assert.deepEqual(
      [again.status, again.text, again.headers['idempotency-replayed']],
      [201, first.text, 'true'],
    );
    assertRefused(await send(next, { sku: 'OTHER' }), 'idempotency_key_reuse');
    await admin.post(`/keys/${keyId}/revoke`);
    assert.equal((await send(next, { sku: 'ONCE' })).text, first.text);
    // The other way round as well, as long as both work.
    const pair = await overlapping();
    const later = await send(pair.next, { sku: 'LATER' });
    assert.equal((await send(pair.old, { sku: 'LATER' })).text, later.text);
  });

  it('finds a write of the old key that is still running', async () => {
    const { brandId, old, next } = await overlapping();
    await old.create(products, { sku: 'FIRST' });
    const holder = await apps.database.pool.connect();
    await holder.query('begin');
    await holder.query('select 1 from brand_catalogs where brand_id = $1 for update', [brandId]);
    const send = (client: typeof old) => client.post(products, { sku: 'RUN' }, { 'idempotency-key': 'run' });
    const running = send(old);
    await waitFor('the first request to wait for its brand', () => waitingForLocks(apps));
    assertRefused(await send(next), 'idempotency_conflict');
    await holder.query('commit');
    holder.release();
    const done = await running;
    assert.equal(done.status, 201);
    assert.equal((await send(next)).text, done.text);
  });

  it('has its own rate limits', async () => {
    const { old, next } = await overlapping();
    for (let request = 0; request < 3; request += 1) await old.get('/catalog/status');
    assert.equal((await old.get('/catalog/status')).status, 429);
    assert.equal((await next.get('/catalog/status')).status, 200);
  });

  it('may replace an expired key, one that was rotated to, or one that has a replacement', async () => {
    const { brandId } = await newBrand();
    const expires_at = new Date(clock.now() + 1_000).toISOString();
    const { json: first } = await issue(brandId, { expires_at });
    clock.advance(1_000);
    const { json: second } = await issue(brandId, { replaces_key_id: first.key_id });
    const { json: third } = await admin.post(`/keys/${second.key_id}/rotate`);
    const fourth = await issue(brandId, { replaces_key_id: third.key_id });
    const fifth = await issue(brandId, { replaces_key_id: third.key_id });
    assert.deepEqual([fourth.status, fifth.status], [201, 201]);
    const ids = [first, second, third, fourth.json, fifth.json].map(({ key_id }) => key_id);
    assert.equal((await lineages(ids)).length, 1);
    assert.equal(third.replaces_key_id, null);
  });

  it('is in the audit with what it replaces', async () => {
    const { brandId, keyId, key } = await overlapping();
    const { json } = await admin.get(`/audit?brand_id=${brandId}&action=api_key.create`);
    const entry = json.data.find((shown: { resource_id: string }) => shown.resource_id === key.key_id);
    assert.equal(entry.details.replaces_key_id, keyId);
  });
});

describe('what no key can replace', () => {
  // [internal-25]
  it('is refused on replaces_key_id, and no key is made', async () => {
    const { brandId, keyId } = await newBrand();
    const foreign = await newBrand();
    const { json: revoked } = await issue(brandId);
    await admin.post(`/keys/${revoked.key_id}/revoke`);
    const { json: deleted } = await issue(brandId);
    await admin.delete(`/keys/${deleted.key_id}`);
    const wrong = [
      ...[foreign.keyId, revoked.key_id, deleted.key_id, `tuk_${'0'.repeat(24)}`],
      ...[keyId.toUpperCase(), foreign.apiKey, '', 'tuk_', 'a\u0000', 7, true, [], {}],
    ];
    const before = (await admin.get(`/brands/${brandId}/keys`)).json.meta.total;
    for (const replaces_key_id of wrong)
      assertRefused(await issue(brandId, { replaces_key_id }), 'validation_failed', ['replaces_key_id']);
    assert.equal((await admin.get(`/brands/${brandId}/keys`)).json.meta.total, before);
    assert.equal((await issue(brandId, { replaces_key_id: null })).json.replaces_key_id, null);
  });

  it('is a key that goes at the same moment: one order of events, whichever comes first', async () => {
    const { brandId } = await newBrand();
    const ends = {
      revoke: (keyId: string) => admin.post(`/keys/${keyId}/revoke`),
      rotate: (keyId: string) => admin.post(`/keys/${keyId}/rotate`),
      delete: (keyId: string) => admin.delete(`/keys/${keyId}`),
    };
    for (const [what, end] of Object.entries(ends))
      for (let round = 0; round < 4; round += 1) {
        const { json: key } = await issue(brandId);
        const [ended, ...issued] = await Promise.all([
          end(key.key_id),
          ...Array.from({ length: 4 }, () => issue(brandId, { replaces_key_id: key.key_id })),
        ]);
        assert.ok(ended.status < 300, `${what}: ${ended.text}`);
        for (const answer of issued) {
          if (answer.status !== 201) assertRefused(answer, 'validation_failed', ['replaces_key_id']);
          else assert.equal((await clientWith(answer.json.api_key).get('/catalog/status')).status, 200);
        }
        assertRefused(await issue(brandId, { replaces_key_id: key.key_id }), 'validation_failed', [
          'replaces_key_id',
        ]);
      }
  });

  it('waits for a revocation that is under way, and is refused by it', async () => {
    const { brandId, keyId } = await newBrand();
    const holder = await apps.database.pool.connect();
    await holder.query('begin');
    await holder.query('update api_keys set revoked_at = now() where key_id = $1', [keyId]);
    const issued = issue(brandId, { replaces_key_id: keyId });
    await waitFor('the new key to wait for the old one', () => waitingForLocks(apps));
    await holder.query('commit');
    holder.release();
    assertRefused(await issued, 'validation_failed', ['replaces_key_id']);
  });
});
