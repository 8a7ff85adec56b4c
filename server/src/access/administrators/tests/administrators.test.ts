import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { signIn } from '../../sessions/tests/browser-client.ts';
import { internalClient, newAdministrator } from './new-administrator.ts';

const apps = await createTestApps();
const { admin, clock } = apps;
const { brandId } = await apps.newBrand({ name: 'Own' });

// [internal-124]
describe('an administrator', () => {
  it('has its own token, which is shown once and of which only the digest is stored', async () => {
    const body = { name: 'Ada', role: 'support', brand_ids: [brandId, brandId] };
    const { status, json } = await admin.post('/administrators', body);
    assert.equal(status, 201);
    const { id, token, created_at, ...rest } = json;
    assert.match(token, /^bpa_[0-9a-f]{24}\.[A-Za-z0-9]{40}$/);
    const [publicPart, secret] = token.split('.');
    assert.equal(publicPart, id);
    assert.ok(Math.abs(Date.parse(created_at) - Date.now()) < 60_000);
    assert.deepEqual(rest, {
      name: 'Ada',
      role: 'support',
      brand_ids: [brandId],
      expires_at: null,
      last_used_at: null,
      last_used_from: null,
    });
    const list = await admin.get('/administrators');
    assert.ok(list.json.data.some((one: { id: string }) => one.id === id));
    assert.ok(!list.text.includes(secret));
    const rows = await apps.sql<{ text: string }>('select a::text as text from administrators a');
    assert.ok(rows.length > 0 && rows.every(({ text }) => !text.includes(secret)));
  });

  it('is known to the audit by id and name', async () => {
    const { id, client } = await newAdministrator(apps, 'operator', [brandId], { name: 'Grace' });
    assert.equal((await client.patch(`/brands/${brandId}`, { name: 'Renamed' })).status, 200);
    const { json } = await admin.get('/audit?per_page=1');
    const { action, actor, actor_name, address, request_id } = json.data[0];
    assert.deepEqual([action, actor, actor_name], ['brand.update', id, 'Grace']);
    assert.ok(address !== null && request_id !== null);
    const csv = (await admin.get('/audit.csv?action=brand.update')).text.split('\n');
    const column = csv[0]?.split(',').indexOf('actor_name') ?? -1;
    assert.ok(column > 0 && csv[1]?.includes(`,${id},Grace,`), csv[1]);
  });

  it('signs in with its token, and its session has its role and brands', async () => {
    const { id, token } = await newAdministrator(apps, 'support', [brandId], { name: 'Linus' });
    const browser = await signIn(apps.internalApp, token);
    const { json } = await browser.get('/console/session');
    assert.deepEqual(
      [json.actor, json.actor_name, json.role, json.brand_ids],
      [id, 'Linus', 'support', [brandId]],
    );
    assertRefused(await browser.post('/internal/v1/brands', { name: 'No' }), 'forbidden');
    assert.equal((await browser.delete('/console/session')).status, 204);
  });

  it('is rejected once it is deleted, and its sessions end', async () => {
    const { id, token, client } = await newAdministrator(apps, 'administrator', null);
    const browser = await signIn(apps.internalApp, token);
    assert.equal((await client.get('/brands')).status, 200);
    assert.equal((await admin.delete(`/administrators/${id}`)).status, 204);
    assertRefused(await client.get('/brands'), 'unauthenticated');
    assertRefused(await browser.get('/console/session'), 'unauthenticated');
    for (const other of [id, 'bpa_x', '1', `${id}x`])
      assertRefused(await admin.delete(`/administrators/${other}`), 'not_found');
  });

  it('is rejected after its token has expired, and no session outlives the token', async () => {
    const expires_at = new Date(clock.now() + 3_600_000).toISOString();
    const { token, client } = await newAdministrator(apps, 'administrator', null, { expires_at });
    const browser = await signIn(apps.internalApp, token);
    assert.equal((await browser.get('/console/session')).json.expires_at, expires_at);
    assert.equal((await client.get('/brands')).status, 200);
    clock.advance(3_600_000);
    assertRefused(await client.get('/brands'), 'unauthenticated');
    assertRefused(await browser.get('/console/session'), 'unauthenticated');
  });

  it('is rejected with another secret, or none', async () => {
    const { id, token } = await newAdministrator(apps, 'administrator', null);
    const wrong = token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A');
    const unknown = `bpa_${'0'.repeat(24)}${token.slice(28)}`;
    for (const tried of [id, wrong, unknown, `${token}x`, token.toUpperCase()])
      assertRefused(await internalClient(apps, tried).get('/brands'), 'unauthenticated');
  });

  it('shows when and from where it was last used', async () => {
    const { id, client } = await newAdministrator(apps, 'administrator', null);
    await client.get('/brands');
    await apps.keyUsage.flush();
    const { json } = await admin.get('/administrators');
    const found = json.data.find((one: { id: string }) => one.id === id);
    assert.ok(Math.abs(Date.parse(found.last_used_at) - clock.now()) < 60_000);
    assert.equal(found.last_used_from, '127.0.0.1');
  });

  it('has brands that fit its role', async () => {
    const post = (role: string, more: object) => admin.post('/administrators', { name: 'X', role, ...more });
    const assertBrands = async (role: string, more: object) =>
      assertRefused(await post(role, more), 'validation_failed', ['brand_ids']);
    await assertBrands('administrator', { brand_ids: [brandId] });
    for (const more of [{}, { brand_ids: null }, { brand_ids: [] }]) await assertBrands('operator', more);
    await assertBrands('support', { brand_ids: [] });
    for (const role of ['operator', 'support'])
      await assertBrands(role, { brand_ids: [brandId, 2_147_483_647] });
    assertRefused(await post('owner', {}), 'validation_failed', ['role']);
    const past = new Date(clock.now() - 1).toISOString();
    assertRefused(await post('support', { expires_at: past }), 'validation_failed', ['expires_at']);
    assert.equal((await post('support', {})).json.brand_ids, null);
  });
});

// [internal-124]
describe('the list of sessions', () => {
  it('shows those that have not ended, and which one is asking', async () => {
    await apps.sql('delete from console_sessions');
    const { id, token } = await newAdministrator(apps, 'administrator', null);
    const browser = await signIn(apps.internalApp, token);
    const other = await signIn(apps.internalApp, token);
    const { json } = await browser.get('/internal/v1/sessions');
    assert.deepEqual(
      json.data.map((one: { actor: string; is_current: boolean }) => [one.actor, one.is_current]),
      [
        [id, false],
        [id, true],
      ],
    );
    assert.equal((await admin.delete(`/sessions/${json.data[0].id}`)).status, 204);
    assertRefused(await other.get('/internal/v1/brands'), 'unauthenticated');
    assert.equal((await browser.get('/internal/v1/sessions')).json.meta.total, 1);
    for (const unknown of [json.data[0].id, 0, 'x', '999999999999999'])
      assertRefused(await admin.delete(`/sessions/${unknown}`), 'not_found');
    clock.advance(61 * 60_000);
    assert.equal((await admin.get('/sessions')).json.meta.total, 0);
  });
});
