// processes, alone: sends hostile values in every parameter and field of every operation

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { ApiResponse } from '../../../../test/support/api-client.ts';
import { digestStoredRows } from '../../../../test/support/stored-rows.ts';
import { createTestApps, testAdminToken } from '../../../../test/support/test-apps.ts';
import type { AnyOperation } from '../../../api/operation.ts';
import { legacyFeedOperations } from '../../../catalog/feeds/feed-operations.ts';
import { randomHex } from '../../../lib/ids.ts';
import { clientDomains, internalOperations } from '../../operations.ts';
import { hostileBodies, hostileHeaders, hostileQueries, hostileSegments } from './hostile-values.ts';

// Every operation of both listeners, with every value that its schemas do not allow, in every place [platform-32].
// The operations come from the lists that the routes are made from, so a new one is here
// without being added.

const apps = await createTestApps();
const { brandId, apiKey, keyId, client } = await apps.newBrand();
const feedToken: string = (await apps.admin.post(`/brands/${brandId}/feed-tokens`, { name: 'Legacy' })).json
  .token;

const served = [
  ...clientDomains.map(({ prefix, operations }) => ({
    prefix,
    operations,
    on: apps.clientApp,
    token: apiKey,
  })),
  { prefix: '/v1/catalog', operations: legacyFeedOperations, on: apps.clientApp, token: feedToken },
  { prefix: '/internal/v1', operations: internalOperations, on: apps.internalApp, token: testAdminToken },
];

/** Existing values for path parameters, so that a request with a hostile body gets as far as possible. */
const existing: Record<string, string> = { id: String(brandId), key_id: keyId };

before(async () => {
  const made = await client.create('/catalog/products', { sku: 'HOSTILE' });
  await client.post('/catalog/axes', { code: 'color', values: [{ value: 'red' }, { value: 'blue' }] });
  existing['tuId'] = made.json.tu_id;
  await client.put(`/catalog/products/${made.json.tu_id}/axes`, {
    axes: [{ code: 'color', values: ['red', 'blue'] }],
  });
  await client.post('/catalog/stock/locations', { external_code: 'WH-BERLIN' });
  await apps.admin.put(`/brands/${brandId}/markets`, { items: [{ tu_id: 'de-north' }] });
  await apps.admin.put(`/brands/${brandId}/users`, { items: [{ tu_id: 'u-4711' }] });
  Object.assign(existing, {
    code: 'color',
    value: 'red',
    externalCode: 'WH-BERLIN',
    tu_id: 'de-north',
    type: 'episode',
    // The form of an id; no such feed exists.
    feed_id: 'q3Zt8Wm_Ks1vXb-D4nRyH',
  });
});

function pathOf(
  prefix: string,
  { path }: AnyOperation,
  given: Readonly<Record<string, string>> = {},
): string {
  return (
    prefix + path.replaceAll(/:(\w+)/g, (_match, name: string) => given[name] ?? existing[name] ?? 'none')
  );
}

/** Parameters that can be any text; one that nothing has finds an empty list. */
const looksUp: Readonly<Record<string, string>> = { listIdempotencyKeyUses: 'key' };

/** The examples of the query parameters that the operation requires. */
function requiredQuery({ query }: AnyOperation): string {
  const { required = [], properties = {} } = (query ?? {}) as {
    required?: string[];
    properties?: Record<string, { examples?: unknown[] }>;
  };
  const pairs = required.map((name): [string, string] => [name, String(properties[name]?.examples?.[0])]);
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

type Send = (url: string, body?: string, headers?: Record<string, string>) => Promise<ApiResponse>;

function sender({ on, token }: (typeof served)[number], { method }: AnyOperation): Send {
  return async (url, body, headers = {}) => {
    const answer = await on.inject({
      method,
      url,
      headers: {
        authorization: `Bearer ${token}`,
        'idempotency-key': randomHex(16),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { payload: body }),
    });
    const { statusCode: status, body: text } = answer;
    // Text that is streamed is no JSON.
    const isJson = /json/.test(String(answer.headers['content-type']));
    return { status, text, json: isJson && text !== '' ? JSON.parse(text) : undefined, headers: {} };
  };
}

function assertRefusedAt(answer: ApiResponse, field: string, what: string): void {
  assert.equal(answer.status, 422, `${what}: ${answer.status} ${answer.text.slice(0, 300)}`);
  // A lone surrogate in a key arrives as it was escaped.
  const shown = Object.keys(JSON.parse(JSON.stringify({ [field]: 0 })))[0] as string;
  assert.ok(
    shown in answer.json.errors,
    `${what}: ${Object.keys(answer.json.errors).join(' ').slice(0, 300)}`,
  );
}

const contents = () => digestStoredRows(apps);

for (const service of served)
  for (const operation of service.operations) {
    const { id, method, params } = operation;
    const send = sender(service, operation);
    describe(`${id} (${method} ${service.prefix}${operation.path})`, () => {
      const bodies = hostileBodies(operation, operation.bodyExample);
      const isOfEvents = id === 'postLearningEvents';

      if (bodies.length > 0 && !isOfEvents)
        // [platform-32]
        it('refuses hostile values in the body at their field, and stores nothing', async () => {
          const stored = await contents();
          for (const hostile of bodies.filter(({ mayBeTaken }) => !mayBeTaken)) {
            const answer = await send(pathOf(service.prefix, operation), hostile.text);
            assertRefusedAt(answer, hostile.field, `${hostile.field} = ${hostile.value}`);
          }
          assert.deepEqual(await contents(), stored);
        });

      if (bodies.some(({ mayBeTaken }) => mayBeTaken))
        it('never fails by an odd value that its schema allows', async () => {
          for (const { text, field, value } of bodies.filter(({ mayBeTaken }) => mayBeTaken)) {
            const { status } = await send(pathOf(service.prefix, operation), text);
            assert.ok(status < 500, `${field} = ${value}: ${status}`);
          }
        });

      const queries = hostileQueries(operation);
      if (queries.length > 0)
        it('refuses hostile values in the query at their parameter', async () => {
          for (const { text, field } of queries) {
            const answer = await send(`${pathOf(service.prefix, operation)}?${text}`);
            if (field !== null) assertRefusedAt(answer, field, text);
            else assert.ok(answer.status < 500, `${text}: ${answer.status}`);
          }
        });

      it('never fails by a hostile header', async () => {
        const nothing = Object.fromEntries(Object.keys(existing).map((name) => [name, 'none']));
        const url = pathOf(service.prefix, operation, nothing);
        const body = operation.body === undefined ? undefined : '{}';
        for (const [name, value] of hostileHeaders) {
          const { status } = await send(url, body, { [name]: value });
          assert.ok(status < 500, `${name}: ${value.slice(0, 20)}: ${status}`);
        }
      });

      if (params !== undefined)
        it('finds nothing under a hostile path, and changes nothing', async () => {
          const body =
            operation.bodyExample === undefined ? undefined : JSON.stringify(operation.bodyExample);
          const stored = await contents();
          for (const name of Object.keys((params as unknown as { properties: object }).properties))
            for (const segment of hostileSegments) {
              const url = pathOf(service.prefix, operation, { [name]: segment }) + requiredQuery(operation);
              const { status, json } = await send(url, body);
              if (name === looksUp[id] && status === 200) assert.deepEqual(json.data, [], url);
              else assert.equal(status, 404, `${url}: ${status}`);
            }
          assert.deepEqual(await contents(), stored);
        });
    });
  }

describe('a learning event', () => {
  const good = {
    event_id: 'e',
    occurred_at: '2026-03-01T10:15:00Z',
    kind: 'quiz',
    user: 'u-4711',
    content: { type: 'episode', tu_id: 'ep-1' },
    market: 'de-north',
    score: 80,
    questions: 5,
    answered: 5,
    time_spent_seconds: 90,
    xp_earned: 10,
  };
  const text = { type: 'string', maxLength: 64 };
  const whole = { type: 'integer', minimum: 0, maximum: 2_147_483_647 };
  const schema = {
    properties: {
      ...Object.fromEntries(
        ['event_id', 'occurred_at', 'kind', 'user', 'market'].map((name) => [name, text]),
      ),
      content: { type: 'object', properties: { type: text, tu_id: text } },
      score: { type: 'number', minimum: 0, maximum: 100 },
      ...Object.fromEntries(
        ['questions', 'answered', 'time_spent_seconds', 'xp_earned'].map((name) => [name, whole]),
      ),
    },
  };
  const bodies = hostileBodies({ body: schema } as unknown as AnyOperation, good);

  it('with a hostile value is rejected, as JSON and as a line, and not stored', async () => {
    const stored = await contents();
    for (const { text: event, field, value } of bodies.filter(({ mayBeTaken }) => !mayBeTaken)) {
      const asJson = await apps.admin.post(`/brands/${brandId}/events`, `{"items": [${event}]}`);
      const asLine = await apps.admin.post(`/brands/${brandId}/events`, event, {
        'content-type': 'application/x-ndjson',
      });
      for (const { status, json } of [asJson, asLine])
        assert.deepEqual([status, json.accepted, json.rejected_count], [200, 0, 1], `${field} = ${value}`);
    }
    assert.deepEqual(await contents(), stored);
  });
});
