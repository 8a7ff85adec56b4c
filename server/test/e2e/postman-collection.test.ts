import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sendHttp } from '../support/http-client.ts';
import { postmanRequests } from '../support/postman-collection.ts';
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

describe('a served document that Postman imports', () => {
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
