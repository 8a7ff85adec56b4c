// nightly: it compares rounds of 20 x 500 generated variants with quiet ones
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomHex } from '../../src/lib/ids.ts';
import type { ApiResponse } from '../support/api-client.ts';
import { createDatabase } from '../support/fresh-database.ts';
import { sendHttp } from '../support/http-client.ts';
import { unlimitedCatalog } from '../support/limits.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { databaseUrl } from '../support/test-database.ts';

const generations = 20;
/** The median of the rounds is compared, so that one pause of the machine does not decide. */
const rounds = 3;
/** Requests of a third brand that are always in flight: both figures are those of a busy process. */
const readers = 2;
const variants = 500;
/** Least number of requests of each kind in a measurement. */
const samples = 40;
/** [platform-76] */
const allowedFactor = 3;
/** Milliseconds. Shorter waits are noise: other tests run at the same time, on the same two processors. */
const floorMs = 200;

/** The p99 of each round, milliseconds. */
interface Figures {
  readonly alone: number[];
  readonly contended: number[];
}

type Send = (method: string, path: string, body?: object) => Promise<ApiResponse>;

async function brandOf(server: ServerProcess, name: string): Promise<Send> {
  const brand = (await server.admin.post('/brands', { name })).json;
  const key = (await server.admin.post(`/brands/${brand.id}/keys`, { name, scopes })).json;
  return (method, path, body) =>
    sendHttp(`${server.clientUrl}/v1/client/catalog${path}`, {
      method,
      body,
      headers: {
        authorization: `Bearer ${key.api_key}`,
        ...(body !== undefined && { 'idempotency-key': randomHex(16) }),
      },
    });
}

const scopes = [
  'catalog.products:read',
  'catalog.products:write',
  'catalog.variants:write',
  'catalog.axes:write',
  'catalog.stock:read',
  'catalog.stock:write',
];

/** Returns the p99 in milliseconds; of fewer than 100 values the slowest. */
function p99(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1] ?? Number.NaN;
}

// [platform-76]
function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

test('a brand that generates 20 x 500 variants at once neither fails nor slows the requests of another one', async (t) => {
  const address = await createDatabase();
  const server = await startServerProcess({
    env: { ...unlimitedCatalog, DATABASE_URL: databaseUrl(address) },
  });
  const greedy = await brandOf(server, 'Greedy');
  const modest = await brandOf(server, 'Modest');
  const reader = await brandOf(server, 'Reader');

  const values = Array.from({ length: variants }, (_, n) => ({ value: `v${n}` }));
  await ok(greedy('POST', '/axes', { code: 'v', values }), 201);
  const parents: string[] = [];
  for (let n = 0; n < generations * rounds; n += 1) {
    const { json } = await ok(greedy('POST', '/products', { sku: `G${n}` }), 201);
    const axes = [{ code: 'v', values: values.map(({ value }) => value) }];
    await ok(greedy('PUT', `/products/${json.tu_id}/axes`, { axes }), 200);
    parents.push(json.tu_id);
  }
  const own = (await ok(modest('POST', '/products', { sku: 'OWN' }), 201)).json.tu_id;
  await ok(modest('POST', `/products/${own}/stock/adjust`, { quantity: 5 }), 200);

  let made = 0;
  const requests: Readonly<Record<string, () => Promise<ApiResponse>>> = {
    create: () => {
      made += 1;
      return modest('POST', '/products', { sku: `M${made}` });
    },
    movements: () => modest('GET', `/products/${own}/stock/movements`),
    detail: () => modest('GET', `/products/${own}`),
    list: () => modest('GET', '/products?per_page=50'),
  };
  /** Sends one request after the other, as an integration does, until there are enough and `isOver`. */
  const measure = async (isOver: () => boolean) => {
    const times = new Map(Object.keys(requests).map((name) => [name, [] as number[]]));
    for (let n = 0; n < samples || !isOver(); n += 1)
      for (const [name, send] of Object.entries(requests)) {
        const startedAt = performance.now();
        const { status, text } = await send();
        times.get(name)?.push(performance.now() - startedAt);
        assert.ok(status === 200 || status === 201, `${name}: ${text}`);
      }
    return times;
  };

  for (let n = 0; n < 50; n += 1) await ok(reader('POST', '/products', { sku: `R${n}` }), 201);
  let isReading = true;
  const reading = Array.from({ length: readers }, async () => {
    while (isReading) await ok(reader('GET', '/products?per_page=50'), 200);
  });

  await measure(() => true);
  const p99s = new Map(Object.keys(requests).map((name) => [name, { alone: [], contended: [] } as Figures]));
  for (let round = 0; round < rounds; round += 1) {
    const alone = await measure(() => true);
    let running = generations;
    const startedAt = performance.now();
    const generated = parents.splice(0, generations).map(async (tuId) => {
      const response = await greedy('POST', `/products/${tuId}/variants/generate`, {});
      running -= 1;
      return { tuId, response, ms: performance.now() - startedAt };
    });
    const contended = await measure(() => running === 0);
    const answers = await Promise.all(generated);
    t.diagnostic(`${generations} generations in ${Math.round(performance.now() - startedAt)} ms`);
    for (const [name, { alone: was, contended: is }] of p99s) {
      was.push(p99(alone.get(name) ?? []));
      is.push(p99(contended.get(name) ?? []));
    }

    // An overloaded machine refuses the rest in time and serves them when they are sent again.
    const refused = answers.filter(({ response }) => response.status !== 201);
    t.diagnostic(`${refused.length} of them were refused`);
    for (const { response, ms } of refused) {
      assert.equal(response.json.code, 'service_unavailable', response.text.slice(0, 300));
      assert.match(response.headers['retry-after'] ?? '', /^[1-9]\d*$/);
      assert.ok(ms < 35_000, `${ms} ms`);
    }
    for (const { tuId } of refused) await ok(greedy('POST', `/products/${tuId}/variants/generate`, {}), 201);
  }
  isReading = false;
  await Promise.all(reading);
  for (const [name, { alone, contended }] of p99s) {
    const [was, is] = [median(alone), median(contended)];
    t.diagnostic(`${name}: p99 ${was.toFixed(1)} ms alone, ${is.toFixed(1)} ms during the generations`);
    assert.ok(is <= Math.max(was * allowedFactor, floorMs), `${name}: ${alone} ms alone, ${contended} ms`);
  }
  assert.equal((await server.stop()).code, 0);
});

async function ok(answer: Promise<ApiResponse>, status: number): Promise<ApiResponse> {
  const response = await answer;
  assert.equal(response.status, status, response.text);
  return response;
}
