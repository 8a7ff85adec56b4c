import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { assertRefused, counterAt } from '../../../test/support/assert-refused.ts';
import { logLines } from '../../../test/support/log-capture.ts';
import { listenOn } from '../../../test/support/raw-connection.ts';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { newSimple } from '../../catalog/stock/tests/stock.ts';
import { ok } from '../../catalog/tests/new-axes.ts';
import { figures } from './limit-headers.ts';

const apps = await createTestApps({ limits: { catalog_key_reads: 1_000 } });
const { client, apiKey, brandId } = await apps.newBrand();
const { tu_id } = await newSimple(client);
const detail = `/catalog/products/${tu_id}`;
const list = '/catalog/products';
const port = await listenOn(apps.clientApp);

const tagOf = async (path: string, by = client) => (await by.get(path)).headers['etag'] as string;
const conditional = (path: string, header: string, method = 'GET') =>
  client.request(method, path, { headers: { 'if-none-match': header } });

/** The whole response to a request, byte for byte, until the server closes the connection. */
async function bytesOf(method: string, path: string, header: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.on('data', (bytes) => {
    received += bytes.toString('latin1');
  });
  socket.write(
    `${method} /v1/client${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nIf-None-Match: ${header}\r\nAuthorization: Bearer ${apiKey}\r\n\r\n`,
  );
  await once(socket, 'close');
  return received;
}

const reads = {
  'a product': detail,
  'a list of products': list,
  'a list of variants': `${detail}/variants`,
  'a list of levels': '/catalog/stock/levels',
  'a list of movements': `${detail}/stock/movements`,
};

for (const [what, path] of Object.entries(reads))
  describe(`a conditional read of ${what}`, () => {
    it('has a strong, short tag, which stays while nothing changes', async () => {
      const etag = await tagOf(path);
      assert.match(etag, /^"[A-Za-z0-9_-]{22}"$/);
      assert.equal(await tagOf(path), etag);
    });

    it('answers 304 to the tag, to its weak form, and to a list that has it', async () => {
      const etag = await tagOf(path);
      for (const header of [etag, `W/${etag}`, `"other", ${etag}`, `"a" ,W/"b",, ${etag},"c"`]) {
        const answer = await conditional(path, header);
        assert.deepEqual([answer.status, answer.text, answer.headers['etag']], [304, '', etag], header);
      }
    });

    it('answers 304 to an asterisk, with the tag', async () => {
      const answer = await conditional(path, '*');
      assert.deepEqual([answer.status, answer.text, answer.headers['etag']], [304, '', await tagOf(path)]);
    });

    it('answers the whole to another tag and to a header that is malformed', async () => {
      const etag = await tagOf(path);
      const { text } = await client.get(path);
      const bare = etag.slice(1, -1);
      for (const header of [
        '"other"',
        bare,
        `${etag} ${etag}`,
        `${etag}, x`,
        `"${bare}`,
        `"${bare}."`,
        `"${bare}x"`,
        // What Apache's mod_deflate makes of a tag.
        `"${bare}-gzip"`,
        `W/"${bare}-gzip"`,
      ]) {
        const answer = await conditional(path, header);
        assert.deepEqual([answer.status, answer.text, answer.headers['etag']], [200, text, etag], header);
      }
    });

    it('answers HEAD alike', async () => {
      const etag = await tagOf(path);
      const same = await conditional(path, etag, 'HEAD');
      assert.deepEqual([same.status, same.text, same.headers['etag']], [304, '', etag]);
      const other = await conditional(path, '"other"', 'HEAD');
      assert.deepEqual([other.status, other.text, other.headers['etag']], [200, '', etag]);
    });

    it('has on a 304 the headers of every answer, and none of a body', async () => {
      const { status, headers } = await conditional(path, await tagOf(path));
      assert.equal(status, 304);
      assert.equal(headers['cache-control'], 'no-store');
      assert.equal(headers['content-type'], undefined);
      const [limit, left] = figures({ headers });
      assert.equal(limit, 1_000);
      const next = await conditional(path, await tagOf(path));
      assert.deepEqual(figures(next), [1_000, left - 2], 'a 304 counts as any request');
    });

    // [platform-90]
    it('sends a 304 that ends with its headers', async () => {
      const etag = await tagOf(path);
      for (const method of ['GET', 'HEAD']) {
        const sent = await bytesOf(method, path, etag);
        assert.match(sent, /^HTTP\/1\.1 304 Not Modified\r\n/);
        assert.ok(sent.endsWith('\r\n\r\n') && sent.indexOf('\r\n\r\n') === sent.length - 4, sent);
        assert.doesNotMatch(sent, /content-length|transfer-encoding/i);
      }
    });

    it('is logged and counted as 304', async () => {
      const route = `/v1/client${path.replace(tu_id, ':tuId')}`;
      const labels = { listener: 'client', method: 'GET', route, status: 304 };
      const counted = () => counterAt(apps.metrics, 'brandport_http_requests_total', labels);
      const etag = await tagOf(path);
      const before = await counted();
      logLines.take();
      await conditional(path, etag);
      const lines = logLines.take();
      assert.equal(lines.length, 1);
      assert.partialDeepStrictEqual(JSON.parse(lines[0] ?? ''), { msg: 'request', route, status: 304 });
      assert.equal(await counted(), before + 1);
    });

    it('has another tag for a key of other scopes, and the same for one of the same', async () => {
      const etag = await tagOf(path);
      const needed = path.includes('/stock') ? 'catalog.stock:read' : 'catalog.products:read';
      const fewer = await apps.newKey(brandId, [needed]);
      const alike = await apps.newKey(brandId);
      assert.equal(await tagOf(path, alike.client), etag);
      assert.notEqual(await tagOf(path, fewer.client), etag);
      const crossed = await fewer.client.get(path, { 'if-none-match': etag });
      assert.equal(crossed.status, 200);
    });

    it('is refused before it is compared', async () => {
      const etag = await tagOf(path);
      const header = { 'if-none-match': etag };
      assertRefused(await apps.anonymous.get(path, header), 'unauthenticated');
      const { client: other } = await apps.newKey(brandId, ['catalog.stock:ingest']);
      assertRefused(await other.get(path, header), 'insufficient_scope');
    });
  });

describe('a tag', () => {
  it('belongs to its path and its query', async () => {
    const other = await newSimple(client);
    const paths = [
      detail,
      `/catalog/products/${other.tu_id}`,
      list,
      `${list}?page=1&per_page=1`,
      `${list}?page=2&per_page=1`,
    ];
    const tags = await Promise.all(paths.map((path) => tagOf(path)));
    assert.equal(new Set(tags).size, paths.length);
    assert.equal(await tagOf(`${list}?per_page=1&page=1`), tags[3], 'the order of parameters means nothing');
  });

  it('of one brand is not another’s, however alike the two are', async () => {
    const tags = await Promise.all(
      ['A', 'B'].map(async (name) => tagOf(list, (await apps.newBrand({ name })).client)),
    );
    assert.notEqual(tags[0], tags[1]);
  });

  it('does not make a missing product exist, nor a wrong query right', async () => {
    const etag = await tagOf(detail);
    const { client: stranger } = await apps.newBrand();
    for (const header of [etag, '*'])
      for (const path of ['/catalog/products/AAAAAAAAAAAAAAAAAAAAA', '/catalog/products/x']) {
        assertRefused(await conditional(path, header), 'not_found');
        assertRefused(await stranger.get(detail, { 'if-none-match': header }), 'not_found');
        assertRefused(await conditional(`${list}?page=0`, header), 'validation_failed', ['page']);
      }
  });

  it('means nothing on a write, nor on a read without versions', async () => {
    const header = { 'if-none-match': '*' };
    assert.equal((await client.patch(detail, { title: 'Written' }, header)).status, 200);
    const status = await client.get('/catalog/status', header);
    assert.deepEqual([status.status, status.headers['etag']], [200, undefined]);
    assert.equal((await ok(client.get(detail))).title, 'Written');
  });
});
