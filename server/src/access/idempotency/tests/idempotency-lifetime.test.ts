import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { scheduledJobs } from '../../../jobs/job.ts';
import { purgeExpiredIdempotencyRecords } from '../idempotency-store.ts';

const apps = await createTestApps();
const products = '/catalog/products';
const day = 24 * 60 * 60 * 1000;

const recordsOf = async (brandId: number) => {
  const rows = await apps.sql<{ idempotency_key: string }>(
    'select idempotency_key from idempotency_records where brand_id = $1 order by idempotency_key',
    [brandId],
  );
  return rows.map((row) => row.idempotency_key);
};

describe('a settled Idempotency-Key', () => {
  // [platform-64]
  it('is kept for 24 hours, and then as if it had never been', async () => {
    const { client, brandId } = await apps.newBrand();
    const headers = { 'idempotency-key': 'lasting' };
    const first = await client.post(products, { sku: 'DAY-1' }, headers);
    apps.clock.advance(day - 60_000);
    const late = await client.post(products, { sku: 'DAY-1' }, headers);
    assert.deepEqual([late.text, late.headers['idempotency-replayed']], [first.text, 'true']);
    assertRefused(await client.post(products, { sku: 'DAY-2' }, headers), 'idempotency_key_reuse');

    apps.clock.advance(61_000);
    assertRefused(await client.post(products, { sku: 'DAY-1' }, headers), 'duplicate_sku');
    const second = await client.post(products, { sku: 'DAY-2' }, headers);
    assert.deepEqual([second.status, second.headers['idempotency-replayed']], [201, undefined]);
    assert.deepEqual(await recordsOf(brandId), ['lasting']);
  });

  it('that has expired lets exactly one of many at once have it', async () => {
    const { client } = await apps.newBrand();
    const headers = { 'idempotency-key': 'renewed' };
    await client.post(products, { sku: 'BEFORE' }, headers);
    apps.clock.advance(day + 1);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => client.post(products, { sku: 'AFTER' }, headers)),
    );
    const done = answers.filter(
      ({ status, headers: h }) => status === 201 && h['idempotency-replayed'] === undefined,
    );
    assert.equal(done.length, 1);
    assert.equal((await client.get(products)).json.meta.total, 2);
  });
});

describe('the purge of expired keys', () => {
  it('deletes those, in every brand, and no other', async () => {
    const brands = [await apps.newBrand(), await apps.newBrand()] as const;
    const write = (key: string) =>
      Promise.all(
        brands.map(({ client }) => client.post(products, { sku: key }, { 'idempotency-key': key })),
      );
    await write('old');
    apps.clock.advance(day);
    await write('young');
    apps.clock.advance(60_000);
    assert.ok((await purgeExpiredIdempotencyRecords(apps.database, apps.clock)) >= 2);
    for (const { brandId } of brands) assert.deepEqual(await recordsOf(brandId), ['young']);
    assert.equal(await purgeExpiredIdempotencyRecords(apps.database, apps.clock), 0);
  });

  it('deletes tens of thousands, by several processes at once, each record once', async () => {
    const { brandId } = await apps.newBrand();
    await apps.sql(
      `insert into idempotency_records (brand_id, lineage_id, idempotency_key, fingerprint, status, headers, body, created_at)
       select $1, 1, 'k' || n, '\\x00', 201, '{}', '{}', now() - interval '90 days' from generate_series(1, 12000) as n`,
      [brandId],
    );
    const purged = await Promise.all(
      [1, 2, 3].map(() => purgeExpiredIdempotencyRecords(apps.database, apps.clock)),
    );
    const rest = await purgeExpiredIdempotencyRecords(apps.database, apps.clock);
    assert.equal(purged.reduce((sum, n) => sum + n, 0) + rest, 12_000);
    assert.deepEqual(await recordsOf(brandId), []);
  });

  it('is a job of the service, and tells how many there were', async () => {
    const { brandId } = await apps.newBrand();
    await apps.sql(
      `insert into idempotency_records (brand_id, lineage_id, idempotency_key, fingerprint, status, headers, body, created_at)
       values ($1, 1, 'job', '\\x00', 201, '{}', '{}', now() - interval '90 days')`,
      [brandId],
    );
    const job = scheduledJobs.find(({ name }) => name === 'purge-idempotency-records');
    assert.ok(job);
    const { database, clock } = apps;
    const context = { database, clock } as unknown as Parameters<typeof job.run>[0];
    assert.deepEqual(await job.run(context, new AbortController().signal), { purged: 1 });
  });
});

describe('the keys of a key', () => {
  // [platform-67]
  it('are shared with its rotated successors', async () => {
    const { client, keyId, brandId } = await apps.newBrand();
    const send = (by: typeof client) =>
      by.post(products, { sku: 'ROTATED' }, { 'idempotency-key': 'rotated' });
    const first = await send(client);
    let last = keyId;
    for (let i = 0; i < 2; i += 1) {
      const { json } = await apps.admin.post(`/keys/${last}/rotate`);
      last = json.key_id;
      const successor = apps.clientWith(json.api_key);
      const again = await send(successor);
      assert.deepEqual([again.text, again.headers['idempotency-replayed']], [first.text, 'true']);
      assertRefused(
        await successor.post(products, { sku: 'OTHER' }, { 'idempotency-key': 'rotated' }),
        'idempotency_key_reuse',
      );
    }
    assert.deepEqual(await recordsOf(brandId), ['rotated']);
  });

  // [platform-67]
  it('are not shared with another key of the brand', async () => {
    const { client, brandId } = await apps.newBrand();
    const other = await apps.newKey(brandId);
    const headers = { 'idempotency-key': 'mine' };
    assert.equal((await client.post(products, { sku: 'MINE' }, headers)).status, 201);
    const theirs = await other.client.post(products, { sku: 'THEIRS' }, headers);
    assert.deepEqual([theirs.status, theirs.headers['idempotency-replayed']], [201, undefined]);
    assertRefused(
      await other.client.post(products, { sku: 'MINE' }, { 'idempotency-key': 'new' }),
      'duplicate_sku',
    );
  });

  it('are not shared with another brand', async () => {
    const [one, two] = [await apps.newBrand(), await apps.newBrand()];
    const send = ({ client }: typeof one) =>
      client.post(products, { sku: 'SAME' }, { 'idempotency-key': 'same' });
    const [a, b] = [await send(one), await send(two)];
    assert.deepEqual([a.status, b.status], [201, 201]);
    assert.notEqual(a.json.tu_id, b.json.tu_id);
    assert.equal((await send(two)).text, b.text);
  });
});
