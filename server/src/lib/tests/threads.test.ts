import assert from 'node:assert/strict';
import process from 'node:process';
import { afterEach, describe, it } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { ThreadMemoryError, Threads, ThreadsClosedError } from '../threads.ts';

/** A module that runs `code`; `post` and `data` are in scope. */
const moduleOf = (code: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(
      `import { parentPort, workerData as data } from 'node:worker_threads'; const post = (value) => parentPort.postMessage(value); ${code}`,
    )}`,
  );
const run = (threads: Threads, code: string, data: unknown = null) =>
  threads.run<unknown>('a', { module: moduleOf(code), data, transfer: [] });

const alive = new Set<Worker>();
let mostAlive = 0;
process.on('worker', (worker) => {
  alive.add(worker);
  mostAlive = Math.max(mostAlive, alive.size);
  worker.once('exit', () => alive.delete(worker));
});
afterEach(() => {
  mostAlive = 0;
});

describe('threads', () => {
  it('run one at a time, in order, and return their message', async () => {
    const threads = new Threads();
    const results = await Promise.all([1, 2, 3].map((value) => run(threads, 'post(data * 2)', value)));
    assert.deepEqual(results, [2, 4, 6]);
    assert.equal(mostAlive, 1);
    assert.equal(alive.size, 0);
  });

  it('that fail, end without a message or need too much memory reject, and the next one runs', async () => {
    const threads = new Threads({ maxOldGenerationSizeMb: 24, maxYoungGenerationSizeMb: 8 });
    await assert.rejects(run(threads, 'throw new Error("broken")'), { message: 'broken' });
    await assert.rejects(run(threads, ''), { message: 'the thread ended without a message' });
    const hungry = 'const all = []; for (;;) all.push({ text: String(all.length) });';
    await assert.rejects(run(threads, hungry), ThreadMemoryError);
    assert.equal(await run(threads, 'post("fine")'), 'fine');
  });

  it('are terminated when they are closed, in any state, and those that wait do not start', async () => {
    const threads = new Threads();
    const online = new Promise((resolve) =>
      process.once('worker', (worker) => worker.once('online', resolve)),
    );
    const running = assert.rejects(run(threads, 'for (;;);'), ThreadsClosedError);
    const waiting = assert.rejects(run(threads, 'post(1)'), ThreadsClosedError);
    await online;
    await threads.close();
    assert.equal(alive.size, 0);
    await Promise.all([running, waiting]);
    await assert.rejects(run(threads, 'post(1)'), ThreadsClosedError);
    assert.equal(mostAlive, 1);
  });
});
