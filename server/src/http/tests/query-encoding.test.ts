import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../test/support/assert-refused.ts';
import { exchange, listenOn } from '../../../test/support/raw-connection.ts';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { undecodableParameters } from '../query-encoding.ts';

const apps = await createTestApps();
const { client, apiKey } = await apps.newBrand();
const port = await listenOn(apps.clientApp);

// [platform-95]
describe('a query that is not UTF-8', () => {
  it('is refused at its parameters, known or not, on both listeners', async () => {
    await client.create('/catalog/products', { sku: 'caf%E9' });
    const errors = { sku: ['must be UTF-8, percent-encoded'] };
    const found = await client.get('/catalog/products?sku=caf%E9');
    assertRefused(found, 'validation_failed', ['sku']);
    assert.deepEqual(found.json.errors, errors);
    for (const [asked, path, name] of [
      [client, '/catalog/products?page=1&caf%E9=1', 'caf%E9'],
      [client, '/catalog/status?a=1&x=%ED%A0%80', 'x'],
      [client, '/analytics/metrics/daily?from=%C3%28', 'from'],
      [apps.admin, '/search?q=%FF', 'q'],
      [apps.admin, '/audit?actor=%E2%82', 'actor'],
    ] as const)
      assertRefused(await asked.get(path), 'validation_failed', [name]);
  });

  it('is refused when its bytes are not percent-encoded', async () => {
    const path = '/v1/client/catalog/products?sku=caf\u00c3\u00a9';
    const { status } = await exchange(port, { path, headers: [['authorization', `Bearer ${apiKey}`]] });
    assert.equal(status, 400);
  });

  it('comes after the key, and a path that is not UTF-8 is not found', async () => {
    assertRefused(await apps.anonymous.get('/catalog/products?sku=%E9'), 'unauthenticated');
    assertRefused(await client.get('/catalog/products/caf%E9'), 'not_found');
  });

  it('is not one with a percent sign that begins no escape, or with any UTF-8', () => {
    for (const query of ['a=100%', 'a=%zz', 'a=%25E9', 'a=%F0%9F%98%80', 'gr%C3%B6%C3%9Fe=1', 'a=%', '%=%E'])
      assert.deepEqual(undecodableParameters(`/x?${query}`), [], query);
    assert.deepEqual(undecodableParameters('/caf%E9'), []);
    assert.deepEqual(undecodableParameters('/x?a=%E9&b=1&a=%FF&%C3%B6=%80'), ['a', 'ö']);
  });
});
