import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { newAdministrator } from '../../administrators/tests/new-administrator.ts';
import { keyIssuer, newKeyBody } from './key-issuer.ts';

const apps = await createTestApps();
const { admin, clock, newBrand, sql } = apps;
const { brandId } = await newBrand({ name: 'Maison Aurore' });
const { newKey, statusOf } = keyIssuer(apps, brandId);
const day = 86_400_000;
const inDays = (days: number) => new Date(clock.now() + days * day).toISOString();

// [internal-198]
describe('PATCH of a key', () => {
  it('renames it, moves its expiry and takes scopes away, in the order that it had', async () => {
    const key = await newKey({
      scopes: ['catalog.products:read', 'catalog.stock:read', 'catalog.products:write'],
    });
    const change = {
      name: 'é'.repeat(255),
      expires_at: inDays(3),
      scopes: ['catalog.products:write', 'catalog.products:read', 'catalog.products:read'],
    };
    const { status, json, headers } = await admin.patch(`/keys/${key.key_id}`, change);
    assert.equal(status, 200);
    assert.deepEqual(
      [json.name, json.expires_at, json.scopes],
      [change.name, change.expires_at, ['catalog.products:read', 'catalog.products:write']],
    );
    const stored = await admin.get(`/keys/${key.key_id}`);
    assert.equal(stored.headers['etag'], headers['etag']);
    assert.deepEqual(stored.json.scopes, json.scopes);
    const { json: audit } = await admin.get(`/audit?resource=${key.key_id}&action=api_key.update`);
    assert.deepEqual(audit.data[0].details.changes.name, { from: newKeyBody.name, to: change.name });
    assert.equal(audit.data.length, 1);
  });

  it('shuts a key out of what it lost, with the next request', async () => {
    const key = await newKey({ scopes: ['catalog.products:read', 'catalog.stock:read'] });
    const products = () => apps.clientWith(key.api_key).get('/catalog/products');
    assert.equal((await products()).status, 200);
    await admin.patch(`/keys/${key.key_id}`, { scopes: ['catalog.stock:read'] });
    assert.equal((await products()).status, 403);
  });

  it('refuses scopes that the key lacks, none at all, and an expiry in the past; then nothing changes', async () => {
    const key = await newKey({ scopes: ['catalog.products:read'] });
    const before = (await admin.get(`/keys/${key.key_id}`)).text;
    const wrong: [object, string][] = [
      [{ scopes: ['catalog.products:read', 'catalog.stock:read'] }, 'scopes'],
      [{ scopes: [] }, 'scopes'],
      [{ expires_at: inDays(-1) }, 'expires_at'],
      [{ name: '' }, 'name'],
      [{ name: 'x'.repeat(256) }, 'name'],
    ];
    for (const [body, field] of wrong) {
      const { status, json } = await admin.patch(`/keys/${key.key_id}`, { name: 'Other', ...body });
      assert.deepEqual([status, Object.keys(json.errors)], [422, [field]], JSON.stringify(body));
    }
    assert.equal((await admin.get(`/keys/${key.key_id}`)).text, before);
  });

  it('brings back a key that has expired, and refuses a revoked one with 409', async () => {
    const expired = await newKey({ expires_at: inDays(1) });
    await sql(`update api_keys set expires_at = now() - interval '1 hour' where key_id = $1`, [
      expired.key_id,
    ]);
    assert.equal(await statusOf(expired.api_key), 401);
    assert.equal((await admin.patch(`/keys/${expired.key_id}`, { name: 'Renamed' })).status, 200);
    assert.equal(await statusOf(expired.api_key), 401);
    assert.equal((await admin.patch(`/keys/${expired.key_id}`, { expires_at: null })).status, 200);
    assert.equal(await statusOf(expired.api_key), 200);
    await admin.post(`/keys/${expired.key_id}/revoke`);
    const { status, json } = await admin.patch(`/keys/${expired.key_id}`, { name: 'Again' });
    assert.deepEqual([status, json.code], [409, 'conflict']);
  });

  it('lets one of two administrators win who read the same state', async () => {
    const key = await newKey();
    const { headers } = await admin.get(`/keys/${key.key_id}`);
    const match = { 'if-match': headers['etag'] as string };
    const both = await Promise.all(
      ['A', 'B'].map((name) => admin.patch(`/keys/${key.key_id}`, { name }, match)),
    );
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 412]);
    assert.equal((await admin.patch(`/keys/${key.key_id}`, {}, match)).status, 412);
    assert.equal((await admin.patch(`/keys/${key.key_id}`, {}, { 'if-match': '*' })).status, 200);
  });

  it('is 404 for another brand’s operator and for an unknown key', async () => {
    const key = await newKey();
    const { brandId: other } = await newBrand();
    const { client: operator } = await newAdministrator(apps, 'operator', [other]);
    assert.equal((await operator.patch(`/keys/${key.key_id}`, { name: 'Mine' })).status, 404);
    assert.equal((await admin.patch(`/keys/tuk_${'0'.repeat(24)}`, { name: 'None' })).status, 404);
  });
});

// [internal-197] [internal-199]
describe('GET /keys', () => {
  it('finds keys of all brands by a part of the name or the start of the id, and sorts', async () => {
    const { brandId: other } = await newBrand({ name: 'Zweite' });
    const made: string[] = [];
    for (const [brand, name] of [
      [brandId, 'Straße ODER b'],
      [other, 'straSSe oder a'],
      [other, 'Straße oder C'],
    ])
      made.push((await admin.post(`/brands/${brand}/keys`, { ...newKeyBody, name })).json.key_id);
    const ids = async (query: string) =>
      (await admin.get(`/keys?${query}`)).json.data.map((key: { key_id: string }) => key.key_id);
    assert.deepEqual(await ids('q=ODER&sort=name'), [made[1], made[0], made[2]]);
    assert.deepEqual(await ids('q=oder&sort=-created_at'), [made[2], made[1], made[0]]);
    assert.deepEqual(await ids(`q=oder&brand_id=${other}`), [made[2], made[1]]);
    assert.deepEqual(await ids(`q=${made[0]?.slice(0, 20)}`), [made[0]]);
    assert.deepEqual(await ids('q=%25'), []);
    assert.deepEqual(await ids(`key_id=${made[2]},tuk_none,${made[0]}`), [made[2], made[0]]);
    const { json } = await admin.get('/keys?q=oder%20c');
    assert.equal(json.data[0].brand_name, 'Zweite');
    const { client: operator } = await newAdministrator(apps, 'operator', [other]);
    assert.equal((await operator.get('/keys?q=oder')).json.meta.total, 2);
    assert.equal((await admin.get('/keys?sort=secret')).status, 422);
  });

  it('filters by what needs attention', async () => {
    const { brandId: brand } = await newBrand();
    const keys = keyIssuer(apps, brand);
    const make = async (change: string, body: object = {}) => {
      const key = await keys.newKey(body);
      if (change !== '') await sql(`update api_keys set ${change} where key_id = $1`, [key.key_id]);
      return key.key_id;
    };
    await sql('delete from api_keys where brand_id = $1', [brand]);
    const fresh = await make('');
    const expiring = await make('', { expires_at: inDays(29) });
    const later = await make('', { expires_at: inDays(31) });
    const expired = await make(`expires_at = now() - interval '1 hour'`);
    const revoked = await make(`revoked_at = now(), last_used_at = now() - interval '90 days'`);
    const unused = await make(`created_at = now() - interval '91 days'`);
    const idle = await make(
      `created_at = now() - interval '1 year', last_used_at = now() - interval '91 days'`,
    );
    const refused = await make(`last_refused_at = now() - interval '23 hours'`);
    await make(`last_refused_at = now() - interval '25 hours'`);
    const limited = await make('');
    await admin.put(`/keys/${limited}/limits`, { catalog_reads: 100 });
    const next = await make('', { replaces_key_id: fresh });
    const found = async (state: string) => {
      const { json } = await admin.get(`/keys?brand_id=${brand}&state=${state}&sort=created_at`);
      return json.data.map((key: { key_id: string }) => key.key_id).sort();
    };
    assert.deepEqual(await found('expiring'), [expiring]);
    assert.deepEqual(await found('expired'), [expired]);
    assert.deepEqual(await found('revoked'), [revoked]);
    assert.deepEqual(await found('unused'), [unused, idle].sort());
    assert.deepEqual(await found('refused'), [refused]);
    assert.deepEqual(await found('limited'), [limited]);
    assert.deepEqual(await found('overlapping'), [next]);
    const active = await found('active');
    assert.ok(active.includes(later) && !active.includes(expired) && !active.includes(revoked));
  });
});
