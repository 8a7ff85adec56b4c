import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { registerCanary } from '../../../../test/support/canaries.ts';
import { createTestApps, testAdminToken } from '../../../../test/support/test-apps.ts';
import { randomBase62, randomHex } from '../../../lib/ids.ts';
import { newAdministrator } from '../../administrators/tests/new-administrator.ts';

const apps = await createTestApps();
const { admin, sql, clock } = apps;

const search = async (text: string, revoke?: boolean) => {
  const {
    status,
    json,
    text: answer,
  } = await admin.post('/leaks', { text, ...(revoke !== undefined && { revoke }) });
  assert.equal(status, 200, answer);
  return json.data;
};

async function newFeedToken(brandId: number): Promise<{ id: number; token: string }> {
  return (await admin.post(`/brands/${brandId}/feed-tokens`, { name: 'ERP' })).json;
}

/** Another secret of the same form. */
const otherwise = (key: string) => key.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));

const of = (brandId: number, name: string) => ({ brand_id: brandId, name, revoked: false });

// [internal-103] [D156]
describe('a search for leaked secrets', () => {
  it('names every kind, with its state and whether the secret is the real one', async () => {
    const { brandId, keyId, apiKey } = await apps.newBrand();
    const onlyId = await apps.newKey(brandId);
    const revoked = await apps.newKey(brandId);
    await admin.post(`/keys/${revoked.keyId}/revoke`);
    const deleted = await apps.newKey(brandId);
    await admin.delete(`/keys/${deleted.keyId}`);
    const inAnHour = new Date(clock.now() + 3_600_000).toISOString();
    const expired = await apps.newKey(brandId, ['catalog.products:read'], { expires_at: inAnHour });
    clock.advance(3_600_000);
    const token = await newFeedToken(brandId);
    const text = [
      apiKey,
      `id ${onlyId.keyId}, then`,
      revoked.apiKey,
      `"${otherwise(expired.apiKey)}"`,
      deleted.apiKey,
      `${apiKey} again, ${keyId}`,
      token.token,
      otherwise(token.token),
      `Authorization: Bearer ${testAdminToken}!`,
    ].join('\n');
    const known = of(brandId, 'Test key');
    const unknown = { brand_id: null, name: null, revoked: false };
    assert.deepEqual(await search(text), [
      { kind: 'admin_token', id: null, ...unknown, state: 'active', secret_matches: true },
      { kind: 'api_key', id: keyId, ...known, state: 'active', secret_matches: true },
      { kind: 'api_key', id: onlyId.keyId, ...known, state: 'active', secret_matches: null },
      { kind: 'api_key', id: revoked.keyId, ...known, state: 'revoked', secret_matches: true },
      { kind: 'api_key', id: expired.keyId, ...known, state: 'expired', secret_matches: false },
      { kind: 'api_key', id: deleted.keyId, ...unknown, state: 'unknown', secret_matches: false },
      { kind: 'feed_token', id: token.id, ...of(brandId, 'ERP'), state: 'active', secret_matches: true },
      { kind: 'feed_token', id: null, ...unknown, state: 'deleted', secret_matches: false },
    ]);
    assert.deepEqual(await search('nothing 👕 here'), []);
    assert.deepEqual(await search(''), []);
  });

  it('revokes those whose real secret it finds, and nothing else', async () => {
    const { brandId, keyId, apiKey, client } = await apps.newBrand();
    const [onlyId, wrong] = [await apps.newKey(brandId), await apps.newKey(brandId)];
    const token = await newFeedToken(brandId);
    const text = `${apiKey} ${onlyId.keyId} ${otherwise(wrong.apiKey)} ${token.token} ${testAdminToken}`;
    const entries = async () => (await admin.get(`/audit?brand_id=${brandId}`)).json.data;
    const before = (await entries()).length;
    assert.deepEqual(
      (await search(text, false)).map(({ revoked }: { revoked: boolean }) => revoked),
      [false, false, false, false, false],
    );
    assert.equal((await client.get('/catalog/status')).status, 200);
    const states = (leaks: Record<string, unknown>[]) =>
      leaks.map(({ kind, state, revoked }) => [kind, state, revoked]);
    const after = (isNow: boolean) => [
      ['admin_token', 'active', false],
      ['api_key', 'revoked', isNow],
      ['api_key', 'active', false],
      ['api_key', 'active', false],
      ['feed_token', 'deleted', isNow],
    ];
    assert.deepEqual(states(await search(text, true)), after(true));
    assert.deepEqual(states(await search(text, true)), after(false), 'a second time');
    assert.equal((await client.get('/catalog/status')).status, 401);
    assert.equal((await wrong.client.get('/catalog/status')).status, 200);
    assert.equal((await admin.get('/brands')).status, 200);
    const written = (await entries()).slice(0, -before);
    assert.deepEqual(
      written.map(({ action, resource_id }: Record<string, unknown>) => [action, resource_id]).sort(),
      [
        ['api_key.revoke', keyId],
        ['feed_token.delete', String(token.id)],
      ],
    );
  });

  it('finds tokens of administrators, with their state and whether the secret is the real one', async () => {
    const live = await newAdministrator(apps, 'operator', [(await apps.newBrand()).brandId]);
    const [onlyId, wrong] = [
      await newAdministrator(apps, 'support', null),
      await newAdministrator(apps, 'administrator', null),
    ];
    const inAnHour = new Date(clock.now() + 3_600_000).toISOString();
    const expired = await newAdministrator(apps, 'support', null, { expires_at: inAnHour });
    clock.advance(3_600_000);
    const never = `bpa_${randomHex(24)}`;
    const kind = 'administrator_token';
    const found = { kind, brand_id: null, revoked: false };
    assert.deepEqual(
      await search(`${live.token}, ${onlyId.id} "${otherwise(wrong.token)}" ${expired.token}${'\n'}${never}`),
      [
        { ...found, id: live.id, name: 'Test operator', state: 'active', secret_matches: true },
        { ...found, id: onlyId.id, name: 'Test support', state: 'active', secret_matches: null },
        { ...found, id: wrong.id, name: 'Test administrator', state: 'active', secret_matches: false },
        { ...found, id: expired.id, name: 'Test support', state: 'expired', secret_matches: true },
        { ...found, id: never, name: null, state: 'unknown', secret_matches: null },
      ],
    );
    assert.equal((await live.client.get('/brands')).status, 200);
  });

  it('deletes administrators whose real token it finds, if an administrator asks', async () => {
    const { brandId, apiKey, client } = await apps.newBrand();
    const leaked = await newAdministrator(apps, 'administrator', null);
    const wrong = await newAdministrator(apps, 'support', null);
    const operator = await newAdministrator(apps, 'operator', [brandId]);
    const text = `${leaked.token} ${otherwise(wrong.token)} ${apiKey}`;
    const outcome = async (answer: Promise<{ json: { data: Record<string, unknown>[] } }>) =>
      (await answer).json.data.map(({ id, state, revoked }) => [id, state, revoked]);
    const entries = async () =>
      (await admin.get(`/audit?action=administrator.delete&resource=${leaked.id}`)).json.data;
    assert.deepEqual((await outcome(operator.client.post('/leaks', { text, revoke: true }))).slice(0, 2), [
      [leaked.id, 'active', false],
      [wrong.id, 'active', false],
    ]);
    assert.equal((await client.get('/catalog/status')).status, 401, 'the key of the own brand is revoked');
    assert.deepEqual([(await leaked.client.get('/brands')).status, await entries()], [200, []]);
    const [first, second] = await Promise.all([
      outcome(admin.post('/leaks', { text, revoke: true })),
      outcome(admin.post('/leaks', { text, revoke: true })),
    ]);
    const outcomes = [first[0], second[0]].sort((a, b) => String(a?.[1]).localeCompare(String(b?.[1])));
    assert.deepEqual(outcomes, [
      [leaked.id, 'deleted', true],
      [leaked.id, 'unknown', false],
    ]);
    assert.equal((await leaked.client.get('/brands')).status, 401);
    assert.equal((await wrong.client.get('/brands')).status, 200);
    const [entry, ...more] = await entries();
    assert.deepEqual([entry.actor, entry.details.name, more], ['admin-token', 'Test administrator', []]);
  });

  it('deletes the administrator who asks, if that is the leaked one', async () => {
    const own = await newAdministrator(apps, 'administrator', null);
    const { status, json } = await own.client.post('/leaks', { text: own.token, revoke: true });
    assert.deepEqual([status, json.data[0].state], [200, 'deleted']);
    assert.equal((await own.client.get('/brands')).status, 401);
    const { data } = (await admin.get(`/audit?resource=${own.id}&action=administrator.delete`)).json;
    assert.equal(data[0].actor, own.id);
  });

  it('revokes a key once if many ask at once', async () => {
    const { brandId, apiKey } = await apps.newBrand();
    const other = await apps.newKey(brandId);
    const texts = [`${apiKey} ${other.apiKey}`, `${other.apiKey} ${apiKey}`];
    const found = await Promise.all(
      Array.from({ length: 10 }, (_, index) => search(texts[index % 2] ?? '', true)),
    );
    for (const leaks of found)
      assert.deepEqual(
        leaks.map(({ state }: { state: string }) => state),
        ['revoked', 'revoked'],
      );
    const { data } = (await admin.get(`/audit?brand_id=${brandId}&action=api_key.revoke`)).json;
    assert.equal(data.length, 2);
  });

  it('neither logs, stores nor repeats the text', async () => {
    const { brandId, apiKey } = await apps.newBrand();
    // The log of the run is searched for it.
    const canary = `leak-box-canary-${randomBase62(20)}`;
    registerCanary(canary);
    await search(`${canary} ${apiKey} ${canary}`, true);
    const requestId = 'leak-box-refused';
    for (const body of [
      { text: [canary] },
      { text: canary, revoke: canary },
      { text: `${canary} ${Array.from({ length: 501 }, () => `cfk_${randomBase62(40)}`).join(' ')}` },
      `{"text": "${canary}`,
      { text: `${canary}${' '.repeat(1_100_000)}` },
    ]) {
      const answer = await admin.post('/leaks', body, { 'x-request-id': requestId });
      assert.ok([400, 413, 422].includes(answer.status), `${answer.status}`);
      assert.ok(!answer.text.includes(canary), answer.text);
      assert.ok(!JSON.stringify(answer.headers).includes(canary));
    }
    assert.equal((await admin.get(`/requests/${requestId}`)).status, 404);
    const tables = await sql<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema') order by 1`,
    );
    assert.ok(tables.length > 20);
    const secret = apiKey.split('.')[1];
    for (const { name } of tables) {
      const [row] = await sql<{ count: number }>(
        `select count(*) from ${name} t where strpos(t::text, $1) > 0 or strpos(t::text, $2) > 0`,
        [canary, secret],
      );
      assert.equal(Number(row?.count), 0, name);
    }
    assert.notEqual(brandId, 0);
  });
});

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
