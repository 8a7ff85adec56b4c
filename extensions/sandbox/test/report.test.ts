import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { scopes } from '../../../server/src/api/access.ts';
import { registerCanary } from '../../../server/test/support/canaries.ts';
import { createHttpClient } from '../../../server/test/support/http-client.ts';
import { startSandboxProcess } from './sandbox-process.ts';

const sandbox = await startSandboxProcess('--empty', '--strict');
const { admin, clientUrl, internalUrl } = sandbox;

interface Sent {
  readonly fault?: string;
  readonly key?: string;
  readonly body?: unknown;
}
type Send = (method: string, path: string, sent?: Sent) => Promise<number>;

/** Returns a function that sends requests of a new brand, and the id of the brand. */
async function newProgram() {
  const { json: brand } = await admin.post('/brands', { name: 'Program' });
  const { json: key } = await admin.post(`/brands/${brand.id}/keys`, { name: 'Program', scopes });
  registerCanary(key.api_key);
  const send: Send = async (method, path, { fault, key: idempotencyKey, body } = {}) => {
    const headers = {
      authorization: `Bearer ${key.api_key}`,
      'content-type': 'application/json',
      ...(fault !== undefined && { 'brandport-fault': fault }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await fetch(`${clientUrl}/v1/client${path}`, init).catch(() => null);
    return (
      (await response?.text().then(
        () => response.status,
        () => 0,
      )) ?? 0
    );
  };
  const report = async () => {
    // A response ends on the server a moment after the client has read it.
    await new Promise((resolve) => setTimeout(resolve, 20));
    return (await admin.get(`/sandbox/report?brand_id=${brand.id}`)).json;
  };
  return { send, report, apiKey: key.api_key };
}

const products = '/catalog/products';
const create = (send: Send, sku: string, key: string, fault?: string) =>
  send('POST', products, { key, body: { sku, title: `The ${sku}` }, ...(fault !== undefined && { fault }) });
const feed = { source: 'erp', mode: 'snapshot', lines: [{ sku: 'NONE', location_code: 'L', quantity: 1 }] };

/** Sends what a program with a mistake would send, and then what one without it would. */
const cases: Record<
  string,
  { wrong: (send: Send) => Promise<unknown>; right: (send: Send) => Promise<unknown>; text: RegExp }
> = {
  retried_under_new_key: {
    wrong: async (send) => {
      await send('POST', '/catalog/stock/locations', {
        key: 'l-1',
        body: { external_code: 'L1' },
        fault: 'status=503',
      });
      assert.equal(
        await send('POST', '/catalog/stock/locations', { key: 'l-2', body: { external_code: 'L1' } }),
        201,
      );
    },
    right: async (send) => {
      await create(send, 'A', 'a-1', 'drop-after-commit');
      assert.equal(await create(send, 'A', 'a-1'), 201);
    },
    text: /^Retried 1 write under a new Idempotency-Key\.$/,
  },
  wrote_without_key: {
    wrong: (send) => send('POST', products, { body: { sku: 'A' } }),
    right: (send) => create(send, 'A', 'a-1'),
    text: /^Sent 1 write without an Idempotency-Key/,
  },
  ignored_retry_after: {
    wrong: async (send) => {
      await create(send, 'A', 'a-1', 'status=429; retry-after=1');
      await create(send, 'A', 'a-1');
    },
    right: async (send) => {
      await create(send, 'A', 'a-1', 'status=429; retry-after=1');
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      await create(send, 'A', 'a-1');
    },
    text: /^Retried 1 request before the time/,
  },
  gave_up: {
    wrong: async (send) => {
      for (const fault of ['drop', 'truncate', 'html-502']) await create(send, fault, fault, fault);
    },
    right: async (send) => {
      for (const fault of ['drop', 'truncate', 'html-502']) {
        await create(send, fault, fault, fault);
        await create(send, fault, fault);
      }
    },
    text: /^Gave up on 3 requests/,
  },
  took_conflict_for_success: {
    wrong: async (send) => {
      await create(send, 'A', 'a-1');
      assert.equal(await create(send, 'A', 'a-2'), 409);
      await create(send, 'B', 'b-1');
    },
    right: async (send) => {
      await create(send, 'A', 'a-1');
      assert.equal(await create(send, 'A', 'a-2'), 409);
      await send('GET', `${products}?sku=A`);
    },
    text: /^Took 1 refusal with 409 for a success/,
  },
  polled_everything: {
    wrong: async (send) => {
      for (let time = 0; time < 4; time += 1) await send('GET', `${products}?per_page=200`);
    },
    right: async (send) => {
      await send('GET', `${products}?per_page=200`);
      for (let time = 0; time < 4; time += 1)
        await send('GET', `${products}?per_page=200&updated_since=2026-01-01T00:00:00Z`);
    },
    text: /^Read whole lists 2 times too often/,
  },
  missed_pages: {
    wrong: async (send) => {
      for (const sku of ['A', 'B', 'C']) await create(send, sku, sku);
      await send('GET', `${products}?per_page=1`);
      await send('GET', `${products}?per_page=1&page=2`);
    },
    right: async (send) => {
      for (const sku of ['A', 'B', 'C']) await create(send, sku, sku);
      for (const page of [1, 2, 3]) await send('GET', `${products}?per_page=1&page=${page}`);
    },
    text: /^Read the first pages of 1 list,/,
  },
  sent_unknown_names: {
    wrong: (send) => send('POST', products, { key: 'a-1', body: { sku: 'A', titel: 'Lamp' } }),
    right: (send) => send('POST', products, { key: 'a-1', body: { sku: 'A', title: 'Lamp' } }),
    text: /^Sent names that the API ignores: body.titel\.$/,
  },
  sent_noisy_prices: {
    wrong: (send) =>
      send('POST', products, { key: 'a-1', body: { sku: 'A', price_value: 11.12 * 1.1 + 0.000000001 } }),
    right: (send) => send('POST', products, { key: 'a-1', body: { sku: 'A', price_value: 11.1234 } }),
    text: /^Sent 1 price with the noise of floating-point arithmetic, such as 12\.23/,
  },
  never_read_feed_report: {
    wrong: (send) => send('POST', '/catalog/stock/feeds', { key: 'f-1', body: feed }),
    right: (send) => create(send, 'A', 'a-1'),
    text: /^Sent 1 feed and never read its report/,
  },
};

describe('the report', { concurrency: 3 }, () => {
  for (const [mistake, { wrong, right, text }] of Object.entries(cases))
    it(`finds ${mistake}, and only where it is made`, async () => {
      const [bad, good] = await Promise.all([newProgram(), newProgram()]);
      await Promise.all([wrong(bad.send), right(good.send)]);
      const { findings } = await bad.report();
      assert.deepEqual(
        findings.map((one: { mistake: string }) => one.mistake),
        [mistake],
      );
      assert.match(findings[0].text, text);
      assert.equal(findings[0].request_ids.length, findings[0].count);
      const guide = await fetch(clientUrl + findings[0].guide);
      assert.equal(guide.status, 200, findings[0].guide);
      assert.deepEqual((await good.report()).findings, []);
    });

  // docs/guides/errors/stock_version_conflict.md
  it('takes an adjustment that expects the quantity of the conflict for one that has looked', async () => {
    const program = await newProgram();
    const client = createHttpClient(`${clientUrl}/v1/client`, program.apiKey);
    const { json: vase } = await client.post(products, { sku: 'VASE' }, { 'idempotency-key': 'vase' });
    const adjust = (key: string, body: object) =>
      program.send('POST', `${products}/${vase.tu_id}/stock/adjust`, { key, body });
    assert.equal(await adjust('a-1', { quantity: 5 }), 200);
    assert.equal(await adjust('a-2', { quantity: 3, expected_quantity: 4 }), 409);
    const { findings } = await program.report();
    assert.deepEqual(
      findings.map(({ mistake }: { mistake: string }) => mistake),
      ['took_conflict_for_success'],
    );
    assert.equal(await adjust('a-3', { quantity: 3, expected_quantity: 5 }), 200);
    assert.deepEqual((await program.report()).findings, []);
  });

  // The pages of docs/guides/errors that a finding about a 409 leads to.
  it('takes what the page of a refusal advises for having looked', async () => {
    const program = await newProgram();
    const findings = async () => (await program.report()).findings.length;
    const lamp = (sku: string, key: string) =>
      program.send('POST', products, { key, body: { sku, title: 'Lamp' } });
    assert.deepEqual([await lamp('A', 'a-1'), await lamp('A', 'a-2'), await findings()], [201, 409, 1]);
    assert.deepEqual([await lamp('A-2', 'a-3'), await findings()], [201, 0], 'another SKU');
    assert.deepEqual([await lamp('B', 'a-1'), await findings()], [409, 1], 'a key that was used');
    assert.deepEqual([await lamp('A', 'a-1'), await findings()], [201, 0], 'the bytes of the first request');
    const sent = await fetch(`${clientUrl}/v1/client/catalog/stock/feeds`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${program.apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': 'f-1',
      },
      body: JSON.stringify(feed),
    });
    const { feed_id } = (await sent.json()) as { feed_id: string };
    assert.equal(await findings(), 1);
    assert.equal(await program.send('GET', `/catalog/stock/feeds/${feed_id}`), 200);
    assert.equal(await findings(), 0, 'the report of the feed');
  });

  it('says how many writes were done twice, from their outcomes', async () => {
    const { client, brandId } = sandbox;
    const { json: product } = await client.create(products, { sku: 'TWICE' });
    const path = `${clientUrl}/v1/client${products}/${product.tu_id}/stock/adjust`;
    const adjust = (key: string, fault: string) => {
      const headers = { authorization: `Bearer ${sandbox.apiKey}`, 'content-type': 'application/json' };
      const more = { 'idempotency-key': key, ...(fault !== '' && { 'brandport-fault': fault }) };
      const body = JSON.stringify({ quantity: 3 });
      return fetch(path, { method: 'POST', headers: { ...headers, ...more }, body }).catch(() => null);
    };
    assert.equal(await adjust('t-1', 'drop-after-commit'), null);
    assert.equal((await adjust('t-2', ''))?.status, 200);
    const { json } = await admin.get(`/sandbox/report?brand_id=${brandId}`);
    assert.equal(
      json.findings[0].text,
      'Retried 1 write under a new Idempotency-Key, and did 1 of them twice.',
    );
  });

  it('is for administrators', async () => {
    assert.equal((await fetch(`${internalUrl}/internal/v1/sandbox/report`)).status, 401);
  });
});

it('the report is printed at the end, and --strict fails for a mistake', async () => {
  const { code, stdout } = await sandbox.end('SIGINT');
  assert.equal(code, 1);
  const { report } = JSON.parse(stdout.trim().split('\n')[1] as string);
  assert.ok(report.findings.length >= Object.keys(cases).length);
});
