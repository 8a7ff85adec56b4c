import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { smallLimits } from '../../../../test/support/limits.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { ok } from '../../../catalog/tests/new-axes.ts';
import { newAdministrator } from '../../administrators/tests/new-administrator.ts';

const apps = await createTestApps({ limits: smallLimits });
const { admin, clock } = apps;

interface Limit {
  readonly bucket: string;
  readonly key_id: string | null;
  readonly limit: number | null;
  readonly own: boolean;
  readonly until: string | null;
}

const shown = ({ bucket, limit, own, until }: Limit) => [bucket, limit, own, until];
const inMs = (ms: number) => new Date(clock.now() + ms).toISOString();

/** The statuses of requests that are sent at once, as numbers by status. */
async function countStatuses(send: () => Promise<{ status: number }>, count: number) {
  const answers = await Promise.all(Array.from({ length: count }, send));
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

// [internal-182]
describe('the own limits of a key', () => {
  it('hold from the next request on, exactly, are in the headers, and replace all earlier ones', async () => {
    const { brandId, keyId, client } = await apps.newBrand();
    const { data } = await ok(admin.put(`/keys/${keyId}/limits`, { catalog_reads: 7 }));
    assert.deepEqual(data.map(shown), [
      ['catalog_reads', 7, true, null],
      ['catalog_writes', 2, false, null],
      ['analytics_key', 5, false, null],
    ]);
    const { headers } = await client.get('/catalog/products');
    assert.deepEqual([headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']], ['7', '6']);
    assert.deepEqual(await countStatuses(() => client.get('/catalog/products'), 9), { 200: 6, 429: 3 });
    const next = await ok(admin.put(`/keys/${keyId}/limits`, { catalog_writes: 1, analytics: null }));
    assert.deepEqual(next.data.map(shown), [
      ['catalog_reads', 3, false, null],
      ['catalog_writes', 1, true, null],
      ['analytics_key', 5, false, null],
    ]);
    const listed = await ok(admin.get(`/brands/${brandId}/limits`));
    assert.deepEqual(listed.data.filter(({ own }: Limit) => own).map(shown), [
      ['catalog_writes', 1, true, null],
    ]);
  });

  it('end at their time, and a deletion ends them at once', async () => {
    const { brandId, keyId, client } = await apps.newBrand();
    const until = inMs(60_000);
    await ok(admin.put(`/keys/${keyId}/limits`, { catalog_reads: 8, until }));
    assert.equal((await client.get('/catalog/products')).headers['x-ratelimit-limit'], '8');
    const ofKey = async () =>
      (await ok(admin.get(`/brands/${brandId}/limits`))).data.filter(({ key_id }: Limit) => key_id !== null);
    assert.deepEqual(shown((await ofKey())[0]), ['catalog_reads', 8, true, until]);
    clock.advance(60_000);
    assert.equal((await client.get('/catalog/products')).headers['x-ratelimit-limit'], '3');
    assert.deepEqual(shown((await ofKey())[0]), ['catalog_reads', 3, false, null]);
    await ok(admin.put(`/keys/${keyId}/limits`, { catalog_reads: 9 }));
    for (const _ of [1, 2]) await ok(admin.delete(`/keys/${keyId}/limits`), 204);
    assert.equal((await client.get('/catalog/products')).headers['x-ratelimit-limit'], '3');
  });

  it('go over to a rotated key and to one that replaces it, and not to another one', async () => {
    const { brandId, keyId } = await apps.newBrand();
    const until = inMs(3_600_000);
    await ok(admin.put(`/keys/${keyId}/limits`, { catalog_writes: 6_000, until }));
    const overlap = await apps.newKey(brandId, undefined, { replaces_key_id: keyId });
    const rotated = await ok(admin.post(`/keys/${keyId}/rotate`), 201);
    const other = await apps.newKey(brandId);
    const { data } = await ok(admin.get(`/brands/${brandId}/limits`));
    const own = data.filter((limit: Limit) => limit.own).map(({ key_id }: Limit) => key_id);
    assert.deepEqual(own.toSorted(), [overlap.keyId, rotated.key_id].toSorted());
    assert.ok(!own.includes(other.keyId));
  });

  it('are refused outside of their range, in the past, and by roles and brands that may not', async () => {
    const { brandId, keyId } = await apps.newBrand();
    const path = `/keys/${keyId}/limits`;
    for (const [body, field] of [
      [{ catalog_reads: 0 }, 'catalog_reads'],
      [{ catalog_writes: 1_000_001 }, 'catalog_writes'],
      [{ analytics: 1.5 }, 'analytics'],
      [{ analytics: '5' }, 'analytics'],
      [{ until: 'tomorrow' }, 'until'],
      [{}, 'body'],
      [{ catalog_reads: null, until: inMs(1_000) }, 'body'],
      [{ catalog_reads: 5, until: inMs(-1_000) }, 'until'],
    ] as const) {
      const { status, json } = await admin.put(path, body);
      assert.deepEqual([status, Object.keys(json.errors ?? {})], [422, [field]], JSON.stringify(body));
    }
    for (const value of [1, 1_000_000]) await ok(admin.put(path, { catalog_reads: value }));
    const some = { analytics: 5 };
    assertRefused(await admin.put(`/keys/tuk_${'0'.repeat(24)}/limits`, some), 'not_found');
    assertRefused(await admin.put('/brands/999999/limits', some), 'not_found');
    const none = await admin.put(`/brands/${brandId}/limits`, { catalog: null });
    assert.deepEqual(none.json.errors, {
      body: ['must have a limit; DELETE gives the configured limits back'],
    });
    const operator = await newAdministrator(apps, 'operator', [brandId]);
    const support = await newAdministrator(apps, 'support', [brandId]);
    const foreign = await newAdministrator(apps, 'operator', [(await apps.newBrand()).brandId]);
    for (const target of [path, `/brands/${brandId}/limits`]) {
      await ok(operator.client.put(target, some));
      assert.equal((await support.client.put(target, some)).status, 403);
      assert.equal((await support.client.delete(target)).status, 403);
      assertRefused(await foreign.client.put(target, some), 'not_found');
      assertRefused(await foreign.client.delete(target), 'not_found');
    }
  });

  it('are audited with the old and the new values, and not if nothing changes', async () => {
    const { keyId } = await apps.newBrand();
    const until = inMs(60_000);
    await ok(admin.put(`/keys/${keyId}/limits`, { catalog_reads: 5 }));
    for (const _ of [1, 2]) await ok(admin.put(`/keys/${keyId}/limits`, { catalog_reads: 6, until }));
    await ok(admin.delete(`/keys/${keyId}/limits`), 204);
    const { data } = await ok(admin.get(`/audit?resource=${keyId}&action=api_key.limit`));
    const changes = data.map(({ details }: { details: { changes: unknown } }) => details.changes);
    assert.deepEqual(changes, [
      { catalog_key_reads: { from: 6, to: null }, until: { from: until, to: null } },
      { catalog_key_reads: { from: 5, to: 6 }, until: { from: null, to: until } },
      { catalog_key_reads: { from: null, to: 5 } },
    ]);
  });
});

// [internal-182]
describe('the own limits of a brand', () => {
  it('count all its keys and its feed tokens, exactly, with those of a key as well', async () => {
    const { brandId, keyId, client } = await apps.newBrand();
    const second = await apps.newKey(brandId);
    const { data } = await ok(admin.put(`/brands/${brandId}/limits`, { catalog: 5, analytics: 1_000 }));
    assert.deepEqual(data.map(shown), [
      ['catalog_brand', 5, true, null],
      ['analytics_brand', 1_000, true, null],
    ]);
    await ok(admin.put(`/keys/${keyId}/limits`, { catalog_reads: 50 }));
    const counts = await countStatuses(() => client.get('/catalog/products'), 4);
    assert.deepEqual(counts, { 200: 4 });
    assert.deepEqual(await countStatuses(() => second.client.get('/catalog/products'), 3), {
      200: 1,
      429: 2,
    });
    const { token } = await ok(admin.post(`/brands/${brandId}/feed-tokens`, { name: 'ERP' }), 201);
    const { statusCode } = await apps.clientApp.inject({
      method: 'POST',
      url: '/v1/catalog/stock/feeds',
      payload: {},
      headers: { authorization: `Bearer ${token}` },
    });
    assert.equal(statusCode, 429);
    await ok(admin.delete(`/brands/${brandId}/limits`), 204);
    assert.deepEqual(await countStatuses(() => second.client.get('/catalog/products'), 1), { 200: 1 });
  });
});

// [internal-182]
describe('a limit of a key above that of its brand', () => {
  const warned = async (path: string, body: object) =>
    (await ok(admin.put(path, body))).warnings.map((text: string) => text.replace(/, which.*/, ''));

  it('is a warning when it is set, for what counts for the brand now, and none where that has no limit', async () => {
    const { brandId, keyId } = await apps.newBrand();
    const [ofKey, ofBrand] = [`/keys/${keyId}/limits`, `/brands/${brandId}/limits`];
    const above = (name: string, limit: number, most: number) =>
      `${name} of the key ${keyId}: ${limit} a minute is more than the ${most} of all keys of the brand`;
    assert.deepEqual(await warned(ofKey, { catalog_reads: 10, analytics: 9_000 }), []);
    assert.deepEqual(await warned(ofKey, { catalog_reads: 11, catalog_writes: 12 }), [
      above('catalog_reads', 11, 10),
      above('catalog_writes', 12, 10),
    ]);
    assert.deepEqual(await warned(ofBrand, { catalog: 12, analytics: 4, until: inMs(60_000) }), []);
    assert.deepEqual(await warned(ofKey, { catalog_reads: 12, analytics: 5 }), [
      above('analytics_key', 5, 4),
    ]);
    clock.advance(60_000);
    assert.deepEqual(await warned(ofKey, { catalog_reads: 12, analytics: 5 }), [
      above('catalog_reads', 12, 10),
    ]);
  });

  it('is a warning when that of the brand is set lower, for active keys and limits that still count', async () => {
    const { brandId, keyId } = await apps.newBrand();
    const [second, ended, revoked] = [
      await apps.newKey(brandId),
      await apps.newKey(brandId),
      await apps.newKey(brandId),
    ];
    for (const key of [keyId, second.keyId, revoked.keyId])
      await ok(admin.put(`/keys/${key}/limits`, { catalog_writes: 500 }));
    await ok(admin.put(`/keys/${ended.keyId}/limits`, { catalog_writes: 500, until: inMs(1_000) }));
    clock.advance(1_000);
    await ok(admin.post(`/keys/${revoked.keyId}/revoke`));
    const path = `/brands/${brandId}/limits`;
    assert.deepEqual(await warned(path, { catalog: 500 }), []);
    const warnings = await warned(path, { catalog: 499 });
    assert.deepEqual(
      warnings.map((text: string) => /tuk_\w+/.exec(text)?.[0]),
      [second.keyId, keyId],
    );
    assert.equal(
      (await warned(path, { analytics: 1 })).length,
      2,
      'the configured limit of the catalog is 10',
    );
  });
});

// [platform-93]
describe('the limits that /status tells', () => {
  const told = async (client: (typeof apps)['admin']) => [
    (await ok(client.get('/catalog/status'))).rate_limits,
    (await ok(client.get('/analytics/status'))).rate_limits,
  ];
  const configured = [
    { reads_per_minute: 3, writes_per_minute: 2, brand_per_minute: 10 },
    { key_per_minute: 5, brand_per_minute: 0 },
  ];

  it('are the configured ones, and 0 where there is none', async () => {
    const { client } = await apps.newBrand();
    assert.deepEqual(await told(client), configured);
  });

  it('are the own ones of key and brand from the next request on, until they end', async () => {
    const { client, keyId, brandId } = await apps.newBrand();
    const other = await apps.newKey(brandId);
    await ok(
      admin.put(`/keys/${keyId}/limits`, { catalog_writes: 6_000, analytics: 7, until: inMs(60_000) }),
    );
    await ok(admin.put(`/brands/${brandId}/limits`, { catalog: 9_000, analytics: 8_000 }));
    const ofBrand = { ...configured[0], brand_per_minute: 9_000 };
    assert.deepEqual(await told(client), [
      { ...ofBrand, writes_per_minute: 6_000 },
      { key_per_minute: 7, brand_per_minute: 8_000 },
    ]);
    const analytics = { key_per_minute: 5, brand_per_minute: 8_000 };
    assert.deepEqual(await told(other.client), [ofBrand, analytics]);
    clock.advance(60_000);
    assert.deepEqual(await told(client), [ofBrand, analytics]);
    await ok(admin.delete(`/brands/${brandId}/limits`), 204);
    assert.deepEqual((await ok(client.get('/catalog/status'))).rate_limits, configured[0]);
  });
});
