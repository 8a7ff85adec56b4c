import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { createTestApps, testAdminToken } from '../../../test/support/test-apps.ts';
import type { DescribedOperation } from '../../api/operation.ts';
import { legacyFeedOperations } from '../../catalog/feeds/feed-operations.ts';
import { clientDomains, internalGroups } from '../operations.ts';

const apps = await createTestApps();
const { apiKey, brandId } = await apps.newBrand();
const feedToken = (await apps.admin.post(`/brands/${brandId}/feed-tokens`, { name: 'ERP' })).json.token;

interface Group {
  readonly app: FastifyInstance;
  readonly token: string;
  readonly prefix: string;
  readonly operations: readonly DescribedOperation[];
}

const groups: readonly Group[] = [
  ...clientDomains.map((domain) => ({ ...domain, app: apps.clientApp, token: apiKey })),
  { app: apps.clientApp, token: feedToken, prefix: '/v1/catalog', operations: legacyFeedOperations },
  ...internalGroups.map((group) => ({ ...group, app: apps.internalApp, token: testAdminToken })),
];

async function send(group: Group, operation: DescribedOperation, contentType: string): Promise<number> {
  const { statusCode, body } = await group.app.inject({
    method: operation.method,
    url: group.prefix + operation.path.replaceAll(/:\w+/g, '0'),
    headers: {
      authorization: `Bearer ${group.token}`,
      'content-type': contentType,
      'idempotency-key': 'charset',
    },
    payload: '{}',
  });
  if (statusCode === 415) assert.equal(JSON.parse(body).code, 'unsupported_media_type');
  return statusCode;
}

// [platform-89]
describe('a charset other than utf-8 is 415, and utf-8 is not,', () => {
  for (const group of groups)
    for (const operation of group.operations.filter(({ body }) => body !== undefined)) {
      const types = operation.kind === 'stream' ? operation.contentTypes : ['application/json'];
      for (const type of types)
        it(`in ${type} for ${operation.id} below ${group.prefix}`, async () => {
          for (const charset of ['utf-16', 'UTF-16LE', '"utf-16"', 'iso-8859-1', 'us-ascii', '""', 'utf-8-x'])
            assert.equal(await send(group, operation, `${type}; charset=${charset}`), 415, charset);
          assert.equal(await send(group, operation, `${type}; charset=utf-8;charset=utf-16`), 415);
          for (const charset of ['utf-8', 'UTF-8', '"utf-8"', 'utf8'])
            assert.notEqual(await send(group, operation, `${type}; Charset=${charset}`), 415, charset);
        });
    }
});
