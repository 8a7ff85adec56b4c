import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { scopes } from '../../src/api/access.ts';
import { findChromium, startChromium } from '../support/browser/chromium.ts';
import { openForm, sendForm } from '../support/browser/try-operation.ts';
import { createDatabase } from '../support/fresh-database.ts';
import { startNginx, type TestNginx } from '../support/nginx-server.ts';
import { startServerProcess } from '../support/server-process.ts';
import { findSystemProgram } from '../support/system-program.ts';
import { databaseUrl } from '../support/test-database.ts';
import { waitFor } from '../support/wait-for.ts';

const program = findSystemProgram('nginx', 'nginx');
const chromium = findChromium();
const products = '/v1/client/catalog/products';
const mebibyte = 1024 * 1024;

interface Sent extends Pick<RequestOptions, 'method' | 'path'> {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent piece by piece, with a pause before each. */
  readonly body?: Iterable<string | Buffer>;
  readonly pauseMs?: number;
}

/** Sends a request over TLS from 127.0.0.2, which is no trusted proxy. */
async function send(nginx: TestNginx, { method = 'GET', path, headers, body = [], pauseMs = 0 }: Sent) {
  const request = httpsRequest({
    host: '127.0.0.1',
    port: nginx.port,
    localAddress: '127.0.0.2',
    agent: false,
    servername: 'api.example.com',
    ca: nginx.certificate,
    method,
    path,
    headers: { host: 'api.example.com', ...headers },
  });
  const answered = new Promise<{ status: number; text: string; headers: Record<string, unknown> }>(
    (resolve, reject) => {
      request.once('error', reject);
      request.once('response', (response) =>
        text(response).then(
          (answer) => resolve({ status: response.statusCode ?? 0, text: answer, headers: response.headers }),
          reject,
        ),
      );
    },
  );
  const end = new AbortController();
  answered.catch(() => {}).finally(() => end.abort());
  for (const piece of body) {
    if (pauseMs > 0) await sleep(pauseMs);
    if (!request.write(piece)) await once(request, 'drain', { signal: end.signal }).catch(() => {});
  }
  request.end();
  return answered;
}

describe('behind nginx', { skip: program === null }, async () => {
  if (program === null) return;
  const server = await startServerProcess({
    env: {
      DATABASE_URL: databaseUrl(await createDatabase()),
      BRANDPORT_TRUSTED_PROXIES: '127.0.0.1/32',
      BRANDPORT_LIMIT_ADDRESS: '20',
    },
  });
  const upstreamPorts = [Number(new URL(server.clientUrl).port)];
  const [root, below] = [
    await startNginx({ program, upstreamPorts }),
    await startNginx({ program, upstreamPorts, isBelowPrefix: true }),
  ];
  const brand = await server.admin.post('/brands', { name: 'Behind nginx' });
  const key = await server.admin.post(`/brands/${brand.json.id}/keys`, { name: 'All', scopes });
  const authorization = `Bearer ${key.json.api_key}`;
  const json = { authorization, 'content-type': 'application/json' };

  const loggedAddress = async (requestId: string) => {
    const line = await waitFor(
      'the log line',
      () =>
        server
          .stderr()
          .split('\n')
          .find((one) => one.includes(`"${requestId}"`)) ?? null,
    );
    return JSON.parse(line).address;
  };

  // [platform-81] [platform-82]
  it('the client’s address is the one that nginx saw, with any headers that the client made up', async () => {
    const lies = {
      'x-forwarded-for': '203.0.113.66, 127.0.0.1',
      'x-real-ip': '203.0.113.66',
      forwarded: 'for=203.0.113.66',
      'x-forwarded-prefix': '/evil',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'http',
    };
    const { status } = await send(root, {
      path: products,
      headers: { authorization, ...lies, 'x-request-id': 'spoofed' },
    });
    assert.equal(status, 200);
    assert.equal(await loggedAddress('spoofed'), '127.0.0.2');
    const { headers } = await send(root, { path: '/nothing', headers: lies });
    const again = await send(root, {
      path: '/nothing',
      headers: { ...lies, 'x-forwarded-for': '198.51.100.1' },
    });
    assert.equal(
      Number(again.headers['x-ratelimit-remaining']),
      Number(headers['x-ratelimit-remaining']) - 1,
    );
    const document = JSON.parse((await send(root, { path: '/openapi.json', headers: lies })).text);
    assert.equal(document.servers[0].url, 'https://api.example.com');
  });

  // [platform-83]
  it('below a prefix, report URLs, the reference and the document lead back through it', async () => {
    const lines = [{ sku: 'A', location_code: 'L', quantity: 1 }];
    const feed = await send(below, {
      method: 'POST',
      path: '/brandport/v1/client/catalog/stock/feeds',
      headers: { ...json, 'idempotency-key': 'prefixed' },
      body: [JSON.stringify({ source: 'erp', mode: 'snapshot', lines })],
    });
    assert.equal(feed.status, 202, feed.text);
    const { report_url } = JSON.parse(feed.text);
    assert.ok(report_url.startsWith('/brandport/v1/client/catalog/stock/feeds/'), report_url);
    assert.equal((await send(below, { path: report_url, headers: { authorization } })).status, 200);

    const document = JSON.parse((await send(below, { path: '/brandport/openapi.json' })).text);
    assert.equal(document.servers[0].url, 'https://api.example.com/brandport');
    const redirect = await send(below, { path: '/brandport/docs' });
    assert.deepEqual([redirect.status, redirect.headers['location']], [301, 'docs/']);
    const page = await send(below, { path: '/brandport/docs/' });
    const files = [...page.text.matchAll(/ (?:src|href)="([\w.]+\?v=[^"]+)"/g)].map(([, file]) => file);
    assert.equal(files.length, 3);
    for (const file of files)
      assert.equal((await send(below, { path: `/brandport/docs/${file}` })).status, 200, file);
  });

  // [platform-86]
  it('below a prefix, errors lead to their pages through it, and the search to its results', async () => {
    const refused = await send(below, { path: '/brandport/v1/client/catalog/status' });
    const { doc_url } = JSON.parse(refused.text);
    assert.equal(doc_url, '/brandport/docs/guides/errors/unauthenticated');
    assert.match((await send(below, { path: doc_url })).text, /<h1[^>]*><code>unauthenticated<\/code>/);
    const { results } = JSON.parse((await send(below, { path: '/brandport/docs/search.json?q=429' })).text);
    assert.equal((await send(below, { path: results[0].url })).status, 200);
  });

  // [platform-83]
  it('below a prefix, the reference sends its requests there', { skip: chromium === null }, async () => {
    if (chromium === null) return;
    const browser = await startChromium({ program: chromium, hosts: { 'api.example.com': below.port } });
    const opened = await browser.open('https://api.example.com/brandport/docs/');
    await opened.page.getByLabel('Bearer Token').first().fill(key.json.api_key);
    await openForm(opened.page, 'listProducts');
    const { url, status } = await sendForm(opened.page);
    assert.equal(status, 200);
    assert.match(url, /^https:\/\/api\.example\.com\/brandport\/v1\/client\/catalog\/products/);
    opened.assertNoProblems();
    await opened.close();
  });

  it('bodies of 30 MiB arrive, and larger ones are refused by Brandport in its own format', async () => {
    const line = (n: number) =>
      JSON.stringify({ sku: `SKU-${n}`, location_code: 'L', quantity: 1, note: 'x'.repeat(280) });
    const lines = Array.from({ length: 90_000 }, (_, n) => `${n === 0 ? '' : ','}${line(n)}`).join('');
    const body = Buffer.from(`{"source":"erp","mode":"snapshot","lines":[${lines}]}`);
    assert.ok(body.length > 28 * mebibyte && body.length < 32 * mebibyte, String(body.length));
    function* pieces(times: number) {
      for (let round = 0; round < times; round += 1)
        for (let at = 0; at < body.length; at += mebibyte) yield body.subarray(at, at + mebibyte);
    }
    const sent = (idempotencyKey: string, times: number) => ({
      method: 'POST',
      path: '/v1/client/catalog/stock/feeds',
      headers: {
        ...json,
        'idempotency-key': idempotencyKey,
        'content-length': String(body.length * times),
      },
      body: pieces(times),
    });
    const large = await send(root, sent('large', 1));
    assert.equal(large.status, 202, large.text.slice(0, 200));
    // nginx answers 502 itself if it has sent more than Brandport drains before it reads the early response, which happens
    // on a busy machine.
    let refused = await send(root, sent('too-large', 2));
    for (let attempt = 2; refused.status === 502 && attempt <= 3; attempt += 1)
      refused = await send(root, sent('too-large', 2));
    assert.deepEqual([refused.status, JSON.parse(refused.text).code], [413, 'payload_too_large']);
    const unknown = await send(root, {
      ...sent('no-key', 1),
      headers: { ...sent('no-key', 1).headers, authorization: 'Bearer no' },
    });
    assert.equal(unknown.status, 401);
  });

  it('a slow client is served, and holds up nobody', async () => {
    const text = JSON.stringify({ sku: 'SLOW', title: 'x'.repeat(200) });
    const slow = send(root, {
      method: 'POST',
      path: products,
      headers: { ...json, 'idempotency-key': 'slow' },
      body: text.match(/.{1,10}/g) ?? [],
      pauseMs: 100,
    });
    let isDone = false;
    void slow.finally(() => {
      isDone = true;
    });
    let served = 0;
    while (!isDone && served < 10) {
      assert.equal((await send(root, { path: products, headers: { authorization } })).status, 200);
      served += 1;
    }
    assert.equal(served, 10);
    assert.equal((await slow).status, 201);
  });

  it('plain HTTP is redirected, and the internal listener is not reachable', async () => {
    const redirected = await new Promise<[number | undefined, string | undefined]>((resolve, reject) => {
      httpRequest({
        host: '127.0.0.1',
        port: root.httpPort,
        path: '/docs/?a=1',
        headers: { host: 'api.example.com' },
      })
        .once('response', (response) => resolve([response.statusCode, response.headers.location]))
        .once('error', reject)
        .end();
    });
    assert.deepEqual(redirected, [308, 'https://api.example.com/docs/?a=1']);
    for (const path of ['/internal/v1/brands', '/metrics', '/internal/docs/'])
      assert.equal((await send(root, { path })).status, 404, path);
  });
});
