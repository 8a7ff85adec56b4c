import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { after, test } from 'node:test';
import { createTestDatabase, databaseUrl, testServer } from '../../test/support/test-database.ts';
import { DemoError } from '../demo-error.ts';
import { startDemoServer } from '../demo-server.ts';

const { address } = await createTestDatabase();
const url = databaseUrl({ ...(await testServer()), database: address.database });

test('a killed server is detected', async () => {
  const server = await startDemoServer({ env: process.env, fast: true, databaseUrl: url });
  process.kill(server.pid, 'SIGKILL');
  const error = await server.endedByItself;
  assert.match(error.message, /exited unexpectedly/);
  await server.stop();
});

test('the server is its own, with any settings of the terminal', async () => {
  const env = {
    ...process.env,
    PORT: '1',
    HOST: '192.0.2.1',
    REDIS_URL: 'redis://192.0.2.1',
    BRANDPORT_LIMIT_CATALOG_READS: '7',
    BRANDPORT_ROLE: 'api',
    DATABASE_URL: 'postgresql://192.0.2.1/x',
  };
  const server = await startDemoServer({ env, fast: false, databaseUrl: url });
  assert.match(server.clientUrl, /^http:\/\/127\.0\.0\.1:\d{4,5}$/);
  const answer = await fetch(`${server.clientUrl}/v1/client/catalog/status`);
  assert.equal(answer.headers.get('x-ratelimit-limit'), '300');
  await server.stop();
});

test('a server that does not start reports the reason, and leaves no data', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'brandport-demo-own-'));
  after(() => rm(directory, { recursive: true }));
  const before = await ownDirectories();
  await assert.rejects(
    startDemoServer({ env: process.env, fast: true, databaseUrl: 'mysql://localhost/x' }),
    (error) => error instanceof DemoError && /did not start\.\n.*\n.*DATABASE_URL/.test(error.message),
  );
  assert.deepEqual(await ownDirectories(), before);
});

async function ownDirectories(): Promise<string[]> {
  return (await readdir(tmpdir())).filter((name) => /^brandport-demo-[A-Za-z0-9]{6}$/.test(name)).sort();
}
