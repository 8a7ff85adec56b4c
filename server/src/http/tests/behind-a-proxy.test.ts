import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { InjectOptions } from 'fastify';
import { logLines } from '../../../test/support/log-capture.ts';
import { createTestApps, testAdminToken } from '../../../test/support/test-apps.ts';

const apps = await createTestApps({ trustedProxies: ['10.0.0.0/8'], limits: { address: 3 } });
const proxy = '10.0.0.1';
const forwarded = {
  'x-forwarded-for': '198.51.100.9, 203.0.113.7',
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'api.test',
  'x-forwarded-prefix': '/brandport',
};

const send = (remoteAddress: string, headers: Record<string, string>, request: InjectOptions) =>
  apps.clientApp.inject({ remoteAddress, ...request, headers: { ...headers, ...request.headers } });

const remainingFor = async (remoteAddress: string, forwardedFor?: string) => {
  const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor };
  const { headers: answer } = await send(remoteAddress, headers as Record<string, string>, {
    url: '/v1/nothing',
  });
  return Number(answer['x-ratelimit-remaining']);
};

describe('behind a trusted proxy', () => {
  // [platform-54] [platform-81] [platform-84]
  it('requests without a key count against the client, IPv6 by /64, and not against the proxy', async () => {
    assert.equal(await remainingFor(proxy, '203.0.113.20'), 2);
    assert.equal(await remainingFor(proxy, '203.0.113.21'), 2);
    assert.equal(await remainingFor(proxy, '1.2.3.4, 203.0.113.20'), 1);
    assert.equal(await remainingFor('203.0.113.20'), 0);
    assert.equal(await remainingFor(proxy, '2001:db8:1:2::1'), 2);
    assert.equal(await remainingFor(proxy, '2001:db8:1:2:ffff::9'), 1);
    assert.equal(await remainingFor(proxy, '2001:db8:1:3::1'), 2);
    assert.equal(await remainingFor('2001:db8:1:2::7'), 0);
  });

  // [platform-82]
  it('the log line and the key show the client’s address', async () => {
    const { apiKey, brandId } = await apps.newBrand();
    logLines.take();
    const request = { url: '/v1/client/catalog/status', headers: { authorization: `Bearer ${apiKey}` } };
    assert.equal((await send(proxy, forwarded, request)).statusCode, 200);
    assert.equal(JSON.parse(logLines.take()[0] ?? '').address, '203.0.113.7');
    await apps.keyUsage.flush();
    const lastUsedFrom = async () =>
      (await apps.admin.get(`/brands/${brandId}/keys`)).json.data[0].last_used_from;
    assert.equal(await lastUsedFrom(), '203.0.113.7');
    await send('2001:db8::5', forwarded, request);
    await apps.keyUsage.flush();
    assert.equal(await lastUsedFrom(), '2001:db8::5');
  });

  // [internal-54]
  it('the audit shows the client’s address and the request id', async () => {
    logLines.take();
    const created = await apps.internalApp.inject({
      method: 'POST',
      url: '/internal/v1/brands',
      remoteAddress: proxy,
      headers: {
        ...forwarded,
        authorization: `Bearer ${testAdminToken}`,
        'x-request-id': 'from-the-console',
      },
      payload: { name: 'Proxied' },
    });
    const line = JSON.parse(logLines.take().find((text) => text.includes('change committed')) ?? '{}');
    assert.partialDeepStrictEqual(line, {
      reqId: 'from-the-console',
      action: 'brand.create',
      brand: String(created.json().id),
    });
    const { json } = await apps.admin.get(`/audit?brand_id=${created.json().id}`);
    const { actor, address, request_id } = json.data[0];
    assert.deepEqual([actor, address, request_id], ['admin-token', '203.0.113.7', 'from-the-console']);
  });

  // [platform-83]
  it('report URLs and the document carry what the client sees', async () => {
    const { apiKey } = await apps.newBrand();
    const feed = {
      method: 'POST',
      url: '/v1/client/catalog/stock/feeds',
      headers: {
        authorization: `Bearer ${apiKey}`,
        'idempotency-key': 'batch-1',
        'content-type': 'application/json',
      },
      payload: {
        source: 'erp',
        mode: 'snapshot',
        lines: [{ sku: 'A', location_code: '__default__', quantity: 1 }],
      },
    } as const;
    const reportUrl = async (peer: string) => (await send(peer, forwarded, feed)).json().report_url;
    const path = /^\/v1\/client\/catalog\/stock\/feeds\/[\w-]{21}$/;
    const own = await reportUrl('203.0.113.7');
    assert.match(own, path);
    assert.equal(await reportUrl(proxy), `/brandport${own}`);
    const report = await send(proxy, forwarded, { url: own, headers: feed.headers });
    assert.equal(report.json().report_url, `/brandport${own}`);

    const server = async (peer: string, headers: Record<string, string>) =>
      (await send(peer, headers, { url: '/openapi.json' })).json().servers[0].url;
    assert.equal(await server(proxy, forwarded), 'https://api.test/brandport');
    assert.equal(await server(proxy, { 'x-forwarded-prefix': '/brandport' }), '/brandport');
    assert.equal(await server(proxy, {}), '/');
    assert.equal(await server('203.0.113.7', forwarded), '/');
  });
});
