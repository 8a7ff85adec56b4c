import assert from 'node:assert/strict';
import { mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { fastify } from 'fastify';
import { FileWriter } from '../../../scripts/built-pages/file-writer.ts';
import { builtRoutes } from '../built-pages.ts';

const dir = await mkdtemp(join(tmpdir(), 'brandport-pages-'));
after(() => rm(dir, { recursive: true, force: true }));
const app = fastify();
after(() => app.close());
const get = builtRoutes(app, '', pathToFileURL(`${dir}/`));
get('/page', (pages, request, reply) => pages.get('page.html').sendTagged(request, reply));
get('/there', (pages, request, reply) =>
  pages.get('page.html').sendTagged(request, reply, 'https://api.test/shop'),
);
get('/style', (pages, request, reply) => pages.get('style.css').send(request, reply));

const text = '<p>http://127.0.0.1:8080/v1</p>\n';
let runs = 0;

/** Writes the pages as `prepare` does, at a later time each. */
async function prepare(page: string): Promise<void> {
  const writer = new FileWriter(dir);
  await writer.write('page.html', page);
  await writer.write('style.css', 'p { color: red }\n', { version: 'v1' });
  await writer.writeList();
  runs += 1;
  await utimes(join(dir, 'pages.json'), runs, runs);
}

// [D350]
describe('built pages', () => {
  it('are 503 until they are built, with what to run', async () => {
    const response = await app.inject('/page');
    assert.equal(response.statusCode, 503);
    assert.match(response.body, /npm ci --include=dev/);
    await prepare(text);
    assert.equal((await app.inject('/page')).body, text);
  });

  it('are sent from their compressed files, with one tag', async () => {
    const plain = await app.inject('/page');
    assert.equal(plain.headers['content-type'], 'text/html; charset=utf-8');
    for (const [coding, read] of [
      ['gzip', gunzipSync],
      ['br', brotliDecompressSync],
    ] as const) {
      const { headers, rawPayload } = await app.inject({
        url: '/page',
        headers: { 'accept-encoding': coding },
      });
      assert.equal(headers['content-encoding'], coding);
      assert.equal(headers['vary'], 'accept-encoding');
      assert.equal(headers['etag'], `W/${plain.headers['etag']}`);
      assert.equal(read(rawPayload).toString(), text);
    }
  });

  it('name the address that the client calls, with a tag of their own', async () => {
    const there = await app.inject({ url: '/there', headers: { 'accept-encoding': 'br' } });
    assert.equal(there.body, '<p>https://api.test/shop/v1</p>\n');
    const known = { 'if-none-match': String(there.headers['etag']).replace('W/', '') };
    assert.equal((await app.inject({ url: '/there', headers: known })).statusCode, 304);
    assert.equal((await app.inject({ url: '/page', headers: known })).statusCode, 200);
  });

  it('are kept by browsers only under the address of their bytes', async () => {
    const kept = (await app.inject('/style?v=v1')).headers['cache-control'];
    assert.equal(kept, 'public, max-age=31536000, immutable');
    for (const url of ['/style', '/style?v=v2'])
      assert.equal((await app.inject(url)).headers['cache-control'], undefined, url);
  });

  it('are those of a later run without a restart', async () => {
    await prepare('<p>later</p>\n');
    assert.equal((await app.inject('/page')).body, '<p>later</p>\n');
  });
});
