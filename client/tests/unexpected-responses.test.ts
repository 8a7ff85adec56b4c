// processes: waits between attempts
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { describe, it } from 'node:test';
import { listeningUrl } from '../../server/test/support/listening-url.ts';
import { Brandport, isBrandportError } from '../src/index.ts';

interface Reply {
  readonly status: number;
  readonly body: string;
}

/** Starts a server that answers with the replies in turn, the last one again and again, and counts requests. */
async function startServer(...replies: readonly Reply[]) {
  const seen: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    request.resume();
    const { status, body } = replies[Math.min(seen.length, replies.length - 1)] as Reply;
    seen.push(request.headers['idempotency-key'] as string | undefined);
    response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'r-1' }).end(body);
  });
  const baseUrl = `${await listeningUrl(server)}/prefix`;
  return { seen, baseUrl, brandport: new Brandport({ baseUrl, apiKey: 'key', maxRetries: 2 }) };
}

const bodies: readonly Reply[] = [
  { status: 204, body: '' },
  { status: 200, body: '' },
  { status: 200, body: 'null' },
  { status: 200, body: '[1]' },
  { status: 200, body: '"text"' },
  { status: 200, body: '<html>a proxy</html>' },
];

describe('a response that the service does not send', () => {
  for (const reply of bodies)
    it(`is unexpected_response, in every kind of call: ${reply.status} ${reply.body}`, async () => {
      const { brandport, seen } = await startServer(reply);
      const { catalog } = brandport;
      for (const call of [
        () => catalog.products.list().toArray(),
        () => catalog.products.list().first(),
        () => brandport.analytics.daily.list({ from: '2026-01-01', to: '2026-01-02' }).toArray(),
        () => catalog.status(),
        () => catalog.products.get('x'.repeat(21)),
      ])
        await assert.rejects(call(), (error) => {
          assert.ok(isBrandportError(error, 'unexpected_response'), String(error));
          assert.deepEqual([error.status, error.requestId, error.retryable], [reply.status, 'r-1', false]);
          return true;
        });
      // A read says it at once: another one has no effect that could be lost.
      assert.equal(seen.length, 5);
    });

  for (const body of ['{}', '{"data":1,"meta":{}}', '{"data":[],"meta":null}'])
    it(`is unexpected_response for a page without rows: ${body}`, async () => {
      const { brandport } = await startServer({ status: 200, body });
      await assert.rejects(brandport.catalog.products.list().toArray(), { code: 'unexpected_response' });
    });

  it('is asked for again where the key makes it safe', async () => {
    const cut = { status: 201, body: '{"tu_id":"x' };
    const { brandport, seen } = await startServer(cut, cut, { status: 201, body: '{"tu_id":"x"}' });
    const { data, response } = await brandport.catalog.products.create({ sku: 'A' }).withResponse();
    assert.deepEqual([data.tu_id, response.attempts, seen.length], ['x', 3, 3]);
    assert.equal(new Set(seen).size, 1);
    const never = await startServer(cut);
    await assert.rejects(never.brandport.catalog.products.create({ sku: 'A' }), (error) => {
      assert.ok(isBrandportError(error, 'unexpected_response'));
      return error.retryable && error.attempts === 3 && error.idempotencyKey === never.seen[0];
    });
  });

  it('may be empty after a deletion', async () => {
    const { brandport } = await startServer({ status: 204, body: '' });
    assert.equal(await brandport.catalog.variants.delete('x'.repeat(21)), undefined);
  });
});

describe('docUrl', () => {
  it('is absolute, with the address of the service in front', async () => {
    const envelope = (doc_url: unknown) => ({
      status: 404,
      body: JSON.stringify({ code: 'not_found', message: 'No.', doc_url }),
    });
    for (const [sent, shown] of [
      ['/docs/guides/errors/not_found', '/prefix/docs/guides/errors/not_found'],
      ['https://docs.example/not_found', 'https://docs.example/not_found'],
      ['javascript:alert(1)', null],
      [7, null],
    ] as const) {
      const { brandport, baseUrl } = await startServer(envelope(sent));
      const expected = shown?.startsWith('/') === true ? baseUrl.replace('/prefix', shown) : shown;
      await assert.rejects(brandport.catalog.status(), { code: 'not_found', docUrl: expected });
    }
  });
});
