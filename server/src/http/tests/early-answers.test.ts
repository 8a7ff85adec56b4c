// processes, alone: every early answer in three kinds of body
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../test/support/assert-refused.ts';
import { logLines } from '../../../test/support/log-capture.ts';
import { exchange, listenOn, RawConnection } from '../../../test/support/raw-connection.ts';
import { createTestApps, testAdminToken } from '../../../test/support/test-apps.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import type { ErrorCode } from '../../errors/error-catalogue.ts';

const mebibyte = 1024 * 1024;
const apps = await createTestApps();
const { apiKey, brandId } = await apps.newBrand();
const ports = { client: await listenOn(apps.clientApp), internal: await listenOn(apps.internalApp) };
const events = `/internal/v1/brands/${brandId}/events`;
const feeds = '/v1/client/catalog/stock/feeds';
const products = '/v1/client/catalog/products';

interface Sent {
  readonly listener?: keyof typeof ports;
  readonly path: string;
  readonly token?: string;
  readonly headers?: readonly string[];
}

const json = 'Content-Type: application/json';
const key = 'Idempotency-Key: early';
/** Requests that are refused before a body of 60 MiB has arrived. */
const refusals: Record<string, [Sent, ErrorCode, string[]?]> = {
  'an unknown path': [{ path: '/nothing' }, 'not_found'],
  'a path that is no percent-encoding': [{ path: '/%zz' }, 'not_found'],
  'a method that the path does not have': [{ path: '/healthz' }, 'method_not_allowed'],
  'no key': [{ path: products, headers: [json] }, 'unauthenticated'],
  'no key, on feeds': [{ path: feeds, headers: [json] }, 'unauthenticated'],
  'no Idempotency-Key': [{ path: products, token: apiKey, headers: [json] }, 'idempotency_key_required'],
  'a body over the limit': [{ path: products, token: apiKey, headers: [json, key] }, 'payload_too_large'],
  'another content type': [
    { path: products, token: apiKey, headers: ['Content-Type: text/plain', key] },
    'unsupported_media_type',
  ],
  'a feed of another content type': [
    { path: feeds, token: apiKey, headers: ['Content-Type: text/plain', key] },
    'unsupported_media_type',
  ],
  'a feed without a batch id': [
    { path: feeds, token: apiKey, headers: [json] },
    'validation_failed',
    ['source_batch_id'],
  ],
  'no admin token': [{ listener: 'internal', path: events, headers: [json] }, 'unauthenticated'],
  'events of another content type': [
    { listener: 'internal', path: events, token: testAdminToken, headers: ['Content-Type: text/csv'] },
    'unsupported_media_type',
  ],
  'events of an unknown brand': [
    {
      listener: 'internal',
      path: '/internal/v1/brands/999999/events',
      token: testAdminToken,
      headers: ['Content-Type: application/x-ndjson'],
    },
    'not_found',
  ],
};
const framings = {
  'of a declared length': `Content-Length: ${60 * mebibyte}`,
  'of a declared length, with Expect': `Content-Length: ${60 * mebibyte}\r\nExpect: 100-continue`,
  'in chunks': 'Transfer-Encoding: chunked',
};

/** Sends a request of 60 MiB to its end, as a client that reads nothing before, and returns the connection. */
async function sendAll({ listener = 'client', path, token, headers = [] }: Sent, framing: string) {
  const connection = new RawConnection(ports[listener]);
  const authorization = token === undefined ? [] : [`Authorization: Bearer ${token}`];
  const head = [`POST ${path} HTTP/1.1`, 'Host: x', ...authorization, ...headers, framing];
  connection.write(`${head.join('\r\n')}\r\n\r\n`);
  connection.socket.pause();
  const isChunked = framing.startsWith('Transfer');
  const part = Buffer.alloc(mebibyte, ' \n');
  for (let sent = 0; sent < 60 && !connection.socket.destroyed; sent += 1) {
    if (isChunked) connection.write('100000\r\n');
    const hasRoom = connection.socket.write(part);
    if (isChunked) connection.write('\r\n');
    if (!hasRoom)
      await waitFor(
        'room to send',
        () => connection.socket.destroyed || !connection.socket.writableNeedDrain,
      );
  }
  if (isChunked && !connection.socket.destroyed) connection.write('0\r\n\r\n');
  connection.socket.resume();
  return connection;
}

describe('an answer that comes before the body has arrived', () => {
  for (const [what, [sent, code, fields]] of Object.entries(refusals))
    for (const [how, framing] of Object.entries(framings))
      it(`reaches a client that sends on: ${what}, ${how}`, async () => {
        const connection = await sendAll(sent, framing);
        const answer = await connection.finalResponse();
        assertRefused(answer, code, fields);
        assert.equal(answer.headers['connection'], 'close');
        await connection.closed();
        assert.equal((await exchange(ports.client, { path: '/healthz' })).status, 200);
      });

  it('reaches a client that waits for it with the rest of the body', async () => {
    for (const [sent, code] of Object.values(refusals).slice(3, 6)) {
      const connection = new RawConnection(ports.client);
      const authorization = sent.token === undefined ? '' : `Authorization: Bearer ${sent.token}\r\n`;
      connection.write(
        `POST ${sent.path} HTTP/1.1\r\nHost: x\r\n${authorization}${sent.headers?.join('\r\n')}\r\nContent-Length: 1000\r\n\r\n{`,
      );
      assertRefused(await connection.response(), code);
      connection.socket.end();
      await connection.closed();
    }
  });
});

describe('events while they cannot be stored', () => {
  const lines = Array.from(
    { length: 10_000 },
    (_, id) =>
      `{"event_id": "e-${id}", "occurred_at": "2026-03-01T10:00:00Z", "kind": "view", "user": "ann", "content": {"type": "episode", "tu_id": "c"}}\n`,
  ).join('');

  async function sendLines() {
    const connection = new RawConnection(ports.internal);
    connection.write(
      `POST ${events} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${testAdminToken}\r\nContent-Type: application/x-ndjson\r\nContent-Length: ${lines.length}\r\n\r\n${lines}`,
    );
    return connection;
  }

  async function failWith(sqlState: string, work: () => Promise<void>) {
    await apps.sql(`create or replace function fail() returns trigger language plpgsql as $$
      begin raise sqlstate '${sqlState}'; end $$`);
    for (const table of ['analytics.event_claims', 'contents'])
      await apps.sql(
        `create trigger fails before insert on ${table} for each statement execute function fail()`,
      );
    await work();
    for (const table of ['analytics.event_claims', 'contents'])
      await apps.sql(`drop trigger fails on ${table}`);
  }

  it('are 503 with Retry-After, and the connection ends', async () => {
    await apps.admin.put(`/brands/${brandId}/users`, { items: [{ tu_id: 'ann' }] });
    await failWith('53300', async () => {
      const connection = await sendLines();
      const answer = await connection.response();
      assert.equal(answer.status, 503, answer.text);
      assert.ok(Number(answer.headers['retry-after']) > 0);
      await connection.closed();
    });
    const connection = await sendLines();
    const answer = await connection.response();
    assert.deepEqual([answer.status, answer.json.accepted], [200, 10_000]);
    connection.socket.destroy();
  });

  it('leave no failure in the log when the sender is gone', async () => {
    logLines.take();
    const connection = new RawConnection(ports.internal);
    connection.write(
      `POST ${events} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${testAdminToken}\r\nContent-Type: application/x-ndjson\r\nContent-Length: ${2 * lines.length}\r\n\r\n${lines}`,
    );
    await waitFor('the bytes to be sent', () => connection.socket.writableLength === 0);
    connection.socket.resetAndDestroy();
    const seen: string[] = [];
    await waitFor('the log line of the request', () => {
      seen.push(...logLines.take());
      return seen.some((line) => line.includes('"status":499'));
    });
    assert.deepEqual(
      seen.filter((line) => (JSON.parse(line) as { level: number }).level >= 40),
      [],
    );
  });
});
