import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { requireFromChecks } from '../support/generated-clients.ts';
import { sendHttp } from '../support/http-client.ts';
import { postmanRequests, requestsOf } from '../support/postman-collection.ts';
import { findDemoKey } from '../support/server-output.ts';
import { processAdminToken, startServerProcess } from '../support/server-process.ts';

const server = await startServerProcess({ env: { BRANDPORT_DEMO: '1' } });
const surfaces = [
  {
    name: 'client',
    url: server.clientUrl,
    documentPath: '/openapi.json',
    token: findDemoKey(server.stderr()) ?? '',
    reads: 16,
  },
  {
    name: 'internal',
    url: server.internalUrl,
    documentPath: '/internal/openapi.json',
    token: processAdminToken,
    reads: 13,
  },
];

describe('a Postman collection of a served document', () => {
  for (const { name, url, documentPath, token, reads } of surfaces)
    for (const enableOptionalParameters of [false, true]) {
      const parameters = enableOptionalParameters ? 'all parameters' : 'the required parameters';
      it(`gets 2xx on every GET of the ${name} document on the demonstration brand, with ${parameters}`, async () => {
        const { text } = await sendHttp(url + documentPath);
        const requests = await postmanRequests(text, { enableOptionalParameters });
        const gets = requests.filter(({ method }) => method === 'GET');
        assert.ok(gets.length >= reads, `${gets.length} GETs`);
        for (const { path, query, headers } of gets) {
          // They cannot be combined [analytics-11] [catalog-120], so one is disabled, as a person would do.
          if (query.has('market')) query.delete('group_by');
          if (query.has('changed_after')) query.delete('page');
          const response = await sendHttp(`${url}${path}?${query}`, {
            headers: { ...headers, authorization: `Bearer ${token}` },
          });
          assert.equal(response.status, 200, `${path}?${query}: ${response.text}`);
        }
      });
    }
});

describe('the served Postman collection', () => {
  for (const { name, url, documentPath, token } of surfaces) {
    const prefix = documentPath.replace('/openapi.json', '');

    it(`of the ${name} listener is one for Postman's own library, with a request for every operation`, async () => {
      const { json: document } = await sendHttp(url + documentPath);
      const { json } = await sendHttp(`${url}${prefix}/docs/postman.json`);
      const { Collection } = requireFromChecks('postman-collection');
      const collection = new Collection(json);
      const operations = Object.values<object>(document.paths).flatMap((methods) => Object.keys(methods));
      let count = 0;
      collection.forEachItem(() => {
        count += 1;
      });
      assert.equal(count, operations.length);
      assert.equal(collection.variables.get('baseUrl'), url);
      assert.equal(collection.auth.type, 'bearer');
    });

    it(`of the ${name} listener gets 2xx on every GET of the demonstration brand`, async () => {
      const { json } = await sendHttp(`${url}${prefix}/docs/postman.json`);
      for (const { method, path, query, headers } of requestsOf(json)) {
        if (method !== 'GET') continue;
        const response = await sendHttp(`${url}${path}?${query}`, {
          headers: { ...headers, authorization: `Bearer ${token}` },
        });
        assert.equal(response.status, 200, `${path}: ${response.text}`);
      }
    });
  }

  it('creates a product with a new Idempotency-Key each time', async () => {
    const [client] = surfaces;
    const { json } = await sendHttp(`${client?.url}/docs/postman.json`);
    const request = requestsOf(json).find(
      ({ method, path }) => method === 'POST' && path.endsWith('/products'),
    );
    assert.equal(request?.headers['Idempotency-Key'], '{{$guid}}');
    const { status } = await sendHttp(`${client?.url}${request.path}`, {
      method: 'POST',
      headers: {
        ...request.headers,
        'Idempotency-Key': randomUUID(),
        authorization: `Bearer ${client?.token}`,
      },
      body: request.body ?? '',
    });
    assert.equal(status, 201);
  });
});
