// processes: sends each write through each fault of a proxy, and waits for timeouts
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { clientOperations } from '../src/generated/wire.ts';
import { Brandport } from '../src/index.ts';
import { type Fault, startFaultProxy } from './fault-proxy.ts';
import { startSdkService } from './sdk-service.ts';
import { type WriteCase, writeCases } from './write-cases.ts';

const { apps, clientUrl, newBrand } = await startSdkService();
after(() => apps.clientApp.close());

/** A new brand for a write, and what the write needs in it. */
interface Prepared {
  readonly name: string;
  readonly writeCase: WriteCase;
  readonly brandport: Brandport;
  readonly apiKey: string;
  readonly id: string;
}

const faults: Readonly<Record<string, Fault>> = {
  'the connection is closed before it arrives': 'drop before sending',
  'the connection is closed after it was committed': 'drop the response',
  'the response is cut in the middle of its body': 'cut the body',
  'the response never comes': 'stall after the effect',
  'it stalls on its way': 'stall before sending',
  'it is answered 429 on its way': { status: 429, retryAfter: '0' },
  'it is answered 503 on its way': { status: 503, retryAfter: '0' },
  'it is answered 502 after it was committed': { statusAfterEffect: 502 },
};

describe('a write happens exactly once', { concurrency: 4 }, () => {
  it('in every method that writes', () => {
    const writes = Object.entries(clientOperations).filter(([, line]) => !line.startsWith('GET '));
    // Feeds have their own test.
    const names = writes.map(([id]) => id).filter((id) => id !== 'submitStockFeed');
    assert.deepEqual(names.sort(), Object.keys(writeCases).sort());
  });

  for (const [what, fault] of Object.entries(faults))
    it(`when ${what}`, async () => {
      const isStall = fault === 'stall after the effect' || fault === 'stall before sending';
      const prepared: Prepared[] = [];
      // One at a time: hundreds of brands at once wait too long for a connection on a slow disk.
      for (const [name, writeCase] of Object.entries(writeCases)) {
        const { brandport, apiKey } = await newBrand();
        prepared.push({ name, writeCase, brandport, apiKey, id: await writeCase.prepare(brandport) });
      }
      const outcomes = await Promise.allSettled(
        prepared.map(async ({ name, writeCase: { write, assertOneEffect }, brandport, apiKey, id }) => {
          // The first attempt fails, and the first retry if that costs no time.
          const failures = isStall ? 1 : 2;
          const proxy = await startFaultProxy(clientUrl, (request) => (request <= failures ? fault : null));
          const faulty = new Brandport({
            baseUrl: proxy.url,
            apiKey,
            ...(isStall && { timeoutMs: 2_000 }),
          });
          await write(faulty, id);
          assert.ok(proxy.seen.length > failures, `${name}: ${proxy.seen.length} requests`);
          const keys = new Set(proxy.seen.map(({ headers }) => headers['idempotency-key']));
          assert.equal(keys.size, 1, `${name}: the key changed`);
          const takesKey = clientOperations[name as keyof typeof clientOperations].endsWith(' key');
          assert.equal(keys.has(undefined), !takesKey, name);
          await assertOneEffect(brandport, id);
        }),
      );
      // Not `Promise.all`: a proxy that starts after its test has failed is never closed.
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
    });
});
