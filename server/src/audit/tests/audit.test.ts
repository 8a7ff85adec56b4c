import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Static } from 'typebox';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { sha256 } from '../../lib/secrets.ts';
import { serverInitiator } from '../../postgres/transaction.ts';
import { recordAudit } from '../audit-store.ts';
import type { AuditEntryWire } from '../audit-wire.ts';

const { admin, database, sql } = await createTestApps();

type Entry = Static<typeof AuditEntryWire>;

async function newBrandId(name = 'A'): Promise<number> {
  return (await admin.post('/brands', { name })).json.id;
}

/** The entries of a brand, the oldest first. */
async function entriesOf(brandId: number): Promise<Entry[]> {
  return (await admin.get(`/audit?brand_id=${brandId}&per_page=200`)).json.data.reverse();
}

const scopes = ['catalog.products:read'];

describe('the audit', () => {
  // [internal-47]
  it('has one entry for each change: when, what, on which resource, and no secret', async () => {
    const brand = await newBrandId('Maison Aurore');
    await admin.patch(`/brands/${brand}`, { name: 'Aurore', settings: { low_stock_threshold: 9 } });
    const { json: key } = await admin.post(`/brands/${brand}/keys`, { name: 'PIM', scopes });
    const { json: successor } = await admin.post(`/keys/${key.key_id}/rotate`);
    await admin.post(`/keys/${successor.key_id}/revoke`);
    await admin.delete(`/keys/${successor.key_id}`);
    const { json: token } = await admin.post(`/brands/${brand}/feed-tokens`, { name: 'ERP' });
    await admin.delete(`/feed-tokens/${token.id}`);

    const entries = await entriesOf(brand);
    const id = String(brand);
    const tokenId = String(token.id);
    const changes = {
      name: { from: 'Maison Aurore', to: 'Aurore' },
      'settings.low_stock_threshold': { from: 5, to: 9 },
    };
    assert.deepEqual(
      entries.map((entry) => [entry.action, entry.resource_type, entry.resource_id, entry.details]),
      [
        ['brand.create', 'brand', id, { name: 'Maison Aurore' }],
        ['brand.update', 'brand', id, { changes }],
        ['api_key.create', 'api_key', key.key_id, { name: 'PIM', scopes, expires_at: null }],
        ['api_key.rotate', 'api_key', key.key_id, { successor_key_id: successor.key_id }],
        ['api_key.revoke', 'api_key', successor.key_id, { name: 'PIM' }],
        ['api_key.delete', 'api_key', successor.key_id, { name: 'PIM' }],
        ['feed_token.create', 'feed_token', tokenId, { name: 'ERP' }],
        ['feed_token.delete', 'feed_token', tokenId, { name: 'ERP' }],
      ],
    );
    assert.ok(entries.every((entry) => Math.abs(Date.parse(entry.at) - Date.now()) < 60_000));
    assert.deepEqual(Object.keys(entries[0] as Entry), [
      ...['id', 'at', 'action', 'brand_id', 'resource_type', 'resource_id', 'details'],
      ...['actor', 'actor_name', 'address', 'request_id', 'brand_name', 'resource_name'],
    ]);

    const served = (await admin.get('/audit?per_page=200')).text;
    const stored = JSON.stringify(await sql('select * from audit_entries'));
    const secrets = [key.api_key.slice(29), successor.api_key.slice(29), token.token, token.token.slice(4)];
    for (const secret of secrets)
      for (const hidden of [secret, sha256(secret).toString('hex'), sha256(secret).toString('base64')])
        assert.ok(!served.includes(hidden) && !stored.includes(hidden));
  });

  it('has no entry for what changed nothing', async () => {
    const brand = await newBrandId();
    const { json: key } = await admin.post(`/brands/${brand}/keys`, { name: 'PIM', scopes });
    await Promise.all(Array.from({ length: 10 }, () => admin.post(`/keys/${key.key_id}/revoke`)));
    await admin.post(`/keys/${key.key_id}/rotate`);
    await admin.patch(`/brands/${brand}`, { name: 'A', settings: {} });
    await admin.patch(`/brands/${brand}`, { name: null });
    await admin.post(`/brands/${brand}/keys`, { name: 'PIM', scopes: [] });
    await admin.post(`/brands/${brand}/keys`, { name: 'PIM', scopes, expires_at: '2020-01-01T00:00:00Z' });
    const actions = (await entriesOf(brand)).map((entry) => entry.action);
    assert.deepEqual(actions, ['brand.create', 'api_key.create', 'api_key.revoke']);
  });

  it('has one rotation when 20 rotate at once', async () => {
    const brand = await newBrandId();
    const { json: key } = await admin.post(`/brands/${brand}/keys`, { name: 'PIM', scopes });
    await Promise.all(Array.from({ length: 20 }, () => admin.post(`/keys/${key.key_id}/rotate`)));
    const actions = (await entriesOf(brand)).map((entry) => entry.action);
    assert.deepEqual(actions, ['brand.create', 'api_key.create', 'api_key.rotate']);
  });

  it('loses the entry with the change when the transaction rolls back', async () => {
    const brandId = await newBrandId();
    const failing = database.auditedTransaction(serverInitiator('job test'), async (tx) => {
      const entry = { brandId, resourceType: 'brand', resourceId: String(brandId), details: {} };
      await recordAudit(tx, { action: 'brand.update', ...entry });
      throw new Error('rolled back');
    });
    await assert.rejects(failing, /rolled back/);
    assert.equal((await entriesOf(brandId)).length, 1);
  });
});

function renamed(from: string, to: string): object {
  return { changes: { name: { from, to } } };
}

describe('the audit list', () => {
  // [internal-47]
  it('is newest first, filtered by brand and action, page by page', async () => {
    const brand = await newBrandId();
    const other = await newBrandId();
    for (const name of ['B', 'C', 'D']) await admin.patch(`/brands/${brand}`, { name });
    await admin.patch(`/brands/${other}`, { name: 'E' });

    const all = (await admin.get('/audit')).json.data as Entry[];
    assert.deepEqual(
      all.map((entry) => entry.id),
      all.map((entry) => entry.id).sort((a, b) => b - a),
    );
    assert.deepEqual(
      [all[0]?.brand_id, all[0]?.details],
      [other, { changes: { name: { from: 'A', to: 'E' } } }],
    );

    const updates = (await admin.get('/audit?action=brand.update&per_page=4')).json;
    assert.deepEqual(
      updates.data.map((entry: Entry) => entry.brand_id),
      [other, brand, brand, brand],
    );
    const both = `/audit?action=brand.update&brand_id=${brand}&per_page=2`;
    const { json: first } = await admin.get(both);
    const { json: second } = await admin.get(`${both}&page=2`);
    assert.deepEqual(first.meta, { current_page: 1, per_page: 2, total: 3, last_page: 2 });
    assert.deepEqual(
      [...first.data, ...second.data].map((entry: Entry) => entry.details),
      [renamed('C', 'D'), renamed('B', 'C'), renamed('A', 'B')],
    );
  });

  it('is empty for a brand or an action that nobody knows', async () => {
    for (const query of [
      'brand_id=2147483647',
      'action=nothing',
      'action=',
      'action=brand.update%27%20or%201=1',
    ])
      assert.deepEqual((await admin.get(`/audit?${query}`)).json, {
        data: [],
        meta: { current_page: 1, per_page: 50, total: 0, last_page: 1 },
      });
  });

  const wrong = [
    'brand_id=0',
    'brand_id=-1',
    'brand_id=x',
    'brand_id=',
    'brand_id=1.5',
    'brand_id=2147483648',
  ];
  for (const query of [
    ...wrong,
    'brand_id=1&brand_id=2',
    'action=a%00b',
    'action=a&action=b',
    'page=0',
    'per_page=x',
  ])
    it(`refuses ${query}`, async () => {
      const { status, json } = await admin.get(`/audit?${query}`);
      assert.deepEqual([status, Object.keys(json.errors)], [422, [query.split('=')[0]]]);
    });
});
