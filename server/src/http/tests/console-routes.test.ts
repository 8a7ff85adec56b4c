import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { AdminToken } from '../../access/authentication/authentication.ts';
import { createInternalApp } from '../internal-app.ts';

const dir = await mkdtemp(join(tmpdir(), 'brandport-console-'));
const page = `<!doctype html><title>Console</title>${'<p>row</p>'.repeat(200)}`;
const script = `export const rows = [${'1,'.repeat(1_000)}];`;
await mkdir(join(dir, 'assets'));
for (const [name, text] of [
  ['index.html', page],
  ['assets/main-Cx1.js', script],
] as const) {
  await writeFile(join(dir, name), text);
  await writeFile(join(dir, `${name}.gz`), gzipSync(text));
  await writeFile(join(dir, `${name}.br`), brotliCompressSync(text));
}
await writeFile(join(dir, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
await writeFile(join(dir, '.secret'), 'hidden');
await writeFile(join(dir, '..', `${dir.split('/').pop()}.txt`), 'outside');
after(() => rm(dir, { recursive: true, force: true }));
after(() => rm(`${dir}.txt`, { force: true }));

const apps = await createTestApps();
const appWith = (consoleDir: string) =>
  createInternalApp({
    ...apps.services,
    adminToken: new AdminToken('an-admin-token-of-the-console-test'),
    consoleAllowsHttp: false,
    consoleDir,
  });
const app = appWith(dir);
after(() => app.close());

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });

// [D304]
describe('the root of a listener', () => {
  const apart = [
    ['internal', apps.internalApp, 'console/'],
    ['client', apps.clientApp, 'docs/'],
  ] as const;

  it('leads a browser to the console and to the reference', async () => {
    for (const [name, listener, place] of apart)
      for (const method of ['GET', 'HEAD'] as const) {
        const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
        const { statusCode, headers } = await listener.inject({
          method,
          url: '/?from=mail',
          headers: { accept },
        });
        assert.deepEqual([statusCode, headers.location], [303, place], name);
        assert.match(String(headers.vary), /\baccept\b(?!-)/);
      }
  });

  it('has nothing for any other client, and for no other method', async () => {
    for (const [name, listener] of apart)
      for (const [method, accept] of [
        ['GET', '*/*'],
        ['GET', 'application/json'],
        ['POST', 'text/html'],
      ] as const) {
        const { statusCode, body } = await listener.inject({ method, url: '/', headers: { accept } });
        assert.deepEqual(
          [statusCode, JSON.parse(body).code],
          [404, 'not_found'],
          `${name} ${method} ${accept}`,
        );
      }
  });
});

describe('the console', () => {
  it('is a page that is never cached, at its root and at every place in it', async () => {
    for (const path of ['', 'brands', 'brands/1/keys?state=active', 'a/b/c/d', 'session/x', '%E2%98%83']) {
      const { statusCode, headers, body } = await get(`/console/${path}`);
      assert.equal(statusCode, 200, path);
      assert.equal(body, page);
      assert.equal(headers['cache-control'], 'no-store');
      assert.equal(headers['content-type'], 'text/html; charset=utf-8');
    }
    const { statusCode, headers } = await get('/console');
    assert.deepEqual([statusCode, headers.location], [301, 'console/']);
  });

  it('allows nothing but its own files, and no string as markup', async () => {
    for (const path of ['', 'assets/main-Cx1.js', 'icon.svg', 'deep/link']) {
      const { headers } = await get(`/console/${path}`);
      const policy = String(headers['content-security-policy']).split('; ');
      for (const rule of [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "img-src 'self' data:",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
      ])
        assert.ok(policy.includes(rule), `${path}: ${rule}`);
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['referrer-policy'], 'no-referrer');
    }
  });

  it('has assets that are cached permanently', async () => {
    const { statusCode, headers, body } = await get('/console/assets/main-Cx1.js');
    assert.equal(statusCode, 200);
    assert.equal(body, script);
    assert.match(String(headers['content-type']), /^(text|application)\/javascript/);
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
    const again = await get('/console/assets/main-Cx1.js', { 'if-none-match': String(headers.etag) });
    assert.deepEqual([again.statusCode, again.body], [304, '']);
  });

  it('is sent as the build has compressed it', async () => {
    for (const [accepted, coding, bytes] of [
      ['br, gzip', 'br', brotliCompressSync(script)],
      ['gzip', 'gzip', gzipSync(script)],
      ['gzip, deflate, br', 'br', brotliCompressSync(script)],
    ] as const) {
      const { headers, rawPayload } = await get('/console/assets/main-Cx1.js', {
        'accept-encoding': accepted,
      });
      assert.equal(headers['content-encoding'], coding);
      assert.equal(headers.vary, 'accept-encoding');
      assert.deepEqual(rawPayload, bytes);
    }
    const plain = await get('/console/', { 'accept-encoding': 'identity' });
    assert.equal(plain.headers['content-encoding'], undefined);
    assert.equal(plain.headers.vary, 'accept-encoding');
    const icon = await get('/console/icon.svg', { 'accept-encoding': 'br' });
    assert.deepEqual([icon.statusCode, icon.headers['content-type']], [200, 'image/svg+xml']);
  });

  it('has no other files than those of the build', async () => {
    const outside = `${dir.split('/').pop()}.txt`;
    for (const name of ['missing.js', '.secret', `..%2f..%2f${outside}`, '..%2findex.html', '%00', 'a%5cb'])
      assert.equal((await get(`/console/assets/${name}`)).json().code, 'not_found', name);
    for (const path of ['.secret', `..%2f${outside}`, `%2e%2e/${outside}`, 'assets', '..%5c..%5cx']) {
      const { statusCode, body } = await get(`/console/${path}`);
      assert.ok(statusCode === 404 || body === page, `${path}: ${body.slice(0, 80)}`);
    }
  });

  it('needs no token, and answers HEAD', async () => {
    const { statusCode, body, headers } = await app.inject({ method: 'HEAD', url: '/console/' });
    assert.deepEqual([statusCode, body], [200, '']);
    assert.equal(Number(headers['content-length']), page.length);
    assert.equal((await app.inject({ method: 'POST', url: '/console/brands' })).statusCode, 404);
    assert.equal((await get('/console/session')).json().code, 'unauthenticated');
  });

  it('names the one command where it is not built, and appears once it is', async () => {
    const empty = await mkdtemp(join(tmpdir(), 'brandport-console-'));
    const bare = appWith(join(empty, 'dist'));
    for (const url of ['/console/', '/console/brands']) {
      const { statusCode, body } = await bare.inject({ url });
      assert.equal(statusCode, 503);
      assert.match(body, /<pre>npm ci --include=dev<\/pre>/);
    }
    assert.equal((await bare.inject({ url: '/healthz' })).statusCode, 200);
    await mkdir(join(empty, 'dist'));
    await writeFile(join(empty, 'dist', 'index.html'), 'built');
    assert.equal((await bare.inject({ url: '/console/' })).body, 'built');
    await bare.close();
    await rm(empty, { recursive: true });
  });

  it('is not on the client listener', async () => {
    assert.equal((await apps.clientApp.inject({ url: '/console/' })).statusCode, 404);
  });
});
