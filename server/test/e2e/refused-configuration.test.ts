import assert from 'node:assert/strict';
import { once } from 'node:events';
import { stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { registerCanary } from '../support/canaries.ts';
import { createDatabase } from '../support/fresh-database.ts';
import { findDemoKey } from '../support/server-output.ts';
import {
  makeDataDir,
  type SpawnedServer,
  spawnServer,
  startServerProcess,
} from '../support/server-process.ts';
import { databaseUrl } from '../support/test-database.ts';

const value = 'not-understood-canary-41d9';
registerCanary(value);
// Most of these values are secrets or contain one, so none may be repeated in the message.
const bad: Record<string, string> = {
  HOST: `http://${value}`,
  PORT: '65536',
  BRANDPORT_INTERNAL_HOST: `${value} ${value}`,
  BRANDPORT_INTERNAL_PORT: '-1',
  DATABASE_URL: `mysql://user:${value}@localhost/db`,
  BRANDPORT_ANALYTICS_URL: `http://user:${value}@localhost/db`,
  REDIS_URL: `redis://:${value}@localhost/cache`,
  BRANDPORT_ADMIN_TOKEN: `${value} ${value}`,
  BRANDPORT_CURSOR_SECRET: `${value},${value},${value}`,
  BRANDPORT_LIMIT_CATALOG_READS: 'many',
  BRANDPORT_LIMIT_CATALOG_WRITES: '-1',
  BRANDPORT_LIMIT_CATALOG_BRAND: '1.5',
  BRANDPORT_LIMIT_ANALYTICS_KEY: '1e3',
  BRANDPORT_LIMIT_ANALYTICS_BRAND: 'Infinity',
  BRANDPORT_LIMIT_ADDRESS: '0x10',
  BRANDPORT_KEEP_FEED_LINES: '400',
  BRANDPORT_KEEP_AUDIT: '0d',
  BRANDPORT_KEEP_KEY_USAGE: '100 d',
  BRANDPORT_KEEP_EVENTS: 'always',
  BRANDPORT_DEMO: 'no',
  BRANDPORT_ROLE: 'API',
  LOG_LEVEL: 'verbose',
};
const names = Object.keys(bad);

// [internal-5]
test('a start with one variable that is not understood ends with exit code 2 and its name', async () => {
  // The test of the configuration has every variable alone.
  const some = ['PORT', 'DATABASE_URL', 'BRANDPORT_ADMIN_TOKEN', 'LOG_LEVEL'];
  await Promise.all(some.map((name) => refusedFor([name])));
});

test('secrets that are empty next to DATABASE_URL are refused before anything is generated', async () => {
  const secrets = ['BRANDPORT_ADMIN_TOKEN', 'BRANDPORT_CURSOR_SECRET'];
  const env = Object.fromEntries(secrets.map((name) => [name, '']));
  const server = await spawnServer({ env: { ...env, DATABASE_URL: databaseUrl(await createDatabase()) } });
  assert.equal((await server.exit).code, 2);
  for (const name of secrets) assert.match(server.stderr(), new RegExp(`^  ${name} must not be empty`, 'm'));
  await assert.rejects(stat(server.dataDir), { code: 'ENOENT' });
});

test('several variables that are not understood are named together, and nothing was made', async () => {
  const { dataDir, stderr } = await refusedFor(names);
  assert.equal(stderr.trim().split('\n').length, names.length + 1);
  await assert.rejects(stat(dataDir), { code: 'ENOENT' });
});

test('a secret in a file is checked like one in a variable, and the file is named', async () => {
  for (const [name, content] of [
    ['admin-token', 'short-token-canary-08f3'],
    ['admin-token', `${value} ${value}`],
    ['admin-token', ''],
    ['cursor-secret', 'short-secret-canary-77aa'],
  ] as const) {
    const dataDir = await makeDataDir();
    const file = join(dataDir, name);
    await writeFile(file, `${content}\n`, { mode: 0o600 });
    const env = {
      BRANDPORT_DATA_DIR: dataDir,
      BRANDPORT_ADMIN_TOKEN: name === 'admin-token' ? undefined : 'long-enough-admin-token-0123456789',
      DATABASE_URL: await emptyDatabase(),
    };
    const server = await spawnServer({ env });
    assert.equal((await server.exit).code, 2, server.stderr());
    assert.ok(server.stderr().includes(`${file} must contain at least 32 characters`), server.stderr());
    if (content !== '') assert.ok(!server.stderr().includes(content));
  }
});

// [internal-5]
test('a misspelt variable ends the start with exit code 2, and another unknown one is warned about', async () => {
  const misspelt = await spawnServer({ env: { BRANDPORT_DATADIR: '/nowhere' } });
  assert.equal((await misspelt.exit).code, 2);
  assert.match(misspelt.stderr(), /BRANDPORT_DATADIR must be spelt BRANDPORT_DATA_DIR/);
  const other = await startServerProcess({
    env: {
      BRANDPORT_SOMETHING_ELSE: '1',
      BRANDPORT_PORT: 'tcp://10.0.0.1:80',
      DATABASE_URL: await emptyDatabase(),
    },
  });
  assert.match(other.stderr(), /BRANDPORT_SOMETHING_ELSE is not a variable of Brandport/);
  assert.doesNotMatch(other.stderr(), /BRANDPORT_PORT/);
});

test('a port in use ends the start with exit code 1, and the message says which and what to set', async (t) => {
  const other = createServer().listen(0, '127.0.0.1');
  t.after(() => other.close());
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  const dataDir = join(await makeDataDir(), 'data');
  for (const [name, demo] of [
    ['PORT', '1'],
    ['BRANDPORT_INTERNAL_PORT', '1'],
  ] as const) {
    const env = { [name]: String(port), BRANDPORT_DATA_DIR: dataDir, BRANDPORT_DEMO: demo };
    const server = await spawnServer({ env });
    assert.equal((await server.exit).code, 1);
    assert.equal(server.stdout(), '');
    assert.equal(lastMessageOf(server), `127.0.0.1:${port} is in use; choose another port with ${name}.`);
  }
  const next = await startServerProcess({ env: { BRANDPORT_DATA_DIR: dataDir, BRANDPORT_DEMO: '1' } });
  assert.ok(
    findDemoKey(next.stderr()),
    'the failed starts have not used up the one time that the key is shown',
  );
});

test('a host that this machine does not have is named with its variable', async () => {
  const server = await spawnServer({ env: { HOST: '192.0.2.1', DATABASE_URL: await emptyDatabase() } });
  assert.equal((await server.exit).code, 1);
  assert.match(lastMessageOf(server), /^Cannot listen on 192\.0\.2\.1:0 \(HOST, PORT\): .*EADDRNOTAVAIL/);
});

test('a data directory that is a file ends the start with the path and the variable, without a stack', async () => {
  const file = join(await makeDataDir(), 'file');
  await writeFile(file, '');
  for (const env of [{}, { DATABASE_URL: await emptyDatabase(), BRANDPORT_ADMIN_TOKEN: undefined }]) {
    const server = await spawnServer({ env: { ...env, BRANDPORT_DATA_DIR: file } });
    assert.equal((await server.exit).code, 1);
    assert.ok(server.stderr().includes(`${file} (BRANDPORT_DATA_DIR)`), server.stderr());
    assert.doesNotMatch(server.stderr(), /^\s+at /m);
  }
});

test('a DATABASE_URL with a wrong password ends the start with what PostgreSQL says, without a stack', async () => {
  const url = new URL(await emptyDatabase());
  url.password = 'wrong-password-canary-93';
  registerCanary(url.password);
  const server = await spawnServer({ env: { DATABASE_URL: url.href } });
  assert.equal((await server.exit).code, 1);
  assert.match(
    lastMessageOf(server),
    /^The database of DATABASE_URL cannot be used: password authentication failed/,
  );
  assert.doesNotMatch(lastMessageOf(server), /^\s+at /m);
});

test('a DATABASE_URL without the password that PostgreSQL asks for ends the start with where one is looked for', async () => {
  const url = new URL(await emptyDatabase());
  url.password = '';
  const server = await spawnServer({
    env: { DATABASE_URL: url.href, PGPASSWORD: undefined, HOME: '/nowhere' },
  });
  assert.equal((await server.exit).code, 1);
  assert.match(lastMessageOf(server), /cannot be used: the server asks for a password, and there is none in/);
});

test('for people, a failed start ends with the sentence alone', async () => {
  const env = { HOST: '192.0.2.1', DATABASE_URL: await emptyDatabase(), LOG_FORMAT: 'pretty' };
  const server = await spawnServer({ env });
  assert.equal((await server.exit).code, 1);
  assert.match(server.stderr(), /^Cannot listen on 192\.0\.2\.1:0 /m);
});

/** The last log line of a start; all lines are JSON. */
function lastMessageOf(server: SpawnedServer): string {
  const lines = server.stderr().trim().split('\n');
  return lines.map((line) => JSON.parse(line).msg as string).at(-1) ?? '';
}

async function emptyDatabase(): Promise<string> {
  return databaseUrl(await createDatabase());
}

async function refusedFor(wrong: readonly string[]): Promise<{ dataDir: string; stderr: string }> {
  const env = Object.fromEntries(wrong.map((name) => [name, bad[name]]));
  const server = await spawnServer({ env });
  const { code } = await server.exit;
  const stderr = server.stderr();
  assert.equal(code, 2, `${wrong}: ${stderr}`);
  assert.equal(server.stdout(), '');
  for (const name of names) assert.equal(stderr.includes(`  ${name} must be `), wrong.includes(name), stderr);
  assert.ok(!stderr.includes(value));
  return { dataDir: server.dataDir, stderr };
}
