import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps } from '../../../server/test/support/test-apps.ts';
import { startSandboxProcess } from './sandbox-process.ts';

const sandbox = await startSandboxProcess('--empty');
const { clientUrl, apiKey, admin, client } = sandbox;

/** Sends a request that meets a fault; the names of lost responses differ by client, so they are one here. */
async function send(fault: string, path: string, init: RequestInit & { key?: string } = {}) {
  const headers = {
    authorization: `Bearer ${apiKey}`,
    'content-type': 'application/json',
    ...(fault !== '' && { 'brandport-fault': fault }),
    ...(init.key !== undefined && { 'idempotency-key': init.key }),
  };
  try {
    const response = await fetch(`${clientUrl}/v1/client${path}`, { ...init, headers });
    return { response, text: await response.text() };
  } catch {
    return null;
  }
}

const create = (fault: string, sku: string, key = `key-${sku}`) =>
  send(fault, '/catalog/products', { method: 'POST', body: JSON.stringify({ sku }), key });

const isStored = async (sku: string) =>
  (await client.get(`/catalog/products?sku=${sku}`)).json.data.length === 1;

describe('a fault of the header', () => {
  it('drop-after-commit: the product exists, and a retry returns its response', async () => {
    assert.equal(await create('drop-after-commit', 'LOST'), null);
    assert.equal(await isStored('LOST'), true);
    const retry = await create('', 'LOST');
    assert.equal(retry?.response.status, 201);
    assert.equal(retry.response.headers.get('idempotency-replayed'), 'true');
  });

  it('drop: nothing was done', async () => {
    assert.equal(await create('drop', 'DROPPED'), null);
    assert.equal(await isStored('DROPPED'), false);
  });

  it('status: an error of the contract with its Retry-After, and nothing was done', async () => {
    for (const [status, code] of [
      [429, 'rate_limited'],
      [500, 'server_error'],
      [503, 'service_unavailable'],
    ] as const) {
      const refused = await create(`status=${status}; retry-after=2`, 'REFUSED');
      assert.equal(refused?.response.status, status);
      assert.equal(refused.response.headers.get('retry-after'), '2');
      assert.equal(JSON.parse(refused.text).code, code);
      assert.ok(refused.response.headers.get('x-request-id'));
    }
    assert.equal(await isStored('REFUSED'), false);
  });

  it('html-502: the page of a proxy', async () => {
    const page = await create('html-502', 'PAGE');
    assert.equal(page?.response.status, 502);
    assert.match(page.response.headers.get('content-type') ?? '', /^text\/html/);
    assert.match(page.text, /502 Bad Gateway/);
  });

  it('delay: the response comes late', async () => {
    const startedAt = performance.now();
    assert.equal((await create('delay=400', 'LATE'))?.response.status, 201);
    assert.ok(performance.now() - startedAt >= 400);
  });

  it('truncate: the body ends early, plain, compressed and streamed', async () => {
    assert.equal(await create('truncate', 'CUT'), null);
    assert.equal(await isStored('CUT'), true);
    for (let at = 0; at < 20; at += 1) await create('', `MANY-${at}`);
    assert.equal(await send('truncate', '/catalog/products'), null);
    assert.equal(await send('truncate', '/catalog/products?per_page=1'), null);
    assert.notEqual(await send('', '/catalog/products'), null);
  });

  it('is refused with the names of all faults if there is none like it', async () => {
    const refused = await create('explode', 'UNKNOWN');
    assert.equal(refused?.response.status, 422);
    const { code, errors } = JSON.parse(refused.text);
    assert.equal(code, 'validation_failed');
    assert.match(errors['Brandport-Fault'][0], /drop-after-commit/);
    assert.equal(await isStored('UNKNOWN'), false);
  });

  it('comes after admission: a wrong key is refused as ever', async () => {
    const headers = { authorization: `Bearer ${apiKey}x`, 'brandport-fault': 'drop' };
    const response = await fetch(`${clientUrl}/v1/client/catalog/products`, { headers });
    assert.equal(response.status, 401);
  });
});

describe('rules of faults', () => {
  it('give unchanged programs the same faults twice', async () => {
    const rules = { seed: 7, rules: [{ operation: 'listProducts', share: 0.4, fault: 'status=503' }] };
    const statuses = async () => {
      const set = await admin.put('/sandbox/faults', rules);
      assert.equal(set.status, 200, set.text);
      const found: number[] = [];
      for (let at = 0; at < 15; at += 1) found.push((await client.get('/catalog/products')).status);
      return found;
    };
    const first = await statuses();
    assert.ok(first.includes(503) && first.includes(200), String(first));
    assert.deepEqual(await statuses(), first);
    const rule = { every: 3, fault: 'delay=1' };
    await admin.put('/sandbox/faults', { brand_id: 7, rules: [rule] });
    const listed = await admin.get('/sandbox/faults');
    assert.deepEqual(listed.json.data, [rules, { brand_id: 7, seed: 0, rules: [rule] }]);
    for (const brand of [{}, { brand_id: 7 }]) await admin.put('/sandbox/faults', { ...brand, rules: [] });
    assert.deepEqual((await admin.get('/sandbox/faults')).json.data, []);
    assert.equal((await client.get('/catalog/products')).status, 200);
  });

  it('are for administrators, and say what is wrong in them', async () => {
    const anyone = await fetch(`${sandbox.internalUrl}/internal/v1/sandbox/faults`, {
      method: 'PUT',
      body: '{}',
    });
    assert.equal(anyone.status, 401);
    const refusals = [
      [{ operation: 'createProdukt', fault: 'drop' }, 'rules.0.operation'],
      [{ fault: 'explode' }, 'rules.0.fault'],
      [{ share: 0.5, every: 2, fault: 'drop' }, 'rules.0.every'],
      [{ share: 1.5, fault: 'drop' }, 'rules.0.share'],
      [{ every: 0, fault: 'drop' }, 'rules.0.every'],
      [{ fault: 'drop', brand_id: 3 }, 'rules.0.brand_id'],
      [{ fault: 'drop', operaton: 'createProduct' }, 'rules.0.operaton'],
    ] as const;
    for (const [rule, field] of refusals) {
      const refused = await admin.put('/sandbox/faults', { rules: [rule] });
      assert.equal(refused.status, 422);
      assert.deepEqual(Object.keys(refused.json.errors), [field]);
    }
  });
});

it('no other server knows of faults', async () => {
  const { admin: other, newBrand } = await createTestApps();
  const { client: anyClient } = await newBrand();
  const listed = await anyClient.get('/catalog/products', { 'brandport-fault': 'status=503' });
  assert.equal(listed.status, 200);
  assert.equal(listed.headers['x-brandport-sandbox'], undefined);
  assert.equal((await other.put('/sandbox/faults', { rules: [] })).status, 404);
});
