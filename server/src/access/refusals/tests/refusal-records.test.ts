import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startTcpProxy } from '../../../../test/support/tcp-proxy.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { testServer } from '../../../../test/support/test-database.ts';
import { waitFor } from '../../../../test/support/wait-for.ts';
import { Database } from '../../../postgres/database.ts';
import { KeyUsageRecorder } from '../../authentication/key-usage-recorder.ts';
import { type Refusal, storedNames } from '../refusal.ts';
import { UnverifiedRefusals } from '../unverified-refusals.ts';

const apps = await createTestApps();
const { sql, address } = apps;
const direct = { ...(await testServer()), database: address.database };
const noon = Date.parse('2026-03-01T12:00:00Z');

const refusal = (keyId: string, more: Partial<Refusal> = {}): Refusal => ({
  at: noon,
  requestId: 'r',
  keyId,
  operation: 'getProduct',
  method: 'GET',
  path: '/',
  status: 404,
  code: 'not_found',
  reason: null,
  fields: [],
  message: 'The resource does not exist.',
  errors: {},
  requiredScopes: [],
  address: '',
  ...more,
});

async function newKey() {
  const { brandId, keyId } = await apps.newBrand();
  const [row] = await sql<{ id: number }>('select id from api_keys where key_id = $1', [keyId]);
  return { keyId, key: { brandId, rowId: row?.id ?? 0 } };
}

async function stored(brandId: number) {
  const [row] = await sql<{ rows: number; requests: number; first: number; last: number }>(
    `select count(*)::integer as rows, coalesce(sum(count), 0)::integer as requests, min(id)::integer as first,
       max(id)::integer as last from refusals where brand_id = $1`,
    [brandId],
  );
  return row;
}

// [internal-181] [D250]
describe('recording refusals', () => {
  it('keeps the order of those of one millisecond, of several brands', async () => {
    const brands = [await newKey(), await newKey(), await newKey()];
    const recorder = new KeyUsageRecorder(apps.database, { onError: assert.ifError });
    const sent = Array.from({ length: 12 }, (_, n) => `r-${n}`);
    for (const requestId of sent)
      for (const { keyId, key } of brands) recorder.refuse(refusal(keyId, { requestId }), key);
    await recorder.close();
    for (const { key } of brands) {
      const rows = await sql<{ requestId: string }>(
        'select request_id as "requestId" from refusals where brand_id = $1 order by id',
        [key.brandId],
      );
      assert.deepEqual(
        rows.map(({ requestId }) => requestId),
        sent,
      );
    }
  });

  it('keeps the 10,000 newest of a brand', async () => {
    const { keyId, key } = await newKey();
    await sql(
      `insert into refusals (brand_id, id, at, request_id, key_id, method, path, status, code, fields, count)
       select $1, n, $2, 'r', $3, 'GET', '/', 404, 'not_found', '{}', 1 from generate_series(1, 9990) n`,
      [key.brandId, new Date(noon), keyId],
    );
    const recorder = new KeyUsageRecorder(apps.database, { onError: assert.ifError });
    for (let n = 0; n < 30; n += 1) recorder.refuse(refusal(keyId), key);
    await recorder.close();
    assert.deepEqual(await stored(key.brandId), { rows: 10_000, requests: 10_000, first: 21, last: 10_020 });
  });

  it('writes at most 50 rows a second, which brands share: one that floods displaces no row of another', async () => {
    const [noisy, quiet, late] = [await newKey(), await newKey(), await newKey()];
    const recorder = new KeyUsageRecorder(apps.database, { onError: assert.ifError });
    recorder.refuse(refusal(quiet.keyId), quiet.key);
    for (let n = 0; n < 5_000; n += 1) recorder.refuse(refusal(noisy.keyId), noisy.key);
    for (let n = 0; n < 3; n += 1) recorder.refuse(refusal(late.keyId), late.key);
    await recorder.flush();
    assert.equal((await stored(noisy.key.brandId))?.rows, 46);
    assert.equal((await stored(quiet.key.brandId))?.rows, 1);
    assert.equal((await stored(late.key.brandId))?.rows, 3);
    for (const { keyId, key } of [noisy, late])
      for (let n = 0; n < 100; n += 1) recorder.refuse(refusal(keyId), key);
    await recorder.close();
    assert.equal((await stored(noisy.key.brandId))?.rows, 46 + 25);
    assert.equal((await stored(late.key.brandId))?.rows, 3 + 25);
  });

  // [internal-208] [D293]
  it('counts what is of no key by minute, network and reason, for 50 networks and all others', () => {
    const counts = new UnverifiedRefusals();
    const add = (address: string, at = noon) => counts.add({ at, address, reason: 'wrong_secret' });
    for (let n = 0; n < 60; n += 1) add(`192.0.2.${n}`);
    for (const end of ['1', '2', 'ffff']) add(`2001:db8::${end}`, noon + 60_000);
    add('192.0.2.7', noon + 59_999);
    const told = counts.take(noon + 60_000);
    assert.equal(told.length, 51);
    assert.deepEqual(
      told.filter(({ count }) => count > 1).map(({ network, count }) => [network, count]),
      [
        ['192.0.2.7', 2],
        ['others', 10],
      ],
    );
    assert.deepEqual(
      counts.take(noon + 120_000).map(({ network, count }) => [network, count]),
      [['2001:db8:0:0::/64', 3]],
    );
  });

  // [internal-208]
  it('keeps the latest 10,000 counts of no key, and adds up what two processes count', async () => {
    await sql(
      `insert into unverified_refusals (minute, network, reason, count)
       select $1::timestamptz - n * interval '1 minute', 'others', 'unknown', 1 from generate_series(1, 9999) n`,
      [new Date(noon)],
    );
    const refused = { address: '192.0.2.7', reason: 'wrong_secret' } as const;
    const recorders = [0, 1].map(
      () => new KeyUsageRecorder(apps.database, { onError: assert.ifError, now: () => noon + 120_000 }),
    );
    for (const recorder of recorders)
      for (const at of [noon, noon + 1, noon + 60_000]) recorder.refuseUnverified({ at, ...refused });
    for (const recorder of recorders) await recorder.flush();
    const rows = await sql<{ minute: Date; count: number }>(
      'select minute, count from unverified_refusals order by minute desc',
    );
    assert.equal(rows.length, 10_000);
    assert.deepEqual(
      rows.slice(0, 2).map(({ minute, count }) => [minute.getTime(), count]),
      [
        [noon + 60_000, 2],
        [noon, 4],
      ],
    );
    for (const recorder of recorders) await recorder.close();
    await sql('delete from unverified_refusals');
  });

  it('adds up what two processes count of one minute, and numbers their rows without a gap', async () => {
    const { keyId, key } = await newKey();
    const databases = [0, 1].map(() => new Database({ address, applicationName: 'refusals', poolSize: 2 }));
    const recorders = databases.map(
      (database) => new KeyUsageRecorder(database, { onError: assert.ifError }),
    );
    for (let round = 0; round < 10; round += 1) {
      for (const recorder of recorders) {
        recorder.refuse(refusal(keyId, { status: 401, code: 'unauthenticated', reason: 'revoked' }), key);
        recorder.refuse(refusal(keyId), key);
      }
      await Promise.all(recorders.map((recorder) => recorder.flush()));
    }
    await Promise.all(recorders.map((recorder) => recorder.close()));
    await Promise.all(databases.map((database) => database.close()));
    assert.deepEqual(await stored(key.brandId), { rows: 21, requests: 40, first: 1, last: 21 });
  });

  it('keeps what comes while the database is unavailable, up to a limit, and drops what it does not take', async () => {
    const { keyId, key } = await newKey();
    const proxy = await startTcpProxy(direct);
    const place = { ...direct, host: '127.0.0.1', port: proxy.port };
    const database = new Database({ address: place, applicationName: 'refusals', poolSize: 2 });
    const errors: unknown[] = [];
    const now = () => noon + 60_000;
    const recorder = new KeyUsageRecorder(database, { onError: (error) => errors.push(error), now });
    recorder.refuseUnverified({ at: noon, address: '192.0.2.9', reason: 'unknown' });
    await proxy.cut();
    for (let second = 0; second < 30; second += 1) {
      for (let n = 0; n < 60; n += 1) recorder.refuse(refusal(keyId), key);
      recorder.refuse(refusal(keyId, { status: 401, code: 'unauthenticated' }), key);
      recorder.refuse(refusal(keyId, { status: 429, code: 'rate_limited' }), key);
      if (second < 2) await recorder.flush();
    }
    const before = errors.length;
    assert.ok(before >= 2);
    await proxy.restore();
    await recorder.flush();
    const ofNoKey = await sql<{ count: number }>(
      "select count from unverified_refusals where network = '192.0.2.9'",
    );
    assert.deepEqual(
      ofNoKey.map(({ count }) => count),
      [1],
    );
    const kept = await stored(key.brandId);
    assert.ok(kept !== undefined && kept.rows > 100 && kept.rows <= 1_000, JSON.stringify(kept));
    recorder.refuse(refusal(keyId, { path: 'a\0b' }), key);
    await recorder.flush();
    recorder.refuse(refusal(keyId), key);
    await recorder.close();
    assert.equal((await stored(key.brandId))?.rows, kept.rows + 1);
    await database.close();
  });

  it('stores names that a client chose without what PostgreSQL does not take, and a limited number of them', () => {
    assert.deepEqual(storedNames(['größe', 'a\0b', '\ud800', `${'x'.repeat(254)}😀`]), [
      ...['größe', 'a\uFFFDb', '\uFFFD', `${'x'.repeat(254)}\uFFFD`],
    ]);
    assert.equal(storedNames(Array.from({ length: 1_000 }, String)).length, 20);
  });

  it('happens each second, without a call', async () => {
    const { keyId, key } = await newKey();
    const recorder = new KeyUsageRecorder(apps.database, { onError: assert.ifError });
    recorder.refuse(refusal(keyId), key);
    await waitFor('the row', async () => (await stored(key.brandId))?.rows === 1);
    await recorder.close();
  });
});
