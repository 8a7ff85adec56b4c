import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { createDatabase } from '../../../../server/test/support/fresh-database.ts';
import { startServerProcess } from '../../../../server/test/support/server-process.ts';
import { databaseUrl } from '../../../../server/test/support/test-database.ts';
import { isClickHouseInstalled, startClickHouseEngine } from '../support/clickhouse-engine.ts';

const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);

/** ClickHouse's errors that mean "try again later". One engine on one machine cannot be brought to most of them. */
const errors = {
  159: 'TIMEOUT_EXCEEDED',
  160: 'TOO_SLOW',
  202: 'TOO_MANY_SIMULTANEOUS_QUERIES',
  209: 'SOCKET_TIMEOUT',
  210: 'NETWORK_ERROR',
  241: 'MEMORY_LIMIT_EXCEEDED',
  242: 'TABLE_IS_READ_ONLY',
  252: 'TOO_MANY_PARTS',
  285: 'TOO_FEW_LIVE_REPLICAS',
  319: 'UNKNOWN_STATUS_OF_INSERT',
} as const;

interface FailingClickHouse {
  readonly url: string;
  /** Answers every request with this error, as ClickHouse does; null: forwards it to the engine. */
  fail(code: number | null): void;
}

/** Starts a server that forwards requests to an engine or answers with an error of ClickHouse. */
async function startFailingClickHouse(): Promise<FailingClickHouse> {
  const engine = await startClickHouseEngine();
  after(() => engine.stop());
  let failing: number | null = null;
  const server = createServer((request, response) => {
    if (failing !== null && request.url !== '/ping') {
      request.resume();
      const name = errors[failing as keyof typeof errors] ?? 'UNKNOWN_TABLE';
      response.writeHead(failing === 202 ? 503 : 500, { 'x-clickhouse-exception-code': String(failing) });
      response.end(
        `Code: ${failing}. DB::Exception: Made by a test. (${name}) (version 26.7.3.1 (official build))\n`,
      );
      return;
    }
    const { url, method, headers } = request;
    const forwarded = sendRequest(
      { host: '127.0.0.1', port: engine.port, path: url, method, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      },
    );
    forwarded.on('error', () => response.destroy());
    request.pipe(forwarded);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fail: (code) => {
      failing = code;
    },
  };
}

// [analytics-43] [internal-13]
describe('an error of ClickHouse', { skip: !isClickHouseInstalled() }, async () => {
  it('that passes is 503 with Retry-After for pages, events and aggregations, which succeed afterwards', async () => {
    const clickHouse = await startFailingClickHouse();
    const env = {
      DATABASE_URL: databaseUrl(await createDatabase()),
      BRANDPORT_CLICKHOUSE_URL: clickHouse.url,
    };
    const server = await startServerProcess({ env });
    const { json: brand } = await server.admin.post('/brands', { name: 'Analytics' });
    const url = `/brands/${brand.id}`;
    const { json: key } = await server.admin.post(`${url}/keys`, {
      name: 'BI',
      scopes: ['analytics.users:read'],
    });
    const client = server.clientWith(key.api_key);
    await server.admin.put(`${url}/users`, { items: [{ tu_id: 'u0' }] });
    await server.admin.put(`${url}/contents`, { items: [{ type: 'episode', tu_id: 'c0' }] });
    const content = { type: 'episode', tu_id: 'c0' };
    const at = `${yesterday}T10:00:00Z`;
    const send = (event_id: string) =>
      server.admin.post(`${url}/events`, {
        items: [{ event_id, occurred_at: at, kind: 'view', user: 'u0', content }],
      });
    const aggregate = () => server.admin.post(`${url}/aggregations`, { from: yesterday, to: yesterday });
    assert.equal((await send('first')).json.accepted, 1);
    assert.equal((await aggregate()).status, 200);
    let pages = 0;
    // Another page each time, so that none is kept.
    const page = () => {
      pages += 1;
      return client.get(`/analytics/users/contents?per_page=${pages}`);
    };
    assert.equal((await page()).json.data[0].metrics.views, 1);

    for (const code of Object.keys(errors).map(Number)) {
      clickHouse.fail(code);
      const answers = [await page(), await send(`event ${code}`)];
      // An aggregation that ClickHouse ends for its time continues as a job.
      if (code !== 159) answers.push(await aggregate());
      for (const { status, json, headers } of answers) {
        assert.deepEqual(
          [status, json.code, headers['retry-after']],
          [503, 'analytics_unavailable', '60'],
          `${code}`,
        );
        assert.doesNotMatch(JSON.stringify(json), /Made by a test|DB::Exception/);
      }
      clickHouse.fail(null);
      assert.equal((await page()).status, 200, `after ${code}`);
      assert.equal((await send(`event ${code}`)).json.accepted, 1, `the event was kept in spite of ${code}`);
    }
    assert.equal((await aggregate()).status, 200);
    const { views } = (await page()).json.data[0].metrics;
    assert.equal(views, 1 + Object.keys(errors).length);

    // A defect is a defect.
    clickHouse.fail(62);
    assert.equal((await page()).status, 500);
    clickHouse.fail(null);
    assert.equal((await server.stop()).code, 0);
  });
});
