import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createApiClient } from '../../../test/support/api-client.ts';
import { assertRefused } from '../../../test/support/assert-refused.ts';
import {
  validateAgainstDocument,
  validateAgainstInternalDocument,
} from '../../../test/support/document-validation.ts';
import { documentedRequests } from '../../../test/support/documented-requests.ts';
import { createTestApps, testAdminToken } from '../../../test/support/test-apps.ts';
import { clientDocument } from '../docs/client-document.ts';
import { internalDocument } from '../docs/internal-document.ts';

const apps = await createTestApps();
const { apiKey } = await apps.newBrand();

const surfaces = [
  {
    name: 'client',
    app: apps.clientApp,
    token: apiKey,
    check: validateAgainstDocument,
    document: clientDocument(),
  },
  {
    name: 'internal',
    app: apps.internalApp,
    token: testAdminToken,
    check: validateAgainstInternalDocument,
    document: internalDocument(),
  },
];

/** The test client validates each response against the document, so that an undocumented refusal fails here. */
for (const { name, app, token, check, document } of surfaces)
  describe(`an operation of the ${name} document that takes no body`, () => {
    const api = createApiClient(app, { prefix: '', token, check });
    const bodiless = documentedRequests(document).filter(
      ({ method, bodies }) => method !== 'GET' && bodies[0] === undefined,
    );

    it('is there', () => assert.ok(bodiless.length >= 3));

    for (const { operationId, method, path } of bodiless) {
      const send = (body: string | Uint8Array, contentType = 'application/json') =>
        api.request(method, path, { body, headers: { 'content-type': contentType } });

      it(`refuses one that cannot be read all the same: ${operationId}`, async () => {
        assertRefused(await send('{"half":'), 'validation_failed', ['body']);
        assertRefused(await send(Buffer.from([0xff, 0xfe])), 'validation_failed', ['body']);
        assertRefused(await send('sku=1', 'application/x-www-form-urlencoded'), 'unsupported_media_type');
        assertRefused(await send('x'.repeat(1024 * 1024 + 1)), 'payload_too_large');
      });

      it(`tells that it ignored the fields of one that can be: ${operationId}`, async () => {
        const response = await send('{"reason":"leak"}');
        assert.ok([200, 201, 202, 204, 404].includes(response.status), response.text);
        assert.equal(response.headers['x-ignored'], 'body.reason');
      });
    }
  });
