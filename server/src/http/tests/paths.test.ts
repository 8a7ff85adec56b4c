import assert from 'node:assert/strict';
import { METHODS } from 'node:http';
import { describe, it } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { type ApiClient, createApiClient } from '../../../test/support/api-client.ts';
import { assertRefused } from '../../../test/support/assert-refused.ts';
import { exchange, listenOn } from '../../../test/support/raw-connection.ts';
import { createTestApps, testAdminToken } from '../../../test/support/test-apps.ts';
import { clientDomains, internalOperations } from '../operations.ts';

const apps = await createTestApps();
const { apiKey } = await apps.newBrand();
const port = await listenOn(apps.clientApp);
// Neither a key nor a document: what is looked at here comes before both.
const bare = (app: FastifyInstance) => createApiClient(app, { prefix: '', token: null });

/** Every path of a listener with its methods and those of other patterns that match it, parameters filled in. */
function pathsOf(
  groups: readonly {
    prefix: string;
    head: boolean;
    operations: readonly { path: string; method: string }[];
  }[],
) {
  const patterns = new Map<string, Set<string>>();
  for (const { prefix, head, operations } of groups)
    for (const { path, method } of operations) {
      const pattern = (prefix + path).replaceAll(/:\w+/g, ':');
      const methods = patterns.get(pattern) ?? new Set();
      patterns.set(pattern, methods.add(method));
      if (method === 'GET' && head) methods.add('HEAD');
    }
  return [...patterns.keys()].map((pattern) => {
    const url = pattern.replaceAll(':', 'aaaaaaaaaaaaaaaaaaaaa');
    const matching = [...patterns].filter(([other]) => matches(other, url));
    return [url, new Set(matching.flatMap(([, methods]) => [...methods]))] as const;
  });
}

function matches(pattern: string, url: string): boolean {
  const [segments, sent] = [pattern.split('/'), url.split('/')];
  return segments.length === sent.length && segments.every((one, at) => one === ':' || one === sent[at]);
}

const probes = ['/healthz', '/readyz'].map((path) => ({ path, method: 'GET' }));
const listeners = [
  {
    name: 'client',
    client: bare(apps.clientApp),
    paths: pathsOf([
      ...clientDomains,
      { prefix: '', head: true, operations: [...probes, { path: '/openapi.json', method: 'GET' }] },
    ]),
  },
  {
    name: 'internal',
    client: bare(apps.internalApp),
    paths: pathsOf([
      { prefix: '/internal/v1', head: true, operations: internalOperations },
      ...clientDomains.map(({ domain, head, operations }) => ({
        prefix: `/internal/v1/brands/:id/${domain}`,
        head,
        operations: operations.filter(({ method, path }) => method === 'GET' && path !== '/status'),
      })),
      { prefix: '', head: true, operations: [...probes, { path: '/metrics', method: 'GET' }] },
    ]),
  },
];

describe('a method that a path does not have', () => {
  // [platform-12] [catalog-18] [analytics-1]
  for (const { name, client, paths } of listeners)
    it(`is 405 with Allow on every path of the ${name} listener, without a key`, async () => {
      for (const [url, allowed] of paths)
        for (const method of METHODS.filter((known) => known !== 'CONNECT' && !allowed.has(known))) {
          const answer = await client.request(method, url);
          const what = `${method} ${url}`;
          assert.equal(answer.status, 405, what);
          assert.equal(answer.headers['allow'], [...allowed].sort().join(', '), what);
          if (method !== 'HEAD') assertRefused(answer, 'method_not_allowed');
        }
    });

  it('is 405 with any body, key and headers', async () => {
    const { client } = listeners[0] as { client: ApiClient };
    for (const body of ['{', 'x'.repeat(2_000_000)])
      for (const method of ['PUT', 'DELETE', 'QUERY', 'PROPFIND', 'OPTIONS']) {
        const headers = {
          authorization: 'Bearer nonsense',
          'content-type': 'text/plain',
          'idempotency-key': '',
        };
        assertRefused(
          await client.request(method, '/v1/client/catalog/products', { body, headers }),
          'method_not_allowed',
        );
      }
  });

  for (const method of ['PROPFIND', 'TRACE', 'OPTIONS', 'QUERY', 'M-SEARCH', 'PURGE', 'DELETE'])
    it(`is 405 over a real connection as well: ${method}`, async () => {
      const answer = await exchange(port, { method, path: '/v1/client/catalog/status' });
      assertRefused(answer, 'method_not_allowed');
      assert.equal(answer.headers['allow'], 'GET, HEAD');
    });
});

// [platform-12] [internal-2]
describe('a path that does not exist', () => {
  const unknown = [
    '/',
    '/v1',
    '/v1/client',
    '/v1/client/catalog',
    '/v1/client/catalog/',
    '/v1/client/catalog/nothing',
    '/v1/client/catalog/products/',
    '/v1/client/catalog//products',
    '/v1/client/catalog/Products',
    '/v1/client/catalog/products/aaaaaaaaaaaaaaaaaaaaa/',
    '/v1/client/catalog/products/aaaaaaaaaaaaaaaaaaaaa/nothing',
    '/v1/client/catalog/products/a/b/c/d/e',
    '/v1/client/catalog/products;v=1',
    '/v1/client/catalog/../catalog/products',
    '/v1/client/catalog/%2e%2e/catalog/products',
    '/v1/client/catalog/products%2Faaaaaaaaaaaaaaaaaaaaa',
    '/v2/client/catalog/products',
    '/internal/v1/brands',
    '/metrics',
    '/favicon.ico',
    '/.env',
    '/%00',
    '/v1/client/catalog/status%00',
    '/%zz',
    '/%E0%A4%A',
    '/%',
    '/v1/client/catalog/products/%zz',
    '/v1/client/catalog/products/%C0%80',
    '/v1/client/catalog/products/%FF',
    `/v1/client/catalog/products/${'a'.repeat(501)}`,
    `/v1/client/catalog/products/${'%61'.repeat(501)}`,
    `/${'a'.repeat(10_000)}`,
    `/${'a/'.repeat(5_000)}`,
  ];

  for (const path of unknown)
    it(`is 404 with every method, without a key: ${path.slice(0, 70)}`, async () => {
      for (const method of ['GET', 'POST', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'QUERY'])
        assertRefused(await exchange(port, { method, path }), 'not_found');
      const head = await exchange(port, { method: 'HEAD', path });
      assert.equal(head.status, 404);
    });

  it('answers every one of them with the same bytes', async () => {
    const bodies = new Set<string>();
    for (const path of unknown) bodies.add((await exchange(port, { path })).text);
    assert.equal(bodies.size, 1);
  });

  it('is 404 on the internal listener as well, client paths among them', async () => {
    const admin = createApiClient(apps.internalApp, { prefix: '', token: testAdminToken });
    for (const path of [
      '/v1/client/catalog/products',
      '/internal/v1/nothing',
      '/internal',
      '/openapi',
      '/%zz',
      '/%00',
    ])
      assertRefused(await admin.get(path), 'not_found');
  });
});

// [platform-13]
describe('an id that no product can have', () => {
  const client = apps.clientWith(apiKey);
  const impossible = [
    'a',
    '1',
    'aaaaaaaaaaaaaaaaaaaa',
    'aaaaaaaaaaaaaaaaaaaaaa',
    '%00',
    'aaaaaaaaaaaaaaaaaaaa%00',
    '%F0%9F%98%80',
    "';select%201;--",
    'aaaaaaaaaaaaaaaaaaaa%0A',
    '__proto__',
    '..%2f..%2fetc%2fpasswd',
    'a'.repeat(500),
  ];

  it('is 404 for a key that may read products, and needs one', async () => {
    for (const id of impossible) {
      assertRefused(await client.get(`/catalog/products/${id}`), 'not_found');
      assertRefused(await client.patch(`/catalog/products/${id}`, { title: 'x' }), 'not_found');
      assertRefused(await apps.anonymous.get(`/catalog/products/${id}`), 'unauthenticated');
    }
  });
});

describe('a path that exists', () => {
  it('may be percent-encoded, and given with its host', async () => {
    const headers = [['Authorization', `Bearer ${apiKey}`]] as const;
    for (const path of [
      '/v1/client/catalog/%73tatus',
      'http://brandport.test/v1/client/catalog/status',
      '/v1/client/catalog/status?',
    ])
      assert.equal((await exchange(port, { path, headers })).status, 200, path);
  });
});
