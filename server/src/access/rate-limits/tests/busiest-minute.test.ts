import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { ok } from '../../../catalog/tests/new-axes.ts';
import { KeyUsageRecorder } from '../../authentication/key-usage-recorder.ts';
import { RequestMinutes } from '../request-minutes.ts';
import { addRequestMinutes, dropRequestMinutes, listBusiestMinutes } from '../request-minutes-store.ts';

const apps = await createTestApps({ limits: { catalog_key_reads: 30 } });
const { admin, clock, keyUsage, database } = apps;
const minuteMs = 60_000;
const dayMs = 86_400_000;

/** Moves the clock to the start of the next minute. */
const nextMinute = () => clock.advance(minuteMs - (clock.now() % minuteMs));

interface Limit {
  readonly bucket: string;
  readonly busiest: { readonly requests: number; readonly at: string } | null;
}

async function busiestOf(brandId: number, query = ''): Promise<Record<string, Limit['busiest']>> {
  await keyUsage.flush();
  const { data } = await ok(admin.get(`/brands/${brandId}/limits?busiest=true${query}`));
  return Object.fromEntries(data.map(({ bucket, busiest }: Limit) => [bucket, busiest]));
}

// [internal-212]
describe('the busiest minute', () => {
  it('counts what the limits admit by key and brand, not what they deny, and a lower limit is warned of', async () => {
    const { brandId, keyId, client } = await apps.newBrand();
    const second = await apps.newKey(brandId);
    nextMinute();
    const day = new Date(clock.now()).toISOString().slice(0, 10);
    for (let n = 0; n < 34; n += 1) await client.get('/catalog/products');
    for (let n = 0; n < 5; n += 1) await second.client.post('/catalog/products', {});
    await client.get('/analytics/status');
    nextMinute();
    await client.get('/catalog/products');
    const found = await busiestOf(brandId);
    assert.equal(found['catalog_brand']?.requests, 35, 'of 39, four were denied');
    const ofKey = await busiestOf(brandId, `&key_id=${keyId}`);
    assert.deepEqual(
      [ofKey['catalog_reads']?.requests, ofKey['catalog_writes'], ofKey['analytics_key']?.requests],
      [30, null, 1],
    );
    const plain = await ok(admin.get(`/brands/${brandId}/limits`));
    assert.ok(!('busiest' in plain.data[0]));

    const brand = (limits: object) => ok(admin.put(`/brands/${brandId}/limits`, limits));
    assert.deepEqual((await brand({ catalog: 34 })).warnings, [
      `catalog_brand of the brand: 34 a minute is less than what was used: up to 35 a minute on ${day}.`,
    ]);
    assert.deepEqual((await brand({ catalog: 35 })).warnings, []);
    const key = (limits: object) => ok(admin.put(`/keys/${keyId}/limits`, limits));
    assert.deepEqual((await key({ catalog_reads: 6 })).warnings, [
      `catalog_reads of the key ${keyId}: 6 a minute is less than what was used: up to 30 a minute on ${day}.`,
    ]);
    const { warnings } = await key({ catalog_reads: 40 });
    assert.deepEqual([warnings.length, /more than the 35 of all keys/.test(warnings[0])], [1, true]);
  });

  it('is that of all processes together, and of the last seven days', async () => {
    const { brandId } = await apps.newBrand();
    const start = Math.floor(clock.now() / (24 * dayMs)) * 24 * dayMs + 5 * minuteMs;
    const processes = [1, 2].map(
      () => new KeyUsageRecorder(database, { onError: (error) => assert.ifError(error) }),
    );
    const request = { brandId, keyId: 'k', domain: 'catalog', isRead: true } as const;
    const count = (recorder: KeyUsageRecorder, requests: number, at: number) => {
      for (let n = 0; n < requests; n += 1) recorder.countAdmitted(request, at);
    };
    const [one, two] = processes as [KeyUsageRecorder, KeyUsageRecorder];
    count(one, 3, start);
    count(one, 5, start + minuteMs);
    count(two, 3, start);
    await Promise.all(processes.map((recorder) => recorder.flush()));
    count(two, 1, start);
    await two.flush();
    const busiest = (now: number) => listBusiestMinutes(database, { brandId, keyIds: [null, 'k'], now });
    const seven = { requests: 7, at: new Date(start) };
    assert.deepEqual(await busiest(start + 7 * dayMs - 3_600_000), [
      { keyId: null, bucket: 'catalog_brand', ...seven },
      { keyId: 'k', bucket: 'catalog_key_reads', ...seven },
    ]);
    assert.deepEqual(await busiest(start + 7 * dayMs + 3_600_000), []);
    await dropRequestMinutes(database, start + 7 * dayMs);
    assert.equal((await busiest(start)).length, 2);
    await dropRequestMinutes(database, start + 9 * dayMs);
    assert.equal((await busiest(start)).length, 0);
    for (const recorder of processes) await recorder.close();
  });

  it('loses nothing when a write fails, and a brand with many keys takes nothing from another one', async () => {
    const { brandId } = await apps.newBrand();
    const minutes = new RequestMinutes();
    const at = clock.now();
    const request = { brandId, keyId: null, domain: 'analytics', isRead: true } as const;
    minutes.add(request, at);
    const taken = minutes.take();
    minutes.add(request, at);
    minutes.putBack(taken);
    await addRequestMinutes(database, minutes.take());
    assert.deepEqual(minutes.take(), []);
    const [row] = await listBusiestMinutes(database, { brandId, keyIds: [null], now: at });
    assert.deepEqual([row?.bucket, row?.requests], ['analytics_brand', 2]);
    for (let key = 0; key < 25_000; key += 1) minutes.add({ ...request, keyId: `k${key}` }, at);
    minutes.add({ ...request, brandId: brandId + 1 }, at);
    const waiting = minutes.take();
    const others = waiting.filter((row) => row.brandId !== brandId);
    assert.deepEqual([waiting.length, others.length], [4_001, 1], 'another brand is counted');
  });
});
