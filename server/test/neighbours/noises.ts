import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { feedOf } from './feed-bodies.ts';
import type { Noise, NoiseTools } from './noise.ts';

const products = '/catalog/products';
const json = { 'content-type': 'application/json' };

/** Many readers of one address of the client API, with the keys of the noisy brand. */
function reads(
  resource: string,
  width: number,
  pathOf: (tools: NoiseTools, n: number) => string,
  headers = {},
): Noise {
  return {
    resource,
    run: (tools) =>
      tools.atOnce(width, (n) =>
        tools.client({ method: 'GET', path: pathOf(tools, n), key: tools.key(n), headers }),
      ),
  };
}

/** Reads of what was stored before there were bounds. */
function beyondBounds(...read: Parameters<typeof reads>): Noise {
  return { ...reads(...read), isBeyondBounds: true };
}

/** Many writes of the client API at once, each with a fresh Idempotency-Key. */
function writes(
  resource: string,
  width: number,
  write: (tools: NoiseTools, n: number) => { method: string; path: string; body: string },
): Noise {
  return {
    resource,
    run: (tools) =>
      tools.atOnce(width, (n) =>
        tools.client({
          ...write(tools, n),
          key: tools.key(n),
          headers: { 'idempotency-key': `noise-${tools.noisy.keys[0].slice(4, 12)}-${n}` },
        }),
      ),
  };
}

/** Many requests of an operator of the noisy brand. */
function operates(
  resource: string,
  width: number,
  send: (
    tools: NoiseTools,
    n: number,
  ) => { method: string; path: string; body?: string; headers?: Record<string, string> },
): Noise {
  return {
    resource,
    run: (tools) => tools.atOnce(width, (n) => tools.internal(send(tools, n))),
  };
}

/** Requests that send the head and the first byte of a body. */
function halfSent(
  resource: string,
  count: number,
  url: (tools: NoiseTools) => string,
  headers: (tools: NoiseTools, n: number) => Record<string, string>,
): Noise {
  return {
    resource,
    run: async (tools) => {
      for (let n = 0; n < count; n += 1)
        tools.begin(url(tools), { method: 'POST', headers: headers(tools, n) }, '{');
      while (!tools.stop.aborted) await tools.pause(500);
    },
  };
}

/** Connections that are kept until the end. */
async function holdSockets(tools: NoiseTools, count: number, begin: (socket: Socket, n: number) => void) {
  const { hostname, port } = new URL(tools.noisy.clientUrl);
  for (let n = 0; n < count; n += 1) {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    tools.stop.addEventListener('abort', () => socket.destroy());
    begin(socket, n);
  }
  while (!tools.stop.aborted) await tools.pause(500);
}

const brandOf = ({ noisy }: NoiseTools) => `/internal/v1/brands/${noisy.brandId}`;
const bytes = (count: number) => ({ ...json, 'content-length': String(count) });
const mebibyte = 1024 * 1024;

const manyTags = JSON.stringify({
  versions: Object.fromEntries(Array.from({ length: 60_000 }, (_, n) => [`x-${n.toString(36)}`, {}])),
});
const emptyValues = `{"code":"dense","values":[${'{},'.repeat(349_000)}{}]}`;
const oneValueAgain = `{"axes":[{"code":"wide","values":[${'"v1",'.repeat(200_000)}"v1"]}]}`;
const manyNames = `{${Array.from({ length: 90_000 }, (_, n) => `"n${n}":0`).join(',')}}`;
const largeFeed = feedOf(100_000, 'LARGE');
const manyLearners = JSON.stringify({
  items: Array.from({ length: 10_000 }, (_, n) => ({ tu_id: `noise-learner-${n}` })),
});

/** The largest list within the bounds: 200 products with 64 KiB of text each. */
const fullList = `${products}?per_page=200&sort=-created_at`;

/** The programs of the noisy neighbour: each stays within the limits of its keys and the bounds of the contract. */
export const noises: Readonly<Record<string, Noise>> = {
  'widest-selection': beyondBounds(
    'pipelined reads',
    10,
    ({ noisy }) => `${products}/${noisy.widestProduct}/axes`,
  ),
  'wide-selection': reads('pipelined reads', 10, ({ noisy }) => `${products}/${noisy.wideProduct}/axes`),
  'wide-details': reads('pipelined reads', 12, ({ noisy }) => `${products}/${noisy.wideProduct}`),
  'wide-list': beyondBounds('pipelined reads, event loop', 12, () => `${products}?per_page=50&sort=sku`),
  'compressed-list': beyondBounds('compression', 12, () => `${products}?per_page=50&sort=sku`, {
    'accept-encoding': 'br',
  }),
  'full-list': reads('large responses in memory', 12, () => fullList),
  library: beyondBounds('long reads, event loop', 10, () => '/catalog/axes?per_page=200'),
  'deep-pages': reads(
    'page anchors',
    12,
    (_, n) => `${products}?per_page=1&page=${1 + ((n * 7919) % 400)}&sort=-created_at`,
  ),
  'many-responses': reads(
    'response cache',
    16,
    ({ noisy }, n) => `${products}/${noisy.wideProduct}/axes?ignored=${n % 50}`,
  ),
  movements: reads(
    'long reads',
    12,
    ({ noisy }) => `${products}/${noisy.generatedProduct}/stock?per_page=200`,
  ),
  levels: reads('pipelined reads', 12, () => '/catalog/stock/levels?changed_after=start&per_page=200'),
  analytics: reads(
    'analytics store',
    12,
    ({ noisy }) => `/analytics/users/contents?from=${noisy.firstDay}&to=${noisy.lastDay}&per_page=500`,
  ),
  'analytics-daily': reads(
    'analytics store',
    12,
    ({ noisy }) =>
      `/analytics/metrics/daily?from=${noisy.firstDay}&to=${noisy.lastDay}&group_by=market&per_page=200`,
  ),
  replays: {
    resource: 'idempotency records',
    run: (tools) =>
      tools.atOnce(12, (n) =>
        tools.client({
          method: 'POST',
          path: `${products}/${tools.noisy.generatedProduct}/variants/generate`,
          body: '{"activate":true}',
          key: tools.noisy.keys[0],
          headers: { 'idempotency-key': tools.noisy.replayKey, 'x-request-id': `replay-${n}` },
        }),
      ),
  },
  'dense-tags': writes('event loop', 12, ({ noisy }) => ({
    method: 'PATCH',
    path: `${products}/${noisy.plainProduct}`,
    body: manyTags,
  })),
  'dense-values': writes('event loop, parsed bodies', 12, () => ({
    method: 'POST',
    path: '/catalog/axes',
    body: emptyValues,
  })),
  'dense-selection': writes('event loop', 12, ({ noisy }) => ({
    method: 'PUT',
    path: `${products}/${noisy.plainProduct}/axes`,
    body: oneValueAgain,
  })),
  'dense-names': writes('event loop', 12, () => ({ method: 'POST', path: products, body: manyNames })),
  adjustments: writes('write turns, transactions', 32, ({ noisy }, n) => ({
    method: 'POST',
    path: `${products}/${noisy.plainProduct}/stock/adjust`,
    body: `{"quantity":${n}}`,
  })),
  generations: writes('transactions', 8, ({ noisy }, n) => ({
    method: 'POST',
    path: `${products}/${noisy.generatedProduct}/variants/generate`,
    body: `{"sku_template":"G${n}-{sku}-{wide}"}`,
  })),
  'large-feeds': writes('acceptance of feeds, threads', 6, () => ({
    method: 'POST',
    path: '/catalog/stock/feeds',
    body: largeFeed,
  })),
  'growing-feeds': {
    resource: 'body memory',
    run: async (tools) => {
      const url = `${tools.noisy.clientUrl}/v1/client/catalog/stock/feeds`;
      for (let n = 0; n < 24; n += 1) {
        const headers = {
          ...json,
          authorization: `Bearer ${tools.key(n)}`,
          'idempotency-key': `growing-${n}`,
          'transfer-encoding': 'chunked',
        };
        const begun = tools.begin(url, { method: 'POST', headers }, largeFeed.slice(0, 100_000));
        const timer = setInterval(() => begun.writable && begun.write(' '.repeat(32_000)), 200);
        tools.stop.addEventListener('abort', () => clearInterval(timer));
      }
      while (!tools.stop.aborted) await tools.pause(500);
    },
  },
  'zipped-feeds': {
    resource: 'body memory, threads',
    run: (tools) => {
      const zipped = gzipSync(largeFeed);
      return tools.atOnce(6, (n) =>
        tools.client({
          method: 'POST',
          path: '/catalog/stock/feeds',
          body: zipped,
          key: tools.key(n),
          headers: {
            'content-encoding': 'gzip',
            'idempotency-key': `zipped-${tools.noisy.keys[0].slice(4, 12)}-${n}`,
          },
        }),
      );
    },
  },
  'half-sent-bodies': halfSent(
    'slots of bodies',
    80,
    ({ noisy }) => `${noisy.clientUrl}/v1/client${products}`,
    (tools, n) => ({
      ...bytes(mebibyte),
      authorization: `Bearer ${tools.key(n)}`,
      'idempotency-key': `half-${n}`,
    }),
  ),
  'half-sent-sign-ins': halfSent(
    'slots of bodies',
    80,
    ({ noisy }) => `${noisy.internalUrl}/console/session`,
    (_, n) => ({
      ...bytes(100),
      'x-forwarded-for': `192.0.2.${1 + (n % 8)}`,
    }),
  ),
  'half-sent-by-operator': halfSent(
    'slots of bodies',
    80,
    ({ noisy }) => `${noisy.internalUrl}/internal/v1/jobs/retry`,
    ({ noisy }) => ({
      ...bytes(mebibyte),
      authorization: `Bearer ${noisy.operatorToken}`,
    }),
  ),
  'unread-responses': {
    resource: 'responses in memory',
    run: (tools) =>
      holdSockets(tools, 40, (socket, n) => {
        socket.pause();
        socket.write(
          `GET /v1/client${fullList} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${tools.noisy.address}\r\nAuthorization: Bearer ${tools.key(n)}\r\n\r\n`,
        );
      }),
  },
  'silent-connections': {
    resource: 'connections of clients',
    run: (tools) => holdSockets(tools, 1_000, () => {}),
  },
  'wrong-secrets': {
    resource: 'journal of refusals, credentials',
    run: (tools) =>
      tools.atOnce(16, (n) =>
        tools.client({
          method: 'GET',
          path: `/catalog/nothing-${n}`,
          key: `${tools.noisy.keys[0].split('.')[0]}.${'A'.repeat(40)}`,
          headers: { 'x-forwarded-for': `192.0.2.${n % 10}` },
        }),
      ),
  },
  refusals: reads('journal of refusals, usage', 16, (_, n) => `${products}/nothing-${n}`),
  'guide-search': {
    resource: 'guide search',
    run: (tools) =>
      tools.atOnce(8, (n) =>
        tools.send(
          `${tools.noisy.clientUrl}/docs/search.json?q=idempotenzy+stokc+lvels+paginaton+curser+webhok+analitics+${n}`,
          { method: 'GET', headers: { 'x-forwarded-for': `198.18.0.${n % 100}` } },
        ),
      ),
  },
  events: operates('analytics store, threads', 6, (tools, n) => ({
    method: 'POST',
    path: `${brandOf(tools)}/events`,
    headers: { 'content-type': 'application/x-ndjson' },
    body: Array.from(
      { length: 20_000 },
      (_, i) =>
        `{"event_id":"noise-${n}-${i}","occurred_at":"${tools.noisy.lastDay}T10:00:00Z","kind":"view","user":"learner-${i % 100}","content":{"type":"episode","tu_id":"episode-${i % 40}"}}`,
    ).join('\n'),
  })),
  aggregations: operates('aggregation', 4, (tools) => ({
    method: 'POST',
    path: `${brandOf(tools)}/aggregations`,
    body: JSON.stringify({ from: tools.noisy.firstDay, to: tools.noisy.lastDay }),
  })),
  requeues: operates('acceptance of feeds', 6, (tools) => ({
    method: 'POST',
    path: `${brandOf(tools)}/feeds/${tools.noisy.failedFeed}/requeue`,
    body: '{"results":["unknown_sku"]}',
  })),
  exports: operates('streams', 8, (tools, n) => ({
    method: 'GET',
    path: `${brandOf(tools)}/feeds/${tools.noisy.failedFeed}/lines.${n % 2 === 0 ? 'csv' : 'jsonl'}`,
  })),
  directory: operates('event loop, transactions', 4, (tools) => ({
    method: 'PUT',
    path: `${brandOf(tools)}/users`,
    body: manyLearners,
  })),
  'operator-reads': operates('long reads', 12, (tools, n) => ({
    method: 'GET',
    path: [
      '/internal/v1/overview',
      '/internal/v1/search?q=noise',
      `${brandOf(tools)}/activity`,
      `${brandOf(tools)}/refusals?per_page=200`,
      `${brandOf(tools)}/stock-health`,
      `${brandOf(tools)}/key-usage`,
    ][n % 6] as string,
  })),
};
