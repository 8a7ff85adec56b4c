import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { describe, it } from 'node:test';
import { listeningUrl } from '../../server/test/support/listening-url.ts';
import { TlsAuthority } from '../../server/test/support/tls-authority.ts';
import { Brandport, isBrandportError } from '../src/index.ts';
import { sleep } from '../src/transport/client-options.ts';
import { unusedProxy } from '../src/transport/connection-advice.ts';

/** Starts a server, plain or with the certificate of its own authority, that counts its requests. */
async function startServer(listener: RequestListener, tls?: { cert: string; key: string }) {
  const seen: string[] = [];
  const counted: RequestListener = (request, response) => {
    seen.push(request.headers.authorization ?? 'none');
    request.resume();
    listener(request, response);
  };
  const server = tls === undefined ? createServer(counted) : createTlsServer(tls, counted);
  const url = await listeningUrl(server);
  return { seen, port: Number(new URL(url).port), url };
}

const clientOf = (baseUrl: string) => new Brandport({ baseUrl, apiKey: 'key' });

async function failureOf(call: Promise<unknown>) {
  const startedAt = performance.now();
  const error = await call.then(
    () => assert.fail('it succeeded'),
    (reason: unknown) => reason,
  );
  assert.ok(isBrandportError(error), String(error));
  return { error, ms: performance.now() - startedAt };
}

describe('a wait that something else asks for', () => {
  for (const [status, code] of [
    [429, 'rate_limited'],
    [503, 'service_unavailable'],
  ] as const)
    it(`of more than ten minutes is not begun: ${status}`, async () => {
      const { seen, url } = await startServer((_, response) => {
        const headers = { 'retry-after': '9999999', 'content-type': 'application/json' };
        response.writeHead(status, headers).end(JSON.stringify({ code, message: 'Later.' }));
      });
      const client = clientOf(url);
      for (const expected of [1, 2]) {
        const { error, ms } = await failureOf(client.catalog.status());
        assert.match(error.message, /asks to wait 9999999 s, which is more than 10 minutes: call again then/);
        assert.equal(error.code, code);
        assert.ok(ms < 2_000, `${ms}`);
        assert.equal(seen.length, expected);
      }
    });

  for (const ahead of [60 * 86_400, 1e12])
    it(`by a reset ${ahead} s ahead is not of the service, and holds up nothing`, async () => {
      const { url } = await startServer((_, response) => {
        const reset = String(Math.floor(Date.now() / 1_000) + ahead);
        const limit = { 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset };
        response.writeHead(200, { ...limit, 'content-type': 'application/json' }).end('{"brand_id":1}');
      });
      const client = clientOf(url);
      for (let call = 0; call < 3; call += 1) await client.catalog.status({ deadlineMs: 3_000 });
    });
});

describe('a time that is longer than a timer', () => {
  it('does not end at once', async () => {
    const { url } = await startServer((_, response) =>
      setTimeout(
        () => response.writeHead(200, { 'content-type': 'application/json' }).end('{"brand_id":1}'),
        50,
      ),
    );
    await clientOf(url).catalog.status({ timeoutMs: 1e12, deadlineMs: 1e12 });
    const stop = new AbortController();
    const slept = sleep(1e12, stop.signal);
    const first = await Promise.race([slept, new Promise((resolve) => setTimeout(resolve, 50, 'later'))]);
    assert.equal(first, 'later');
    stop.abort(new Error('stopped'));
    await assert.rejects(slept, /stopped/);
  });
});

describe('a redirect', () => {
  it('is not followed, and names the new address of the service', async () => {
    const other = await startServer((_, response) => response.end());
    const { url } = await startServer(({ url: path }, response) =>
      response.writeHead(301, { location: `http://localhost:${other.port}/moved${path}` }).end(),
    );
    const { error } = await failureOf(clientOf(url).catalog.status());
    assert.equal(
      error.message,
      `The service has moved to http://localhost:${other.port}/moved: use that address.`,
    );
    assert.deepEqual(other.seen, []);
  });

  it('to another path is named as it is', async () => {
    const { url } = await startServer((_, response) =>
      response.writeHead(302, { location: '/login?x=1' }).end(),
    );
    const { error } = await failureOf(clientOf(url).catalog.status());
    assert.equal(
      error.message,
      `The response 302 leads to ${url}/login, and is not followed: check the address of the service.`,
    );
  });
});

describe('a failure that will not pass', () => {
  it('of a certificate fails at once, with what to do', async () => {
    const { certificate: cert, key } = await (await TlsAuthority.create()).issue('IP:127.0.0.1');
    const { port } = await startServer((_, response) => response.end(), { cert, key });
    const { error, ms } = await failureOf(clientOf(`https://127.0.0.1:${port}`).catalog.status());
    assert.match(error.message, /NODE_EXTRA_CA_CERTS/);
    assert.deepEqual([error.attempts, error.retryable, ms < 2_000], [1, false, true]);
  });

  it('of https on a port without TLS fails at once', async () => {
    const { port } = await startServer((_, response) => response.end());
    const { error } = await failureOf(clientOf(`https://127.0.0.1:${port}`).catalog.status());
    assert.match(error.message, /The port does not speak TLS: check the address, or use http\./);
    assert.equal(error.attempts, 1);
  });
});

describe('a proxy of the environment', () => {
  it('that Node does not use is named, unless the host is reached directly', () => {
    const sentence = 'HTTPS_PROXY is set and not used: Node uses it with NODE_USE_ENV_PROXY=1.';
    const env = { https_proxy: 'http://proxy:3128' };
    assert.equal(unusedProxy('https:', 'api.example.com', env), sentence);
    assert.equal(unusedProxy('http:', 'api.example.com', env), null);
    assert.equal(unusedProxy('https:', 'api.example.com', { ...env, NODE_USE_ENV_PROXY: '1' }), null);
    for (const NO_PROXY of ['*', 'other, .example.com', 'api.example.com'])
      assert.equal(unusedProxy('https:', 'api.example.com', { ...env, NO_PROXY }), null, NO_PROXY);
    assert.equal(unusedProxy('https:', 'api.example.com', { ...env, NO_PROXY: 'ample.com' }), sentence);
  });
});
