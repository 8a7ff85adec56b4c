import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused, waitingForLocks } from '../../../test/support/assert-refused.ts';
import { createTestApps, testAdminToken } from '../../../test/support/test-apps.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { internalClient, newAdministrator } from '../../access/administrators/tests/new-administrator.ts';
import { AdminToken } from '../../access/authentication/authentication.ts';
import { answered, countOutcome } from '../../access/idempotency/tests/replays.ts';
import { createInternalApp } from '../internal-app.ts';

const apps = await createTestApps();
const { admin, sql, clock } = apps;
const { brandId } = await apps.newBrand();
const day = 24 * 60 * 60 * 1000;
const scopes = ['catalog.products:read'];
const keyed = (key: string) => ({ 'idempotency-key': key });
const count = async (from: string) =>
  Number((await sql<{ n: number }>(`select count(*) as n from ${from}`))[0]?.n);

/** The creations, what they insert into, and the field of their secret. */
const creations = [
  { path: '/brands', body: { name: 'Once' }, table: 'brands', secret: null },
  { path: `/brands/${brandId}/keys`, body: { name: 'Once', scopes }, table: 'api_keys', secret: 'api_key' },
  { path: `/brands/${brandId}/feed-tokens`, body: { name: 'Once' }, table: 'feed_tokens', secret: 'token' },
  {
    path: '/administrators',
    body: { name: 'Once', role: 'support' },
    table: 'administrators',
    secret: 'token',
  },
] as const;

// [internal-185] [D260]
describe('a creation of an administrator with an Idempotency-Key', () => {
  for (const { path, body, table, secret } of creations) {
    it(`runs once: POST ${path.replace(/\d+/, '{id}')}`, async () => {
      const before = await count(table);
      const audited = await count('audit_entries');
      const first = await admin.post(path, body, keyed(`once${path}`));
      const again = await admin.post(path, body, keyed(`once${path}`));
      assert.deepEqual([first.status, first.headers['idempotency-replayed']], [201, undefined]);
      assert.deepEqual([again.status, again.headers['idempotency-replayed']], [201, 'true']);
      assert.deepEqual(again.json, secret === null ? first.json : { ...first.json, [secret]: null });
      assert.equal(await count(table), before + 1);
      assert.equal(await count('audit_entries'), audited + 1);
      assertRefused(
        await admin.post(path, { ...body, name: 'Other' }, keyed(`once${path}`)),
        'idempotency_key_reuse',
      );
      if (secret !== null) {
        const plaintext = String(first.json[secret]).slice(-20);
        const stored = await sql('select 1 from idempotency_records r where r::text like $1', [
          `%${plaintext}%`,
        ]);
        assert.deepEqual(stored, []);
      }
    });

    it(`runs once when many come at once: POST ${path.replace(/\d+/, '{id}')}`, async () => {
      const before = await count(table);
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => admin.post(path, body, keyed(`many${path}`))),
      );
      assert.equal(await count(table), before + 1);
      const created = answers.filter(({ status }) => status === 201);
      assert.equal(created.filter(({ headers }) => headers['idempotency-replayed'] === undefined).length, 1);
      for (const answer of answers) if (answer.status !== 201) assertRefused(answer, 'idempotency_conflict');
    });
  }

  it('is a rotation as well: the retry does not find a revoked key', async () => {
    const { keyId } = await apps.newKey(brandId);
    const first = await admin.post(`/keys/${keyId}/rotate`, {}, keyed('rotate'));
    const again = await admin.post(`/keys/${keyId}/rotate`, {}, keyed('rotate'));
    assert.deepEqual(again.json, { ...first.json, api_key: null });
    assertRefused(await admin.post(`/keys/${keyId}/rotate`, {}), 'conflict');
    assertRefused(
      await admin.post(`/keys/${first.json.key_id}/rotate`, {}, keyed('rotate')),
      'idempotency_key_reuse',
    );
  });

  it('keeps the keys of administrators apart, and the sessions of one together', async () => {
    const [one, two] = [
      await newAdministrator(apps, 'administrator', null),
      await newAdministrator(apps, 'administrator', null),
    ];
    const send = (client: typeof admin) => client.post('/brands', { name: 'Apart' }, keyed('apart'));
    const first = await send(one.client);
    assert.notEqual((await send(two.client)).json.id, first.json.id);
    assert.equal((await send(internalClient(apps, one.token))).json.id, first.json.id);
  });

  it('has its record where the version before looks for it, during a rolling restart', async () => {
    await admin.post('/brands', { name: 'Rolling' }, keyed('rolling'));
    const found = await sql(
      `select brand_id, lineage_id = ('x' || left(encode(sha256('admin-token'), 'hex'), 12))::bit(48)::bigint as "isActor"
       from idempotency_records where idempotency_key = 'rolling'`,
    );
    assert.deepEqual(found, [{ brand_id: 0, isActor: true }]);
  });

  it('refuses a bad key before the body, and leaves the key free after a failure', async () => {
    const before = await count('brands');
    for (const key of ['x'.repeat(192), 'two words', 'clé'])
      assertRefused(await admin.post('/brands', { name: '' }, keyed(key)), 'validation_failed', [
        'idempotency_key',
      ]);
    const longest = keyed('x'.repeat(191));
    assertRefused(await admin.post('/brands', { name: '' }, longest), 'validation_failed', ['name']);
    assert.equal((await admin.post('/brands', { name: 'Free' }, longest)).status, 201);
    assert.equal((await admin.post('/brands', { name: 'Empty' }, keyed(''))).status, 201);
    assert.equal(await count('brands'), before + 2);
  });

  it('is forgotten after 24 hours', async () => {
    const send = () => admin.post('/brands', { name: 'Daily' }, keyed('daily'));
    const first = await send();
    clock.advance(day - 60_000);
    assert.equal((await send()).json.id, first.json.id);
    clock.advance(120_000);
    assert.notEqual((await send()).json.id, first.json.id);
  });

  it('is a conflict while the first runs, also in another process', async () => {
    const other = createInternalApp({
      ...apps.services,
      adminToken: new AdminToken(testAdminToken),
      consoleAllowsHttp: false,
    });
    const { brandId: held } = await apps.newBrand();
    const holder = await apps.database.pool.connect();
    await holder.query('begin');
    await holder.query('select 1 from brands where id = $1 for update', [held]);
    const conflicts = await countOutcome(apps, 'conflict');
    const send = (client: typeof admin) =>
      client.post(`/brands/${held}/keys`, { name: 'K', scopes }, keyed('held'));
    const first = send(admin);
    await waitFor('the first request to wait', () => waitingForLocks(apps));
    assertRefused(await send(admin), 'idempotency_conflict');
    assertRefused(await send(internalClient({ internalApp: other }, testAdminToken)), 'idempotency_conflict');
    assert.equal(await countOutcome(apps, 'conflict'), conflicts + 2);
    await holder.query('commit');
    holder.release();
    const { api_key: _, ...rest } = (await first).json;
    assert.deepEqual((await send(admin)).json, { ...rest, api_key: null });
    await other.close();
  });

  it('finds the request by its id, and belongs to no brand', async () => {
    const { headers } = await admin.post(
      '/brands',
      { name: 'Traced' },
      { ...keyed('traced'), 'x-request-id': 'traced-1' },
    );
    const { json } = await admin.get(`/requests/${headers['x-request-id']}`);
    const found = JSON.stringify(json);
    assert.match(found, /"kind":"idempotency_key"/);
    assert.doesNotMatch(found, /"brand_id":0/);
    assert.deepEqual((await admin.get(`/brands/${brandId}/idempotency-keys/traced`)).json.data, []);
  });
});

describe('an aggregation with an Idempotency-Key', () => {
  it('is not repeated by a retry, within a request and as a job', async () => {
    const path = `/brands/${brandId}/aggregations`;
    for (const [body, status, key] of [
      [{ from: '2026-03-01', to: '2026-03-02' }, 200, 'short'],
      [{ from: '2026-01-01', to: '2026-03-02' }, 202, 'long'],
    ] as const) {
      const audited = await count('audit_entries');
      const first = await admin.post(path, body, keyed(key));
      const again = await admin.post(path, body, keyed(key));
      assert.equal(first.status, status);
      assert.deepEqual(answered(again), answered(first));
      assert.equal(again.headers['idempotency-replayed'], 'true');
      assert.equal(await count('audit_entries'), audited + 1);
    }
  });

  it('is a conflict while the first runs', async () => {
    const send = () =>
      admin.post(
        `/brands/${brandId}/aggregations`,
        { from: '2026-03-01', to: '2026-03-31' },
        keyed('running'),
      );
    const answers = await Promise.all([send(), send(), send()]);
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    for (const answer of answers) if (answer.status !== 200) assertRefused(answer, 'idempotency_conflict');
    assert.equal((await send()).headers['idempotency-replayed'], 'true');
  });
});
