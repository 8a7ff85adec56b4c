import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { createLeakFinder, readCanaries, registerCanary } from '../support/canaries.ts';
import { createDatabase, runSql } from '../support/fresh-database.ts';
import { runCommand } from '../support/run-command.ts';
import { seedBrand } from '../support/seed.ts';
import { makeDataDir, startServerProcess } from '../support/server-process.ts';
import { databaseUrl } from '../support/test-database.ts';

const dir = await makeDataDir();
const secret = (name: string) => {
  const value = `${name}-canary-0123456789-abcdefghijkl`;
  registerCanary(value);
  return value;
};
const tokens = { BRANDPORT_ADMIN_TOKEN: secret('admin'), BRANDPORT_CURSOR_SECRET: secret('cursor') };
const names = ['overview.json', 'postgresql.json', 'failed-jobs.json', 'sessions.json', 'tables.json'];

/** Unpacks a bundle with the tar of the machine. */
async function unpack(file: string): Promise<{ files: string[]; read: (name: string) => Promise<string> }> {
  const { stdout } = await promisify(execFile)('tar', ['-xzvf', file, '-C', dir]);
  const files = stdout
    .trim()
    .split('\n')
    .map((path) => path.replace('brandport-support/', ''));
  return { files, read: (name) => readFile(join(dir, 'brandport-support', name), 'utf8') };
}

describe('brandport support', () => {
  it('writes next to a server what somebody needs, and no secret', async () => {
    const address = await createDatabase();
    const env = { DATABASE_URL: databaseUrl(address), BRANDPORT_DATA_DIR: dir, ...tokens };
    const server = await startServerProcess({ env: { ...env, BRANDPORT_LIMIT_ADDRESS: '9' } });
    const { apiKey } = await seedBrand(server);
    // The error of a failed job, and a statement of somebody else, quote secrets.
    const broken = { message: `refused ${apiKey} ${tokens.BRANDPORT_ADMIN_TOKEN} ${address.password}` };
    await runSql(
      address,
      `insert into pgboss.job (name, state, output) values ('apply-retention', 'failed', $1)`,
      [broken],
    );
    const statement = secret('statement');
    const busy = runSql(address, `select pg_sleep(30) as "${statement}", '${statement}'`).catch(() => {});
    const port = new URL(server.internalUrl).port;
    const settings = { ...env, BRANDPORT_INTERNAL_PORT: port, BRANDPORT_LIMIT_ADDRESS: '9' };
    const file = join(dir, 'bundle.tar.gz');
    const { code, stdout, stderr } = await runCommand(settings, 'support', '--out', file, '--doctor');
    assert.deepEqual([code, stdout], [0, `${file}\n`], stderr);
    assert.equal((await stat(file)).mode & 0o777, 0o600);

    const { files, read } = await unpack(file);
    const all = ['README.txt', 'settings.json', 'metrics.txt', ...names, 'doctor.txt'];
    assert.deepEqual(files, all);
    for (const name of all.slice(1)) assert.ok((await read('README.txt')).includes(`\n${name} `), name);
    const shown = JSON.parse(await read('settings.json'));
    assert.equal(shown.settings.BRANDPORT_LIMIT_ADDRESS, '9');
    assert.equal(shown.settings.BRANDPORT_ADMIN_TOKEN, 'set');
    assert.match(await read('metrics.txt'), /^brandport_database_up 1$/m);
    const overview = JSON.parse(await read('overview.json'));
    assert.equal(overview.analytics, 'available');
    assert.ok(!('redis' in overview));
    assert.match(JSON.parse(await read('postgresql.json')).version, /^\d\d/);
    const [job] = JSON.parse(await read('failed-jobs.json')).data;
    assert.match(job.error, /^refused tuk_[0-9a-f]{24}\.\[secret\] \[secret\] /);
    const sessions = JSON.parse(await read('sessions.json'));
    assert.ok(sessions.some(({ query }: { query: string }) => query === 'select pg_sleep('));
    assert.ok(
      JSON.parse(await read('tables.json')).some(({ table }: { table: string }) => table === 'public.brands'),
    );
    assert.match(await read('doctor.txt'), /Examined 1 brand/);

    const run = process.env['BRANDPORT_TEST_CANARIES'];
    const canaries = [...(run === undefined ? [] : readCanaries(run)), statement, ...Object.values(tokens)];
    const findLeak = createLeakFinder([...canaries, apiKey.split('.')[1] ?? '']);
    for (const name of all) assert.equal(findLeak(await read(name)), null, name);

    const again = await runCommand(settings, 'support', '--out', file);
    assert.deepEqual([again.code, again.stdout], [1, '']);
    assert.equal(again.stderr, `No bundle was written: ${file} exists already.\n`);
    await runSql(address, 'select pg_terminate_backend(pid) from pg_stat_activity where query like $1', [
      '%pg_sleep(30)%',
    ]);
    await busy;
    await server.stop();
  });

  it('writes what there is while the database and the server are unavailable, and says what is missing', async () => {
    const password = secret('password');
    const env = { DATABASE_URL: `postgresql://brandport:${password}@127.0.0.1:1/brandport`, ...tokens };
    const file = join(dir, 'away.tar.gz');
    const settings = { ...env, BRANDPORT_INTERNAL_PORT: '1' };
    const { code, stdout, stderr } = await runCommand(settings, 'support', '--out', file);
    assert.equal(code, 0, stderr);
    const [written, metrics, database, ...others] = stdout.trim().split('\n');
    assert.equal(written, file);
    assert.match(metrics ?? '', /^ {2}missing metrics\.txt: no server at http:\/\/127\.0\.0\.1:1\/metrics: /);
    assert.ok(
      database?.startsWith(`  missing ${names.join(', ')}: The database of DATABASE_URL cannot be reached: `),
    );
    assert.deepEqual(others, []);
    const { files, read } = await unpack(file);
    assert.deepEqual(files, ['README.txt', 'settings.json']);
    assert.match(
      await read('README.txt'),
      /overview\.json .*\n +MISSING: The database of DATABASE_URL cannot be/,
    );
    assert.equal(JSON.parse(await read('settings.json')).database, 'postgresql://127.0.0.1:1/brandport');
    const findLeak = createLeakFinder([password, ...Object.values(tokens)]);
    for (const name of files) assert.equal(findLeak(await read(name)), null, name);
  });
});
