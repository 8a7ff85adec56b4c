import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import type { PaceEvent } from '../src/transport/client-options.ts';
import { RateWindows } from '../src/transport/pacer.ts';
import { startSdkService } from './sdk-service.ts';

/** A limit of the service: a fixed window from its first request. */
class ServerLimit {
  refused = 0;
  readonly #limit: number;
  #used = 0;
  #resetAt = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Counts a request that arrives now; `Date` is truncated and the reset is rounded up, as the service does. */
  answer(now: number): { status: number; headers: Headers } {
    if (now >= this.#resetAt) {
      this.#used = 0;
      this.#resetAt = now + 60_000;
    }
    this.#used += 1;
    const isRefused = this.#used > this.#limit;
    if (isRefused) this.refused += 1;
    const headers = new Headers({
      date: new Date(Math.floor(now / 1000) * 1000).toUTCString(),
      'x-ratelimit-limit': String(this.#limit),
      'x-ratelimit-remaining': String(Math.max(0, this.#limit - this.#used)),
      'x-ratelimit-reset': String(Math.ceil(this.#resetAt / 1000)),
    });
    if (isRefused) headers.set('retry-after', String(Math.ceil((this.#resetAt - now) / 1000)));
    return { status: isRefused ? 429 : 200, headers };
  }
}

interface Event {
  readonly at: number;
  readonly happen: () => void;
}

/** Sends requests through the windows in virtual time, and returns the time that they took. */
function simulate(server: ServerLimit, requests: number, delayOf: () => number, concurrency = 16): number {
  const windows = new RateWindows();
  const events: Event[] = [];
  // A clock like `performance.now()`, next to the server's in milliseconds since the epoch.
  const epoch = 1_790_000_000_123;
  let [now, left, inFlight, done] = [5_000, requests, 0, 0];
  let nextPump: number | null = null;
  const schedule = (at: number, happen: () => void) => void events.push({ at, happen });
  const pump = () => {
    nextPump = null;
    while (left > 0 && inFlight < concurrency) {
      const at = windows.sendableAt(now);
      if (at === null) return;
      if (at > now) {
        if (nextPump === null) schedule(at, pump);
        nextPump = at;
        return;
      }
      left -= 1;
      inFlight += 1;
      windows.sent(now);
      const [there, back] = [delayOf(), delayOf()];
      schedule(now + there, () => {
        const response = server.answer(epoch + now);
        schedule(now + back, () => {
          inFlight -= 1;
          done += 1;
          windows.answered(response, now);
          pump();
        });
      });
    }
  };
  pump();
  while (events.length > 0) {
    events.sort((a, b) => a.at - b.at);
    const event = events.shift() as Event;
    now = Math.max(now, event.at);
    event.happen();
  }
  assert.equal(done, requests);
  return now - 5_000;
}

describe('pacing', () => {
  it('sends 1,000 writes at 60 a minute without a single 429, hardly slower than the limit', () => {
    const server = new ServerLimit(60);
    const tookMs = simulate(server, 1_000, () => 20);
    assert.equal(server.refused, 0);
    // 16 full windows, and each may begin up to 2 s late: the headers have seconds.
    assert.ok(tookMs < 17 * 62_500, `${tookMs} ms`);
  });

  it('meets no 429 with any limit, latency and number of parallel calls', () => {
    const delays = fc.array(fc.integer({ min: 0, max: 3_000 }), { minLength: 7, maxLength: 7 });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 80 }),
        delays,
        fc.integer({ min: 1, max: 40 }),
        (limit, ms, parallel) => {
          let next = 0;
          const server = new ServerLimit(limit);
          simulate(server, 3 * limit + 5, () => ms[next++ % ms.length] ?? 0, parallel);
          assert.equal(server.refused, 0);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('sends without delay where the service has no limits', () => {
    const windows = new RateWindows();
    windows.sent(0);
    assert.equal(windows.sendableAt(0), null);
    windows.answered({ status: 200, headers: new Headers() }, 5);
    for (let sent = 0; sent < 100; sent += 1) {
      assert.equal(windows.sendableAt(5), 5);
      windows.sent(5);
    }
  });
});

describe('calls of one client', () => {
  it('share the limits of the service, and wait in order instead of being refused', async () => {
    const { apps, newBrand } = await startSdkService({ limits: { catalog_key_reads: 5 } });
    after(() => apps.clientApp.close());
    const statuses: (number | null)[] = [];
    const pauses: PaceEvent[] = [];
    const { brandport } = await newBrand({
      hooks: {
        onResponse: ({ status }) => void statuses.push(status),
        onPace: (event) => void pauses.push(event),
      },
    });
    const controller = new AbortController();
    const calls = Array.from({ length: 12 }, () =>
      brandport.catalog.status({ signal: controller.signal }).then(
        () => 'done',
        () => 'waiting',
      ),
    );
    await Promise.all(calls.slice(0, 5));
    // The sixth would have to wait for the next minute.
    controller.abort();
    const outcomes = await Promise.all(calls);
    assert.deepEqual(outcomes, [...Array(5).fill('done'), ...Array(7).fill('waiting')]);
    assert.deepEqual(statuses, [200, 200, 200, 200, 200]);
    assert.deepEqual([...new Set(pauses.map(({ queue }) => queue))], ['catalog read']);
    for (const { waitMs } of pauses) assert.ok(waitMs > 0 && waitMs <= 62_000, String(waitMs));
  });
});
