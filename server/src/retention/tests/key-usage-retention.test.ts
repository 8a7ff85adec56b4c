import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { dropKeyUsage } from '../../access/key-usage/key-usage-store.ts';
import { dayMs, retainOne } from './retain.ts';

const apps = await createTestApps();
const { sql, clock, database } = apps;
const { brandId, keyId } = await apps.newBrand();

const addHours = (first: Date, count: number) =>
  sql(
    `insert into api_key_usage (brand_id, hour, key_id, operation, requests, denied, refused, failed)
     select $1, $3::timestamptz + n * interval '1 hour', $2, 'listProducts', 1, 0, 0, 0
     from generate_series(0, $4::integer - 1) n`,
    [brandId, keyId, first, count],
  );

const drop = (before: string) => database.transaction((tx) => dropKeyUsage(tx, new Date(before), 5_000));

async function hours(): Promise<string[]> {
  const rows = await sql<{ hour: Date }>('select hour from api_key_usage order by hour');
  return rows.map(({ hour }) => hour.toISOString());
}

// [internal-55]
describe('the retention of the usage of keys', () => {
  it('drops whole UTC days, once all of a day is older than the limit', async () => {
    await addHours(new Date('2020-02-29T00:00:00Z'), 48);
    assert.equal(await drop('2020-02-29T23:59:59.999Z'), 0);
    assert.equal(await drop('2020-03-01T00:00:00Z'), 24);
    assert.equal((await hours())[0], '2020-03-01T00:00:00.000Z');
    assert.equal(await drop('2020-03-01T23:59:59.999Z'), 0);
    assert.equal(await drop('2020-03-02T00:00:00Z'), 24);
    assert.deepEqual(await hours(), []);
  });

  it('follows the clock, in batches, with the latest days in the list', async () => {
    const today = new Date(`${new Date(clock.now()).toISOString().slice(0, 10)}T00:00:00Z`);
    await addHours(new Date(today.getTime() - 110 * dayMs), 111 * 24);
    assert.equal((await retainOne(apps, 'key-usage', 100)).droppedRows, 10 * 24);
    assert.equal((await retainOne(apps, 'key-usage', 100)).droppedRows, 0);
    clock.advance(dayMs);
    assert.equal((await retainOne(apps, 'key-usage', 100)).droppedRows, 24);
    const from = new Date(clock.now() - 200 * dayMs).toISOString().slice(0, 10);
    const { json } = await apps.admin.get(`/keys/${keyId}/usage?step=day&per_page=200&from=${from}`);
    assert.equal(json.meta.total, 100);
    assert.ok(json.data.every(({ requests }: { requests: number }) => requests === 24));
  });
});
