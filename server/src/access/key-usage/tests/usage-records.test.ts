import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startTcpProxy } from '../../../../test/support/tcp-proxy.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { testServer } from '../../../../test/support/test-database.ts';
import { Database } from '../../../postgres/database.ts';
import { KeyUsageRecorder } from '../../authentication/key-usage-recorder.ts';
import type { KeyUse } from '../usage-counts.ts';

const apps = await createTestApps();
const { sql, address } = apps;
const direct = { ...(await testServer()), database: address.database };
const noon = Date.parse('2026-03-01T12:00:00Z');

async function stored(brandId: number): Promise<unknown[][]> {
  const rows = await sql<Record<string, unknown>>(
    `select key_id, operation, requests::integer, denied::integer, refused::integer, failed::integer from api_key_usage
     where brand_id = $1 order by hour, key_id, operation`,
    [brandId],
  );
  return rows.map((row) => Object.values(row));
}

async function newUse(operation = 'listProducts'): Promise<KeyUse> {
  const { brandId, keyId } = await apps.newBrand();
  return { brandId, keyId, operation, scope: 'catalog.products:read' };
}

// [internal-75]
describe('recording counts', () => {
  it('adds up what two processes write to the same rows at the same time', async () => {
    const use = await newUse();
    const uses = Array.from({ length: 200 }, (_, n) => ({ ...use, operation: `operation${n}` }));
    const databases = [0, 1].map(() => new Database({ address, applicationName: 'usage', poolSize: 2 }));
    const recorders = databases.map(
      (database) => new KeyUsageRecorder(database, { onError: assert.ifError }),
    );
    for (let round = 0; round < 10; round += 1) {
      for (const [index, recorder] of recorders.entries())
        for (const one of index === 0 ? uses : uses.toReversed()) recorder.count(one, 200, noon);
      await Promise.all(recorders.map((recorder) => recorder.flush()));
    }
    await Promise.all(recorders.map((recorder) => recorder.close()));
    await Promise.all(databases.map((database) => database.close()));
    const rows = await stored(use.brandId);
    assert.equal(rows.length, 200);
    assert.deepEqual([...new Set(rows.map(([, , requests]) => requests))], [20]);
  });

  it('counts the learning events of each brand, also if several send some in one hour', async () => {
    const brands = await Promise.all([apps.newBrand(), apps.newBrand()]);
    const recorder = new KeyUsageRecorder(apps.database, { onError: assert.ifError });
    for (const [index, { brandId }] of brands.entries()) recorder.countEvents(brandId, 3 + index, noon);
    await recorder.close();
    const rows = await Promise.all(brands.map(({ brandId }) => stored(brandId)));
    assert.deepEqual(rows, [
      [['', 'postLearningEvents', 3, 0, 0, 0]],
      [['', 'postLearningEvents', 4, 0, 0, 0]],
    ]);
  });

  it('keeps counts while the database is unavailable, and writes each once when it is back', async () => {
    const use = await newUse();
    const proxy = await startTcpProxy(direct);
    const place = { ...direct, host: '127.0.0.1', port: proxy.port };
    const database = new Database({ address: place, applicationName: 'usage', poolSize: 2 });
    const errors: unknown[] = [];
    const recorder = new KeyUsageRecorder(database, { onError: (error) => errors.push(error) });
    recorder.count(use, 200, noon);
    await recorder.flush();
    assert.deepEqual(errors, []);
    await proxy.cut();
    recorder.count(use, 429, noon);
    await recorder.flush();
    recorder.count(use, 404, noon);
    recorder.count(use, 503, noon + 3_600_000);
    await recorder.flush();
    assert.equal(errors.length, 2);
    assert.deepEqual(await stored(use.brandId), [[use.keyId, use.operation, 1, 0, 0, 0]]);
    await proxy.restore();
    await recorder.close();
    await recorder.flush();
    assert.equal(errors.length, 2);
    assert.deepEqual(await stored(use.brandId), [
      [use.keyId, use.operation, 3, 1, 1, 0],
      [use.keyId, use.operation, 1, 0, 0, 1],
    ]);
    await database.close();
  });

  it('writes many counts in parts, and keeps only the parts that failed', async () => {
    const use = await newUse();
    const errors: unknown[] = [];
    const recorder = new KeyUsageRecorder(apps.database, { onError: (error) => errors.push(error) });
    const count = () => {
      for (let n = 0; n < 12_000; n += 1) recorder.count({ ...use, operation: `operation${n}` }, 200, noon);
    };
    count();
    await sql(
      `create function refuse_usage() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`,
    );
    await sql(
      `create trigger refuse_usage before insert on api_key_usage for each row when (new.operation = 'operation7000')
       execute function refuse_usage()`,
    );
    await recorder.flush();
    await sql('drop trigger refuse_usage on api_key_usage');
    assert.equal(errors.length, 1);
    assert.equal((await stored(use.brandId)).length, 5_000);
    count();
    await recorder.close();
    const rows = await stored(use.brandId);
    assert.equal(rows.length, 12_000);
    assert.deepEqual([...new Set(rows.map(([, , requests]) => requests))], [2]);
  });

  it('holds a limited number of counts, and reports the requests beyond', async () => {
    const use = await newUse();
    const errors: Error[] = [];
    const onError = (error: unknown) => errors.push(error as Error);
    const recorder = new KeyUsageRecorder(apps.database, { onError, mostCounts: 2 });
    for (const operation of ['a', 'b', 'c', 'a', 'c', 'd']) recorder.count({ ...use, operation }, 200, noon);
    await recorder.flush();
    assert.deepEqual(
      errors.map(({ message }) => message),
      ['3 requests were not counted because too many counts wait to be written'],
    );
    recorder.count({ ...use, operation: 'c' }, 200, noon);
    await recorder.close();
    assert.equal(errors.length, 1);
    assert.deepEqual(
      (await stored(use.brandId)).map(([, operation, requests]) => [operation, requests]),
      [
        ['a', 2],
        ['b', 1],
        ['c', 1],
      ],
    );
  });

  it('counts a client that has disconnected as a request only', async () => {
    const use = await newUse();
    const recorder = new KeyUsageRecorder(apps.database, { onError: assert.ifError });
    for (const status of [200, 304, 400, 429, 499, 500, 503]) recorder.count(use, status, noon);
    await recorder.close();
    assert.deepEqual(await stored(use.brandId), [[use.keyId, use.operation, 7, 1, 1, 2]]);
  });
});
