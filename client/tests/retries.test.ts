// processes: waits between attempts
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import {
  Brandport,
  type BrandportOptions,
  ConnectionFailed,
  DeadlineExceeded,
  isBrandportError,
  RateLimited,
} from '../src/index.ts';
import { type Fault, startFaultProxy } from './fault-proxy.ts';
import { startSdkService } from './sdk-service.ts';

const { apps, clientUrl, newBrand } = await startSdkService();
after(() => apps.clientApp.close());
const { apiKey } = await newBrand();

/** A client whose every request meets the fault. */
async function faulty(fault: Fault | null, options: Partial<BrandportOptions> = {}) {
  const proxy = await startFaultProxy(clientUrl, () => fault);
  return { proxy, brandport: new Brandport({ baseUrl: proxy.url, apiKey, ...options }) };
}

describe('retries', () => {
  it('end after maxRetries, with the last error and its number of attempts', async () => {
    const { brandport, proxy } = await faulty({ status: 429, retryAfter: '0' }, { maxRetries: 2 });
    await assert.rejects(brandport.catalog.products.create({ sku: 'A' }), (error) => {
      // The proxy does not send the envelope of the service.
      assert.ok(isBrandportError(error, 'unexpected_response'));
      assert.deepEqual([error.status, error.attempts, error.retryable], [429, 3, true]);
      assert.equal(error.idempotencyKey, proxy.seen[0]?.headers['idempotency-key']);
      return true;
    });
    assert.equal(proxy.seen.length, 3);
  });

  it('are none with maxRetries 0, and the key is sent with the first attempt', async () => {
    const { brandport, proxy } = await faulty('drop the response', { maxRetries: 0 });
    const call = brandport.catalog.products.create({ sku: 'B' }, { idempotencyKey: 'b-1' });
    await assert.rejects(call, (error) => {
      assert.ok(isBrandportError(error, 'connection_failed'));
      return error instanceof ConnectionFailed && error.attempts === 1 && error.idempotencyKey === 'b-1';
    });
    assert.deepEqual(
      proxy.seen.map(({ headers }) => headers['idempotency-key']),
      ['b-1'],
    );
    // The caller continues after the failure with the same key: the recorded response comes back.
    const { response } = await (await faulty(null)).brandport.catalog.products
      .create({ sku: 'B' }, { idempotencyKey: 'b-1' })
      .withResponse();
    assert.equal(response.headers.get('idempotency-replayed'), 'true');
  });

  it('never follow a refusal that would repeat', async () => {
    const { brandport, proxy } = await faulty(null);
    await brandport.catalog.products.create({ sku: 'C' }, { idempotencyKey: 'c' });
    const reuse = brandport.catalog.products.create({ sku: 'D' }, { idempotencyKey: 'c' });
    await assert.rejects(reuse, (error) => isBrandportError(error, 'idempotency_key_reuse'));
    const duplicate = brandport.catalog.products.create({ sku: 'C' });
    await assert.rejects(duplicate, (error) => {
      assert.ok(isBrandportError(error, 'duplicate_sku'));
      return error.conflict?.kind === 'product' && !error.retryable && error.requestId !== null;
    });
    assert.equal(proxy.seen.length, 3);
  });

  it('wait at least as long as Retry-After asks', async () => {
    const proxy = await startFaultProxy(clientUrl, (request) =>
      request === 1 ? { status: 503, retryAfter: '1' } : null,
    );
    const waits: number[] = [];
    const hooks = { onRetry: ({ waitMs }: { waitMs: number }) => void waits.push(waitMs) };
    const startedAt = performance.now();
    await new Brandport({ baseUrl: proxy.url, apiKey, hooks }).catalog.status();
    assert.ok(performance.now() - startedAt >= 1_000);
    assert.ok(waits.length === 1 && (waits[0] ?? 0) >= 1_000 && (waits[0] ?? 0) <= 1_200, String(waits));
  });

  it('end at the deadline, and at once if the next wait would pass it', async () => {
    const { brandport, proxy } = await faulty({ status: 503, retryAfter: '60' });
    const startedAt = performance.now();
    const call = brandport.catalog.status({ deadlineMs: 20_000 });
    await assert.rejects(call, (error) => {
      assert.ok(error instanceof DeadlineExceeded && isBrandportError(error.cause, 'unexpected_response'));
      return error.attempts === 1;
    });
    assert.ok(performance.now() - startedAt < 15_000);
    assert.equal(proxy.seen.length, 1);
    const stalled = (await faulty('stall before sending')).brandport;
    await assert.rejects(stalled.catalog.status({ deadlineMs: 300 }), (error) =>
      isBrandportError(error, 'deadline_exceeded'),
    );
  });

  it('end with the caller’s signal, with its reason', async () => {
    const reason = new Error('enough');
    for (const fault of ['stall before sending', { status: 503, retryAfter: '60' }] as const) {
      const { brandport, proxy } = await faulty(fault);
      const controller = new AbortController();
      const call = brandport.catalog.status({ signal: controller.signal });
      const failed = assert.rejects(call, reason);
      while (proxy.seen.length === 0) await new Promise((resolve) => setImmediate(resolve));
      controller.abort(reason);
      await failed;
    }
    await assert.rejects(
      (await faulty(null)).brandport.catalog.status({ signal: AbortSignal.abort(reason) }),
      reason,
    );
  });

  it('report the limit of the service with the time to wait', async () => {
    const limited = await startSdkService({ limits: { catalog_key_reads: 1 } });
    try {
      const { brandport } = await limited.newBrand({ maxRetries: 0, pace: false });
      await brandport.catalog.status();
      await assert.rejects(brandport.catalog.status().withResponse(), (error) => {
        assert.ok(error instanceof RateLimited && error.code === 'rate_limited');
        assert.ok(error.message.endsWith(` Retry after ${error.retryAfterSeconds} s.`), error.message);
        return error.retryAfterSeconds >= 1 && error.retryAfterSeconds <= 60;
      });
    } finally {
      await limited.apps.clientApp.close();
    }
  });

  it('do not repeat a connection that nobody accepts beyond maxRetries', async () => {
    const brandport = new Brandport({ baseUrl: 'http://127.0.0.1:1', apiKey, maxRetries: 1 });
    await assert.rejects(brandport.catalog.status(), (error) => {
      assert.ok(isBrandportError(error, 'connection_failed'));
      return error.attempts === 2;
    });
  });
});
