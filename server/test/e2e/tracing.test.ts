import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { scopes } from '../../src/api/scopes.ts';
import { createDatabase } from '../support/fresh-database.ts';
import { sendHttp } from '../support/http-client.ts';
import { seedBrand } from '../support/seed.ts';
import { startServerProcess } from '../support/server-process.ts';
import { databaseUrl } from '../support/test-database.ts';
import { type CollectedSpan, startTraceCollector } from '../support/trace-collector.ts';
import { waitFor } from '../support/wait-for.ts';

const collector = await startTraceCollector();
const traced = await startServerProcess({
  env: {
    DATABASE_URL: databaseUrl(await createDatabase()),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '100',
  },
});
const { brandId } = await seedBrand(traced);
const { api_key: apiKey } = (await traced.admin.post(`/brands/${brandId}/keys`, { name: 'All', scopes }))
  .json;
const authorization = `Bearer ${apiKey}`;
const products = '/v1/client/catalog/products';
const newTraceId = (digit: string) => digit.repeat(32);
const traceparent = (traceId: string) => `00-${traceId}-00f067aa0ba902b7-01`;

async function spansOf(
  traceId: string,
  isComplete: (spans: CollectedSpan[]) => boolean,
): Promise<CollectedSpan[]> {
  const find = () => collector.spans.filter((span) => span.traceId === traceId);
  return waitFor('the spans', () => (isComplete(find()) ? find() : null), 30_000);
}

const logLine = (server: { stderr(): string }, requestId: string) =>
  waitFor('the log line', () => {
    const line = server
      .stderr()
      .split('\n')
      .find((text) => text.includes(`"${requestId}"`));
    return line === undefined ? null : JSON.parse(line);
  });

describe('a traced server', () => {
  // [platform-85]
  it('continues the client’s trace: request, transaction and statements, each below its parent', async () => {
    const traceId = newTraceId('a');
    const created = await sendHttp(traced.clientUrl + products, {
      method: 'POST',
      body: { sku: 'TRACED' },
      headers: {
        authorization,
        'idempotency-key': 'one',
        traceparent: traceparent(traceId),
        'x-request-id': 'traced-1',
      },
    });
    assert.equal(created.status, 201);
    const spans = await spansOf(traceId, (found) => found.some(({ name }) => name === `POST ${products}`));
    const request = spans.find(({ name }) => name === `POST ${products}`);
    assert.partialDeepStrictEqual(request, {
      parentSpanId: '00f067aa0ba902b7',
      attributes: {
        'http.request.method': 'POST',
        'http.route': products,
        'http.response.status_code': 201,
        'brandport.request_id': 'traced-1',
        'brandport.brand_id': brandId,
      },
    });
    const transactions = spans.filter(({ name }) => name === 'transaction');
    assert.equal(transactions.length, 1);
    for (const { parentSpanId } of transactions) assert.equal(parentSpanId, request?.spanId);
    const inside = spans.filter(({ parentSpanId }) =>
      transactions.some(({ spanId }) => spanId === parentSpanId),
    );
    assert.ok(inside.length >= 5, JSON.stringify(spans.map(({ name }) => name)));
    for (const { attributes } of inside)
      assert.partialDeepStrictEqual(attributes, {
        'db.system.name': 'postgresql',
        'brandport.work': 'statement',
      });
    // The look-up of the key.
    assert.ok(
      spans.some(
        ({ parentSpanId, attributes }) =>
          parentSpanId === request?.spanId && attributes['brandport.work'] === 'statement',
      ),
    );
    assert.equal(collector.resource()['service.name'], 'brandport');
    assert.equal((await logLine(traced, 'traced-1')).trace_id, traceId);
  });

  it('begins a trace without a client’s, and for jobs', async () => {
    await sendHttp(traced.clientUrl + products, { headers: { authorization, 'x-request-id': 'traced-2' } });
    const { trace_id } = await logLine(traced, 'traced-2');
    const [span] = await spansOf(trace_id, (found) => found.some(({ name }) => name === `GET ${products}`));
    assert.notEqual(span, undefined);

    const levels = [{ sku: 'TRACED', location_code: 'L', quantity: 1 }];
    const feed = await sendHttp(`${traced.clientUrl}/v1/client/catalog/stock/feeds`, {
      method: 'POST',
      body: { source: 'erp', mode: 'snapshot', lines: levels },
      headers: { authorization, 'idempotency-key': 'feed', 'x-request-id': 'traced-feed' },
    });
    assert.equal(feed.status, 202);
    const { feed_id } = feed.json;
    const job = await waitFor(
      'the span of the job',
      () => collector.spans.find(({ name }) => name === 'apply-stock-feeds') ?? null,
      30_000,
    );
    assert.equal(job.attributes['brandport.work'], 'job');
    const isChild = ({ parentSpanId }: CollectedSpan) => parentSpanId === job.spanId;
    const ofFeed = ({ attributes }: CollectedSpan) => attributes['brandport.feed_id'] === feed_id;
    const transaction = await waitFor(
      'the job’s transaction',
      () => collector.spans.find((span) => isChild(span) && ofFeed(span)) ?? null,
      30_000,
    );
    // From the request to its feed, job and trace, and back.
    assert.equal(transaction.attributes['brandport.request_id'], 'traced-feed');
    const finished = await logLine(traced, 'stock feed finished');
    assert.partialDeepStrictEqual(finished, {
      feed_id,
      reqId: 'traced-feed',
      job_id: job.attributes['brandport.job_id'],
      trace_id: job.traceId,
    });
    const lines = traced.stderr().split('\n');
    const request = lines.find((text) => text.includes('"traced-feed"') && text.includes('"msg":"request"'));
    assert.equal(JSON.parse(request ?? '{}').feed_id, feed_id);
  });

  it('does not export names of resources, values or keys', async () => {
    await sendHttp(`${traced.clientUrl}${products}/canary-5a1c?search=canary-5a1c`, {
      headers: { authorization, traceparent: traceparent(newTraceId('b')) },
    });
    await spansOf(newTraceId('b'), (found) => found.some(({ name }) => name.startsWith('GET ')));
    const exported = JSON.stringify(collector.spans);
    for (const secret of ['canary-5a1c', apiKey, 'TRACED']) assert.ok(!exported.includes(secret), secret);
  });

  it('ends in time and sends what it has, and serves while the collector is unavailable', async () => {
    const lost = await startServerProcess({
      env: {
        DATABASE_URL: databaseUrl(await createDatabase()),
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
        OTEL_BSP_SCHEDULE_DELAY: '50',
      },
    });
    assert.equal((await sendHttp(`${lost.clientUrl}/healthz`)).status, 200);
    await waitFor('the warning', () => lost.stderr().includes('traces not exported'), 30_000);
    assert.equal((await lost.stop()).code, 0);
    await sendHttp(traced.clientUrl + products, {
      headers: { authorization, traceparent: traceparent(newTraceId('c')) },
    });
    assert.equal((await traced.stop()).code, 0);
    assert.ok(collector.spans.some(({ traceId }) => traceId === newTraceId('c')));
  });
});

describe('a server without tracing', () => {
  // [platform-85]
  it('logs the trace id that a client sends, if it is valid, and loads no tracer', async () => {
    const server = await startServerProcess({
      env: { DATABASE_URL: databaseUrl(await createDatabase()), LOG_FORMAT: 'json' },
    });
    const send = async (id: string, header: string) => {
      await sendHttp(`${server.clientUrl}/none`, { headers: { 'x-request-id': id, traceparent: header } });
      return (await logLine(server, id)).trace_id;
    };
    assert.equal(await send('one', traceparent(newTraceId('d'))), newTraceId('d'));
    assert.equal(await send('two', 'nonsense'), undefined);
    assert.equal(await send('three', traceparent(newTraceId('0'))), undefined);
    const { time } = await logLine(server, 'one');
    assert.equal(new Date(time).toISOString(), time);
    assert.equal((await server.stop()).code, 0);
  });

  it('logs for people with LOG_FORMAT=pretty', async () => {
    const server = await startServerProcess({
      env: { DATABASE_URL: databaseUrl(await createDatabase()), LOG_FORMAT: 'pretty' },
    });
    await sendHttp(`${server.clientUrl}/none`, { headers: { 'x-request-id': 'for-people' } });
    await waitFor('the line', () =>
      /^\[\d\d:\d\d:\d\d\.\d{3}\] INFO: request \{.*"for-people"/m.test(server.stderr()),
    );
    assert.equal((await server.stop()).code, 0);
  });
});
