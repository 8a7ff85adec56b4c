// nightly: twenty runs at once, and databases that go away
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Brandport } from '../../client/src/index.ts';
import { startFaultProxy } from '../../client/tests/fault-proxy.ts';
import { datasetNames } from '../src/columns/datasets.ts';
import { openPlace } from '../src/pull/place.ts';
import type { WarehouseTarget } from '../src/pull/state.ts';
import { stateVersion } from '../src/pull/state.ts';
import { startCliService } from './cli-service.ts';
import { newPulledBrand } from './pull-brand.ts';
import { newPostgres, openDatabase } from './pull-databases.ts';
import { servedRows } from './pull-kit.ts';

const { apps, clientUrl } = await startCliService();
const identityOf = (brand_id: number) =>
  ({ version: stateVersion, service: clientUrl, brand_id, cumulative: true }) as const;

describe('brandport pull --out postgresql://…', () => {
  // [D277]
  it('fills typed tables with every value of the service, and keeps them up to date', async () => {
    const brand = await newPulledBrand(apps, clientUrl);
    const out = await newPostgres();
    const pull = ['pull', '--json', '--out', out];
    const daysOf = async () => {
      const { code, stdout, stderr } = await brand.run(pull);
      assert.equal(code, 0, stderr);
      return JSON.parse(stdout).map(({ days }: { days: number }) => days);
    };
    assert.deepEqual(await daysOf(), [3, 3, 3, 3, 3]);
    const { read } = await openDatabase(out, brand.brandId);
    const assertSame = async () => {
      const brandport = new Brandport({ baseUrl: clientUrl, apiKey: brand.apiKey });
      const [from, , , to] = brand.days;
      for (const name of datasetNames) {
        const served = Object.values(await servedRows(brandport, name, { from, to })).flat();
        const sorted = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).sort();
        assert.deepEqual(sorted(await read(`select * from ${name}`)), sorted(served), name);
      }
    };
    await assertSame();
    const types = await read(
      `select distinct data_type from information_schema.columns where table_schema = current_schema() order by 1`,
    );
    assert.deepEqual(
      types.map(({ data_type }) => data_type),
      ['bigint', 'boolean', 'date', 'double precision', 'jsonb', 'text'],
    );
    assert.deepEqual(await daysOf(), [0, 0, 0, 0, 0]);
    await brand.optOut('bo');
    assert.deepEqual(await daysOf(), [0, 0, 0, 2, 2]);
    await assertSame();
    assert.deepEqual(await read(`select * from users where user_tu_id = 'bo'`), []);
    const verified = await brand.run([...pull, '--verify']);
    assert.equal(verified.code, 0, verified.stderr);
    await read(`delete from users where date = '${brand.days[0]}'`);
    await read(`update users set metrics_views = metrics_views + 1 where date = '${brand.days[1]}'`);
    await read(`insert into daily (date) values ('2020-01-01')`);
    const found = await brand.run(['pull', '--out', out, '--verify', '--quiet']);
    const damaged = `users ${brand.days[0]}\nusers ${brand.days[1]}\n`;
    assert.deepEqual([found.code, found.stdout], [3, `daily 2020-01-01\n${damaged}`]);
  });

  it('has a schema of each brand in one database, and refuses the tables of others', async () => {
    const [one, other] = [await newPulledBrand(apps, clientUrl), await newPulledBrand(apps, clientUrl)];
    const out = await newPostgres();
    const unfilled = await one.run(['pull', 'daily', '--out', out, '--verify']);
    assert.equal(unfilled.code, 2);
    assert.match(unfilled.stderr, /was not filled/);
    const runs = await Promise.all([one, other].map((brand) => brand.run(['pull', 'daily', '--out', out])));
    for (const { code, stderr } of runs) assert.equal(code, 0, stderr);
    const { read } = await openDatabase(out, one.brandId);
    await read('drop table _brandport_state');
    const foreign = await one.run(['pull', 'daily', '--out', out]);
    assert.equal(foreign.code, 2);
    assert.match(foreign.stderr, /has a table "daily" of another program/);
    const format = await one.run(['pull', 'daily', '--out', out, '--format', 'csv']);
    assert.equal(format.code, 2, format.stderr);
  });

  it('is used by one run of twenty that start together, and by the next one after it', async () => {
    const [out, brandId] = [await newPostgres(), 4_711];
    const open = () => openPlace({ path: out, format: 'postgresql' }, identityOf(brandId));
    const opened: WarehouseTarget[] = [];
    const refusals: string[] = [];
    await Promise.all(
      Array.from({ length: 20 }, () =>
        open().then(
          (target) => opened.push(target),
          ({ message }) => refusals.push(message),
        ),
      ),
    );
    assert.equal(opened.length, 1);
    for (const message of refusals) assert.match(message, /is held by another "brandport pull"/);
    await opened[0]?.close();
    const next = await open();
    // A pooler can lose the lock: a run whose state another one has replaced stores nothing.
    const { read } = await openDatabase(out, brandId);
    await read(`update _brandport_state set state = '{}'`);
    await assert.rejects(next.saveState(next.state), /changed by another process/);
    assert.deepEqual(await read('select state from _brandport_state'), [{ state: '{}' }]);
    await next.close();
  });

  it('that is unavailable or refuses the user says so without the password; a run that loses it is continued', async () => {
    const brand = await newPulledBrand(apps, clientUrl);
    const out = await newPostgres();
    const address = new URL(out);
    address.password = 'correct-horse';
    const withoutPassword = Object.assign(new URL(out), { password: '' }).href;
    const places = [
      [withoutPassword, 1],
      [`postgresql://me:correct-horse@127.0.0.1:1/x`, 5],
      [Object.assign(new URL(address), { pathname: '/absent' }).href, 1],
      ['postgresql://me:correct-horse@[/x', 2],
    ] as const;
    for (const [place, code] of places) {
      const outcome = await brand.run(['pull', 'daily', '--out', place]);
      assert.equal(outcome.code, code, outcome.stderr);
      assert.match(outcome.stderr, /^error: \S+/);
      assert.doesNotMatch(outcome.stderr, /correct-horse|\n {4}at /);
      assert.equal(/set PGPASSWORD/.test(outcome.stderr), place === withoutPassword);
    }
    const { read } = await openDatabase(out, brand.brandId);
    let cuts = 1;
    const { url } = await startFaultProxy(clientUrl, (_, request) => {
      if (!request.url.includes('/users/daily') || cuts === 0) return null;
      cuts -= 1;
      void read(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'brandport pull' and datname = current_database()`,
      );
      return { status: 503, retryAfter: '1' };
    });
    const run = (...more: string[]) =>
      brand.run(['pull', '--json', '--out', out, ...more], { env: { BRANDPORT_URL: url } });
    const cut = await run();
    assert.equal(cut.code, 5, cut.stderr);
    assert.match(cut.stderr, /What was pulled is stored\. Run the same command again: it continues\./);
    const { code, stdout, stderr } = await run();
    assert.equal(code, 0, stderr);
    assert.deepEqual(JSON.parse(stdout)[0].days, 0);
    assert.equal((await run('--verify')).code, 0);
  });
});
