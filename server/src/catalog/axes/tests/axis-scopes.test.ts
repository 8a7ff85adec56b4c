import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { type Scope, scopes } from '../../../api/scopes.ts';
import { catalogSoFar, newAxes } from '../../tests/new-axes.ts';

const apps = await createTestApps();
const { client, brandId } = await apps.newBrand();
await newAxes(client, { color: ['red'] });

const writes = [
  ['POST', '/catalog/axes', { code: 'new' }],
  ['PATCH', '/catalog/axes/color', { label: 'x' }],
  ['DELETE', '/catalog/axes/color', undefined],
  ['POST', '/catalog/axes/color/values', { value: 'new' }],
  ['PATCH', '/catalog/axes/color/values/red', { label: 'x' }],
  ['DELETE', '/catalog/axes/color/values/red', undefined],
  ['PATCH', '/catalog/axes/unknown', {}],
] as const;

const allBut = async (scope: Scope) =>
  (
    await apps.newKey(
      brandId,
      scopes.filter((other) => other !== scope),
    )
  ).client;

describe('a key', () => {
  // [platform-8]
  it('without catalog.axes:write cannot change the library, and the answer names the missing scope', async () => {
    const lacking = await allBut('catalog.axes:write');
    const before = await catalogSoFar(apps);
    for (const [method, path, body] of writes) {
      const answer = await lacking.request(method, path, { ...(body && { body }) });
      assertRefused(answer, 'insufficient_scope');
      assert.match(answer.json.message, /catalog\.axes:write/);
    }
    assert.deepEqual(await catalogSoFar(apps), before);
  });

  it('without catalog.products:read cannot list axes', async () => {
    const answer = await (await allBut('catalog.products:read')).get('/catalog/axes');
    assertRefused(answer, 'insufficient_scope');
    assert.match(answer.json.message, /catalog\.products:read/);
  });

  it('with only catalog.axes:write can use all operations that need it', async () => {
    const { client: writer } = await apps.newKey(brandId, ['catalog.axes:write']);
    assert.equal((await writer.post('/catalog/axes', { code: 'own' })).status, 201);
    assert.equal((await writer.post('/catalog/axes/own/values', { value: 'v' })).status, 201);
    assert.equal((await writer.patch('/catalog/axes/own/values/v', { label: 'V' })).status, 200);
    assert.equal((await writer.delete('/catalog/axes/own/values/v')).status, 204);
    assert.equal((await writer.delete('/catalog/axes/own')).status, 204);
  });

  it('that does not exist gets 401 from every operation', async () => {
    assertRefused(await apps.anonymous.get('/catalog/axes'), 'unauthenticated');
    for (const [method, path, body] of writes)
      assertRefused(await apps.anonymous.request(method, path, { ...(body && { body }) }), 'unauthenticated');
  });
});

describe('a method that a path does not support', () => {
  it('gets 405 with the list of supported methods', async () => {
    for (const [method, path, allow] of [
      ['PUT', '/catalog/axes', 'GET, HEAD, POST'],
      ['GET', '/catalog/axes/color', 'DELETE, PATCH'],
      ['GET', '/catalog/axes/color/values', 'POST'],
      ['PUT', '/catalog/axes/color/values/red', 'DELETE, PATCH'],
    ] as const) {
      const answer = await client.request(method, path);
      assertRefused(answer, 'method_not_allowed');
      assert.equal(answer.headers['allow'], allow);
    }
  });
});
