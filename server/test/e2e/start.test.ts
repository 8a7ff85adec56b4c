import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { registerCanary } from '../support/canaries.ts';
import { createHttpClient, sendHttp } from '../support/http-client.ts';
import { findDemoKey, withoutWelcome } from '../support/server-output.ts';
import { makeDataDir, startServerProcess } from '../support/server-process.ts';
import { pasteIntoShell } from '../support/shell.ts';

// A first start on an empty data directory with nothing configured but free ports.
const dataDir = join(await makeDataDir(), 'data');
const asShipped = {
  BRANDPORT_DATA_DIR: dataDir,
  BRANDPORT_DEMO: undefined,
  BRANDPORT_ADMIN_TOKEN: undefined,
  LOG_FORMAT: undefined,
};
const first = await startServerProcess({ env: asShipped });
const apiKey = findDemoKey(first.stderr()) ?? '';

// [internal-7]
test('the ready line is all that standard output shows, and both listeners answer by then', async () => {
  assert.match(first.stdout(), /^\{.*\}\n$/);
  const line = JSON.parse(first.stdout());
  assert.deepEqual(Object.keys(line), ['ready', 'client', 'internal']);
  assert.equal(line.ready, true);
  for (const url of [line.client, line.internal]) {
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.equal((await sendHttp(`${url}/healthz`)).status, 200);
    assert.equal((await sendHttp(`${url}/readyz`)).status, 200);
  }
});

test('without a format and a terminal, standard error holds the welcome, and apart from it nothing but JSON', () => {
  const rest = withoutWelcome(first.stderr());
  assert.notEqual(rest, first.stderr());
  const lines = rest.split('\n').filter((line) => line !== '');
  assert.ok(lines.length > 3);
  for (const line of lines) assert.equal(typeof JSON.parse(line).msg, 'string', line);
});

// [internal-7]
test('in JSON, standard error has only JSON: the start with its settings first, the welcome with the key last', async () => {
  const env = { BRANDPORT_DEMO: '1', LOG_FORMAT: 'json', PORT: '0', BRANDPORT_LIMIT_ADDRESS: '7' };
  const server = await startServerProcess({ env });
  const lines = server
    .stderr()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const { msg, version, node, role, database, settings } = lines[0];
  assert.deepEqual([msg, node, role], ['starting', process.versions.node, 'all']);
  assert.match(version, /^\d+\.\d+\.\d+/);
  assert.equal(database, `embedded in ${server.dataDir}`);
  assert.deepEqual(settings, {
    PORT: '0',
    BRANDPORT_INTERNAL_PORT: '0',
    BRANDPORT_DATA_DIR: server.dataDir,
    BRANDPORT_ADMIN_TOKEN: 'set',
    BRANDPORT_LIMIT_ADDRESS: '7',
    LOG_FORMAT: 'json',
  });
  const { demo, guides } = lines.at(-1);
  assert.equal(findDemoKey(server.stderr()), demo.api_key);
  assert.equal((await server.clientWith(demo.api_key).get('/catalog/products')).status, 200);
  assert.equal((await sendHttp(guides)).status, 200);
});

test('the welcome names the reference, the console and the internal surface, and all are there', async () => {
  const reference = /API reference +(\S+)/.exec(first.stderr())?.[1] ?? '';
  const consolePage = /Console +(\S+)/.exec(first.stderr())?.[1] ?? '';
  const internal = /Internal surface +(\S+) /.exec(first.stderr())?.[1] ?? '';
  assert.equal(reference, `${first.clientUrl}/docs/`);
  assert.equal(internal, `${first.internalUrl}/internal/docs/`);
  assert.equal(consolePage, `${first.internalUrl}/console/`);
  for (const url of [reference, consolePage, internal]) {
    const page = await sendHttp(url);
    assert.equal(page.status, 200);
    assert.match(page.headers['content-type'] ?? '', /^text\/html/);
  }
});

test('the three curl lines of the welcome work when they are pasted into a shell', async () => {
  const lines = first
    .stderr()
    .split('\n')
    .filter((line) => line.startsWith('  curl '));
  assert.equal(lines.length, 3);
  const answers: string[] = [];
  for (const line of lines) answers.push(await pasteIntoShell(line));
  const [list, created, brands] = answers.map((answer) => JSON.parse(answer));
  assert.ok(list.data.length >= 3, 'a handful of products');
  assert.equal(created.data?.sku ?? created.sku, 'MUG-001');
  assert.equal(brands.data.length, 1);
});

test('the three curl lines of the README work after them, and the second is replayed when it is sent again', async () => {
  const readme = await readFile(new URL('../../../README.md', import.meta.url), 'utf8');
  const block = /^```sh\n(curl [\s\S]*?)^```$/m.exec(readme)?.[1] ?? '';
  const lines = block
    .replaceAll('http://127.0.0.1:8080', first.clientUrl)
    .replaceAll('http://127.0.0.1:8081', first.internalUrl)
    .replaceAll('data/admin-token', join(dataDir, 'admin-token'))
    .split('\n\n');
  assert.equal(lines.length, 3);
  const paste = async (line = '') => pasteIntoShell(line, { KEY: apiKey });
  const [list, created, brands] = await Promise.all([paste(lines[0]), paste(lines[1]), paste(lines[2])]);
  assert.ok(JSON.parse(list).data.length >= 3);
  assert.equal(JSON.parse(created).sku, 'JUG-001');
  assert.equal(JSON.parse(brands).data.length, 1);
  const again = await paste(lines[1]?.replace('curl -s', 'curl -s -i'));
  assert.match(again, /^idempotency-replayed: true/im);
  assert.ok(again.endsWith(created));
});

test('the key opens everything: it holds every scope', async () => {
  const { json } = await createHttpClient(`${first.clientUrl}/v1/client`, apiKey).get('/catalog/status');
  const { scopes } = json.data ?? json;
  assert.equal(scopes.length, new Set(scopes).size);
  for (const scope of ['catalog.products:read', 'catalog.products:write']) assert.ok(scopes.includes(scope));
});

// [internal-6]
test('the admin token is in a file for its owner only; the log tells the path and not the token', async () => {
  const file = join(dataDir, 'admin-token');
  const token = (await readFile(file, 'utf8')).trim();
  registerCanary(token);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.ok(token.length >= 32);
  assert.ok(first.stderr().includes(file));
  assert.ok(!first.stderr().includes(token));
  const brands = await createHttpClient(`${first.internalUrl}/internal/v1`, token).get('/brands');
  assert.equal(brands.status, 200);
});

test('the next start keeps token, brand and key, and prints no key', async () => {
  assert.equal((await first.stop()).code, 0);
  const token = await readFile(join(dataDir, 'admin-token'), 'utf8');
  const second = await startServerProcess({ env: asShipped });
  assert.equal(await readFile(join(dataDir, 'admin-token'), 'utf8'), token);
  assert.doesNotMatch(second.stderr(), /Welcome|tuk_/);
  assert.match(second.stdout(), /^\{.*\}\n$/);
  const products = await second.clientWith(apiKey).get('/catalog/products?per_page=50');
  assert.equal(products.status, 200);
  assert.ok(products.json.data.length >= 4);
  const brands = await createHttpClient(`${second.internalUrl}/internal/v1`, token.trim()).get('/brands');
  assert.equal(brands.json.data.length, 1);
});
const chosenToken = 'chosen-by-the-operator-0123456789';

// [internal-11]
test('BRANDPORT_DEMO=0 makes no brand, and BRANDPORT_ADMIN_TOKEN takes the place of the file', async () => {
  const server = await startServerProcess({
    env: { BRANDPORT_DEMO: '0', BRANDPORT_ADMIN_TOKEN: chosenToken },
  });
  assert.doesNotMatch(server.stderr(), /Welcome|tuk_|admin token|chosen-by/);
  const brands = await server.admin.get('/brands');
  assert.equal(brands.status, 200);
  assert.deepEqual(brands.json.data, []);
  await assert.rejects(stat(join(server.dataDir, 'admin-token')), { code: 'ENOENT' });
  const other = createHttpClient(`${server.internalUrl}/internal/v1`, `${chosenToken}-else`);
  assert.equal((await other.get('/brands')).status, 401);
});

test('two admin tokens open the internal surface, so that one can replace the other', async () => {
  const tokens = [chosenToken, `${chosenToken}-before`];
  const server = await startServerProcess({ env: { BRANDPORT_ADMIN_TOKEN: tokens.join(',') } });
  const statuses = [...tokens, tokens.join(','), `${chosenToken}-`].map(async (token) => {
    return (await createHttpClient(`${server.internalUrl}/internal/v1`, token).get('/brands')).status;
  });
  assert.deepEqual(await Promise.all(statuses), [200, 200, 401, 401]);
});

test('with an admin token of the operator the welcome shows the name of the variable in its place', async () => {
  const token = chosenToken;
  const server = await startServerProcess({
    env: { BRANDPORT_DEMO: '1', BRANDPORT_ADMIN_TOKEN: token, LOG_FORMAT: 'pretty' },
  });
  const line = server
    .stderr()
    .split('\n')
    .findLast((text) => text.startsWith('  curl '));
  assert.ok(line?.includes('$BRANDPORT_ADMIN_TOKEN'));
  assert.ok(!server.stderr().includes(token));
  assert.equal(JSON.parse(await pasteIntoShell(line ?? '', { BRANDPORT_ADMIN_TOKEN: token })).data.length, 1);
});
