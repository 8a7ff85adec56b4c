// processes: opens DuckDB, which is installed with checks/
import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parquetReadObjects } from 'hyparquet';
import { addDays } from '../../server/src/analytics/day.ts';
import { newSeededBrand } from '../../server/src/analytics/tests/seed.ts';
import { cli, startCliService } from './cli-service.ts';
import { openDuckdb, query } from './duckdb.ts';
import { newPulledBrand } from './pull-brand.ts';
import { fingerprintsOf, newFolder } from './pull-kit.ts';

const { apps, clientUrl } = await startCliService();

const sums = (from: string) =>
  `select count(*) as rows, sum(metrics_views)::integer as views, count(distinct user_tu_id) as learners,
     min(metrics_quiz_average_score) as least, max(date) as last, count(*) filter (content_is_orphaned) as orphaned
   from ${from}`;
const typesOf = (from: string) => `select column_name, column_type from (describe select * from ${from})`;

describe('brandport pull', () => {
  it('fills typed Parquet files from the first day of the service, which DuckDB reads', async () => {
    const brand = await newPulledBrand(apps, clientUrl);
    const place = await newFolder();
    const { code, stdout, stderr } = await brand.run(['pull', '--out', place, '--json']);
    assert.equal(code, 0, stderr);
    assert.deepEqual(
      JSON.parse(stdout).map(({ dataset, days, rows }: never) => [dataset, days, rows]),
      [
        ['daily', 3, 3],
        ['daily_by_market', 3, 0],
        ['contents', 3, 4],
        ['users', 3, 6],
        ['content_engagement', 3, 7],
      ],
    );
    const duckdb = await openDuckdb();
    const files = `read_parquet('${place}/content_engagement/*/*.parquet')`;
    const [row] = await query(duckdb, sums(files));
    const expected = { rows: '7', views: 7, learners: '3', least: 0, last: brand.days[3], orphaned: '1' };
    assert.deepEqual(row, expected);
    assert.deepEqual(
      await query(
        duckdb,
        `select distinct metrics_quiz_average_score as score from ${files} where not content_is_orphaned`,
      ),
      [{ score: 49.5 }],
    );
    const types = Object.fromEntries(
      (await query(duckdb, typesOf(files))).map(({ column_name, column_type }) => [column_name, column_type]),
    );
    assert.deepEqual(
      ['date', 'metrics_views', 'metrics_quiz_average_score', 'metrics_is_completed', 'content_type'].map(
        (name) => types[name],
      ),
      ['DATE', 'BIGINT', 'DOUBLE', 'BOOLEAN', 'VARCHAR'],
    );
    // The same with another reader.
    const file = await readFile(join(place, 'users', `date=${brand.days[0]}`, 'rev-1.parquet'));
    const rows = await parquetReadObjects({ file: new Uint8Array(file).buffer });
    assert.deepEqual(
      rows.map((each) => [
        each['date'],
        each['user_tu_id'],
        each['metrics_views'],
        each['metrics_overall_score'],
        each['extra'],
      ]),
      ['ada', 'bo', 'cy'].map((learner) => [new Date(brand.days[0]), learner, 1n, 49.5, null]),
    );
    // The folders are Hive partitions.
    const { length } = await query(duckdb, `select * from glob('${place}/users/date=*/rev-*.parquet')`);
    assert.equal(length, 3);
    const again = await brand.run(['pull', '--out', place, '--json']);
    assert.ok(
      JSON.parse(again.stdout).every(({ days }: { days: number }) => days === 0),
      again.stdout,
    );
  });

  it('gives the same rows as CSV', async () => {
    const brand = await newPulledBrand(apps, clientUrl);
    const folder = await newFolder();
    for (const format of ['csv', 'parquet'])
      assert.equal((await brand.run(['pull', '--out', join(folder, format), '--format', format])).code, 0);
    const duckdb = await openDuckdb();
    for (const name of ['daily', 'contents', 'users', 'content_engagement']) {
      const parquet = `read_parquet('${folder}/parquet/${name}/*/*.parquet', hive_partitioning = false)`;
      const types = await query(duckdb, typesOf(parquet));
      const columns = `{${types.map(({ column_name, column_type }) => `${column_name}: '${column_type}'`).join(', ')}}`;
      const csv = `read_csv('${folder}/csv/${name}/*/*.csv', header = true, columns = ${columns}, hive_partitioning = false)`;
      const rows = await query(duckdb, `select * from ${parquet} order by all`);
      assert.ok(rows.length > 0);
      assert.deepEqual(await query(duckdb, `select * from ${csv} order by all`), rows, name);
    }
  });

  // [D152]
  it('removes learners who opted out or were erased, and says up to when opt-outs are included', async () => {
    const brand = await newPulledBrand(apps, clientUrl);
    const place = await newFolder();
    const pull = ['pull', 'users,content_engagement', '--json', '--out', place, '--format', 'csv'];
    assert.equal((await brand.run(pull)).code, 0);
    assert.match(await wholeText(place), /"bo"/);
    await brand.optOut('bo');
    await brand.erase('cy');
    const run = await brand.run(pull);
    assert.equal(run.code, 0, run.stderr);
    assert.doesNotMatch(await wholeText(place), /"bo"|"cy"/);
    assert.match(await wholeText(place), /"ada"/);
    for (const { days, complete_as_of } of JSON.parse(run.stdout)) {
      assert.equal(days, 2);
      assert.notEqual(complete_as_of, null);
    }
  });

  it('leaves out running totals on request, and then skips days on which only these changed', async () => {
    const brand = await newPulledBrand(apps, clientUrl);
    const folder = await newFolder();
    const whole = ['pull', 'users', '--json', '--out', join(folder, 'whole')];
    const daily = ['pull', 'users', '--json', '--out', join(folder, 'daily'), '--without-cumulative'];
    for (const args of [whole, daily]) assert.equal((await brand.run(args)).code, 0);
    await brand.send([{ day: brand.days[0], user: 'ada' }]);
    await brand.aggregate({ from: brand.days[0], to: brand.days[0] });
    const daysOf = async (args: string[]) => JSON.parse((await brand.run(args)).stdout)[0].days;
    assert.ok((await daysOf(whole)) > 1);
    assert.equal(await daysOf(daily), 1);
    assert.equal((await brand.run([...whole, '--verify'])).code, 0);
    assert.equal((await brand.run([...daily, '--verify'])).code, 0);
    const mixed = await brand.run([...daily.slice(0, -1)]);
    assert.equal(mixed.code, 2);
    assert.match(mixed.stderr, /running totals left out/);
  });

  it('loads from --from, and extends to an earlier day later', async () => {
    const brand = await newPulledBrand(apps, clientUrl);
    const [place, other] = [await newFolder(), await newFolder()];
    const pull = (from: string, to: string) => brand.run(['pull', '--json', '--out', to, '--from', from]);
    const days = ({ stdout }: { stdout: string }) =>
      JSON.parse(stdout).map((each: { days: number }) => each.days);
    assert.deepEqual(days(await pull(brand.days[3], place)), [1, 1, 1, 1, 1]);
    assert.deepEqual(days(await brand.run(['pull', '--json', '--out', place])), [0, 0, 0, 0, 0]);
    assert.deepEqual(days(await pull(addDays(brand.days[0], -2), place)), [2, 2, 2, 2, 2]);
    await pull(addDays(brand.days[0], -2), other);
    assert.deepEqual(await fingerprintsOf(place), await fingerprintsOf(other));
    assert.equal((await brand.run(['pull', '--out', place, '--from', '2026-02-30'])).code, 2);
  });
});

describe('an event of a day long ago', () => {
  it('costs its own day, in a warehouse that exists and in a new one', async () => {
    const brand = await newSeededBrand(apps, { users: ['ada'] });
    const run = async (out: string) => {
      const env = { BRANDPORT_URL: clientUrl, BRANDPORT_API_KEY: brand.apiKey };
      const { code, stdout, stderr } = await cli(['pull', 'daily,users', '--json', '--out', out], { env });
      assert.equal(code, 0, stderr);
      return JSON.parse(stdout).map(({ days, rows }: never) => [days, rows]);
    };
    const [place, other] = [await newFolder(), await newFolder()];
    await brand.send(['2026-03-01', '2026-03-02'].map((day) => ({ day, user: 'ada' })));
    await brand.aggregate({ from: '2026-03-01', to: '2026-03-02' });
    const pairs = (...days: number[]) => days.map((count) => [count, count]);
    assert.deepEqual(await run(place), pairs(2, 2));
    await brand.send([{ day: '2022-01-01', user: 'ada' }]);
    await brand.aggregate({ from: '2022-01-01', to: '2022-01-01' });
    // The running totals of the later days move.
    assert.deepEqual(await run(place), pairs(3, 3));
    assert.deepEqual(await run(place), pairs(0, 0));
    assert.deepEqual(await run(other), pairs(3, 3));
    assert.deepEqual(await fingerprintsOf(place), await fingerprintsOf(other));
  });
});

describe('brandport pull --verify', () => {
  it('lists every difference, and changes nothing', async () => {
    const brand = await newPulledBrand(apps, clientUrl);
    const folder = await newFolder();
    const place = join(folder, 'warehouse');
    const pull = ['pull', 'users,daily', '--out', place];
    const verifying = async () => {
      const { code, stdout, stderr } = await brand.run([...pull, '--verify', '--json']);
      assert.ok(code === 0 || code === 3, stderr);
      return [code, ...JSON.parse(stdout).map(({ kind, what }: never) => `${kind} ${what}`)];
    };
    const nothing = await brand.run([...pull, '--verify']);
    assert.equal(nothing.code, 2);
    assert.match(nothing.stderr, /was not filled/);
    assert.equal((await brand.run(pull)).code, 0);
    assert.deepEqual(await verifying(), [0]);
    // The service has changed.
    await brand.optOut('bo');
    const [first, , , last] = brand.days;
    assert.deepEqual(await verifying(), [3, `differs users ${first}`, `differs users ${last}`]);
    assert.equal((await brand.run(pull)).code, 0);
    assert.deepEqual(await verifying(), [0]);
    // The warehouse has changed.
    const [name = ''] = Object.keys(await fingerprintsOf(join(place, 'users')));
    await writeFile(join(place, 'users', name), 'x');
    await writeFile(join(place, 'daily', 'notes.txt'), 'x');
    const before = await fingerprintsOf(place);
    assert.deepEqual(await verifying(), [3, 'stray daily/notes.txt', `damaged users ${first}`]);
    assert.deepEqual(await fingerprintsOf(place), before);
    await rm(join(place, 'users', name));
    assert.deepEqual(await verifying(), [3, 'stray daily/notes.txt', `damaged users ${first}`]);
    // A full pull repairs, and leaves files of others.
    assert.equal((await brand.run([...pull, '--full'])).code, 0);
    assert.deepEqual(await verifying(), [3, 'stray daily/notes.txt']);
  });
});

async function wholeText(place: string): Promise<string> {
  const files = Object.keys(await fingerprintsOf(place));
  return (await Promise.all(files.map((file) => readFile(join(place, file), 'utf8')))).join('');
}
