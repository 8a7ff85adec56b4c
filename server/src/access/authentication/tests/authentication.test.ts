import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createApiClient } from '../../../../test/support/api-client.ts';
import { assertRefused, counterAt } from '../../../../test/support/assert-refused.ts';
import { exchange, listenOn } from '../../../../test/support/raw-connection.ts';
import { createTestApps, testAdminToken } from '../../../../test/support/test-apps.ts';

const apps = await createTestApps();
const port = await listenOn(apps.clientApp);
const path = '/v1/client/catalog/products';

/** All that an answer shows, but for the date. The id of the request is given, so that it is no difference. */
async function bytesOf(...authorization: (readonly [string, string])[]): Promise<object> {
  const headers = [['X-Request-Id', 'same'], ...authorization] as const;
  const { status, text, headers: answered } = await exchange(port, { path, headers });
  const { date: _date, ...rest } = answered;
  return { status, text, headers: rest };
}

const bearer = (token: string) => ['Authorization', `Bearer ${token}`] as const;
const failures = (reason: string) =>
  counterAt(apps.metrics, 'brandport_authentication_failures_total', { listener: 'client', reason });

/** Another secret or another id of the same form. */
const otherwise = (text: string) => text.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));

async function deadKeys() {
  const valid = await apps.newBrand();
  const [id = '', secret = ''] = valid.apiKey.split('.');
  const revoked = await apps.newKey(valid.brandId);
  await apps.admin.post(`/keys/${revoked.keyId}/revoke`);
  const deleted = await apps.newKey(valid.brandId);
  await apps.admin.delete(`/keys/${deleted.keyId}`);
  const rotated = await apps.newKey(valid.brandId);
  await apps.admin.post(`/keys/${rotated.keyId}/rotate`);
  const inAnHour = new Date(apps.clock.now() + 3_600_000).toISOString();
  const expired = await apps.newKey(valid.brandId, ['catalog.products:read'], { expires_at: inAnHour });
  apps.clock.advance(3_600_000);
  const feedToken = await apps.admin.post(`/brands/${valid.brandId}/feed-tokens`, { name: 'Feed' });
  return {
    missing: [],
    malformed: [
      '',
      'nonsense',
      id,
      `${id}.`,
      `.${secret}`,
      secret,
      `${id}.${secret}.x`,
      `${id}.${secret.slice(1)}`,
      `${id.toUpperCase()}.${secret}`,
      testAdminToken,
      'a'.repeat(8_000),
    ],
    feed_token: [feedToken.json.token, `cfk_${secret}`],
    unknown: [`${otherwise(id)}.${secret}`, deleted.apiKey],
    wrong_secret: [`${id}.${otherwise(secret)}`, `${revoked.keyId}.${secret}`],
    revoked: [revoked.apiKey, rotated.apiKey],
    expired: [expired.apiKey],
  };
}

const dead = await deadKeys();

describe('a request without a valid key', () => {
  // [platform-3]
  it('gets the same bytes for every kind of failure', async () => {
    const expected = await bytesOf();
    assert.partialDeepStrictEqual(expected, {
      status: 401,
      text: '{"code":"unauthenticated","message":"A valid API key is required.","doc_url":"/docs/guides/errors/unauthenticated"}',
      headers: { 'www-authenticate': 'Bearer', 'cache-control': 'no-store', 'x-request-id': 'same' },
    });
    for (const [reason, tokens] of Object.entries(dead))
      for (const token of tokens) assert.deepEqual(await bytesOf(bearer(token)), expected, reason);
    const [token = ''] = dead.revoked;
    for (const value of [
      token,
      `Basic ${token}`,
      'Bearer',
      `Bearer ${token} ${token}`,
      `Bearer\t${token}`,
      'Bearer é',
    ])
      assert.deepEqual(await bytesOf(['Authorization', value]), expected, value);
    assert.deepEqual(await bytesOf(['X-Api-Key', token]), expected);
  });

  for (const [reason, tokens] of Object.entries(dead))
    it(`is counted by its reason: ${reason}`, async () => {
      const before = await failures(reason);
      if (reason === 'missing') await bytesOf();
      for (const token of tokens) await bytesOf(bearer(token));
      assert.equal(await failures(reason), before + Math.max(1, tokens.length));
    });
});

describe('a valid key', () => {
  it('is read from its header with the scheme in any case', async () => {
    const { apiKey } = await apps.newBrand();
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR'])
      assert.partialDeepStrictEqual(await bytesOf(['AUTHORIZATION', `${scheme} ${apiKey}`]), { status: 200 });
  });

  // [platform-5]
  it('is refused from the millisecond on in which it expires', async () => {
    const { brandId } = await apps.newBrand();
    const expiresAt = apps.clock.now() + 60_000;
    const { client } = await apps.newKey(brandId, ['catalog.products:read'], {
      expires_at: new Date(expiresAt).toISOString(),
    });
    assert.equal((await client.get('/catalog/status')).status, 200);
    apps.clock.advance(expiresAt - apps.clock.now());
    assertRefused(await client.get('/catalog/status'), 'unauthenticated');
  });

  // [platform-4]
  it('is refused by the very next request after it was revoked, deleted or rotated', async () => {
    const { brandId } = await apps.newBrand();
    for (const end of ['revoke', 'rotate', 'delete'] as const)
      for (let i = 0; i < 5; i += 1) {
        const { client, keyId } = await apps.newKey(brandId);
        assert.equal((await client.get('/catalog/status')).status, 200);
        const ended = await (end === 'delete'
          ? apps.admin.delete(`/keys/${keyId}`)
          : apps.admin.post(`/keys/${keyId}/${end}`));
        assert.ok(ended.status < 300);
        assertRefused(await client.get('/catalog/status'), 'unauthenticated');
        if (end === 'rotate')
          assert.equal(
            (await apps.clientWith(ended.json.api_key).get('/catalog/status')).json.brand_id,
            brandId,
          );
      }
  });

  it('does not keep a write from being refused after it was revoked, however many are on their way', async () => {
    const { client, keyId, brandId } = await apps.newBrand();
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, (_, i) => client.create('/catalog/products', { sku: `B-${i}` })),
      apps.admin.post(`/keys/${keyId}/revoke`),
    ]);
    const written = answers.filter(({ status }) => status === 201).length;
    const late = await Promise.all(
      Array.from({ length: 10 }, (_, i) => client.create('/catalog/products', { sku: `C-${i}` })),
    );
    assert.ok(late.every(({ status }) => status === 401));
    const [row] = await apps.sql('select count(*)::integer as products from products where brand_id = $1', [
      brandId,
    ]);
    assert.deepEqual(row, { products: written });
  });
});

describe('each listener', () => {
  it('tells a client of the API that it has the address of the internal listener', async () => {
    for (const url of ['/v1/client/catalog/status', '/v1/client/analytics/status?x=1']) {
      const response = await apps.internalApp.inject({ url, headers: { authorization: 'Bearer tuk_x' } });
      assert.equal(response.statusCode, 404);
      assert.match(response.json().message, /^This is the internal listener, for administrators\. /);
    }
    assert.equal(
      (await apps.internalApp.inject({ url: '/v1/other' })).json().message,
      'The resource does not exist.',
    );
  });

  // [internal-1]
  it('lets nobody in with what opens the other one', async () => {
    const { apiKey } = await apps.newBrand();
    assertRefused(await apps.clientWith(testAdminToken).get('/catalog/status'), 'unauthenticated');
    for (const token of [
      apiKey,
      null,
      '',
      `${testAdminToken}x`,
      testAdminToken.slice(1),
      testAdminToken.toUpperCase(),
    ]) {
      const stranger = createApiClient(apps.internalApp, { prefix: '/internal/v1', token });
      for (const [method, url] of [
        ['GET', '/brands'],
        ['POST', '/brands'],
        ['GET', '/audit'],
        ['DELETE', '/keys/tuk_000000000000000000000000'],
      ] as const)
        assertRefused(
          await stranger.request(method, url, method === 'POST' ? { body: { name: 'x' } } : {}),
          'unauthenticated',
        );
    }
  });
});
