// processes: waits for reads that take long
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitFor } from '../../../test/support/wait-for.ts';
import { readConnectionOptions } from '../connection-options.ts';
import { isAnswerTimeout } from '../database-errors.ts';
import { isLong } from '../pipelined-connection.ts';
import { ShortReads } from '../short-reads.ts';
import { statement } from '../statement.ts';
import { newHeldTable } from './held-table.ts';

const { address, database, beforeClose, whileHeld } = await newHeldTable();

const pid = (options = {}) =>
  statement<{ pid: number }>('read_pid', 'select pg_backend_pid() as pid', [], options);
const sleepFor = (name: string, seconds: number, options = {}) =>
  statement<{ pid: number }>(
    `sleep_${name}`,
    `select pg_backend_pid() as pid, pg_sleep($1) is null as slept`,
    [seconds],
    options,
  );
const readHeld = statement<{ n: number }>('read_held', 'select count(*)::integer as n from held');

function openReads(options: { limitMs?: number; movesLong?: boolean } = {}): ShortReads {
  const config = readConnectionOptions(address, 'brandport-test');
  const reads = new ShortReads({ config, limitMs: 5_000, movesLong: true, ...options });
  beforeClose(() => reads.close());
  return reads;
}

/** Continues a server process. It may have ended, with its connection. */
function wake(backend: number): void {
  try {
    process.kill(backend, 'SIGCONT');
  } catch {}
}

const pidOf = async (rows: Promise<{ pid: number }[]>) => (await rows)[0]?.pid;

describe('a short read that takes long', () => {
  // [platform-76]
  it('holds up those behind it no longer than it takes to notice', async () => {
    await whileHeld(async () => {
      const held = database.forBrand(1).run(readHeld);
      const others = await Promise.all([2, 3, 4].map((brand) => pidOf(database.forBrand(brand).run(pid()))));
      assert.equal(new Set(others).size, 1, 'they are pipelined on another connection');
      assert.equal(await Promise.race([held, sleep(0, 'waits')]), 'waits');
    });
  });

  it('makes later ones of its owner and statement long ones, and nobody else’s', async () => {
    const [noisy, other] = [database.forBrand(11), database.forBrand(12)];
    await noisy.run(sleepFor('noisy', 0.15));
    const shared = await pidOf(noisy.run(pid()));
    assert.equal(await pidOf(other.run(sleepFor('noisy', 0))), shared);
    assert.notEqual(await pidOf(noisy.run(sleepFor('noisy', 0))), shared);
    assert.equal(await pidOf(noisy.run(pid())), shared);
  });

  it('is answered by the connection that it holds up, which is used again if nothing replaced it', async () => {
    const reads = openReads();
    const rows = (await reads.run(sleepFor('alone', 0.15), 1)) as { pid: number }[];
    const [next] = (await reads.run(pid(), 1)) as { pid: number }[];
    assert.equal(next?.pid, rows[0]?.pid);
  });

  it('fails alone when its time is over', async () => {
    const reads = openReads({ limitMs: 400 });
    await reads.run(pid(), 1);
    const slow = reads.run(sleepFor('late', 2), 1);
    const behind = Array.from({ length: 20 }, (_, owner) => reads.run(pid(), owner));
    await assert.rejects(slow, (error) => isAnswerTimeout(error));
    for (const rows of await Promise.all(behind)) assert.notEqual(rows, isLong);
  });

  it('is one of a few: beyond that, reads are given back as long ones, until one of them ends', async () => {
    const reads = openReads();
    const slow: Promise<unknown>[] = [];
    for (let n = 0; n < 3; n += 1) {
      slow.push(reads.run(sleepFor(`crowd_${n}`, 1), n));
      // Behind it; it shows that the slow one was noticed.
      await reads.run(pid(), n);
      slow.push(reads.run(sleepFor(`again_${n}`, 1), n));
    }
    await waitFor('all connections to be held up', async () => (await reads.run(pid(), 9)) === isLong);
    await Promise.all(slow);
    assert.notEqual(await reads.run(pid(), 9), isLong);
  });

  it('does not become a long one because this process was busy', async () => {
    const reads = openReads();
    await reads.run(pid(), 1);
    const read = reads.run(pid(), 1);
    await sleep(2);
    const start = performance.now();
    while (performance.now() - start < 150);
    await read;
    await sleep(5);
    assert.notEqual(await reads.run(pid(), 1), isLong);
  });
});

describe('reads that every request begins with', () => {
  it('have a separate connection, and are never given back', async () => {
    const shared = await pidOf(database.run(pid()));
    const own = await pidOf(database.run(pid({ vital: true })));
    assert.notEqual(own, shared);
    const reads = openReads({ movesLong: false });
    const slow = Array.from({ length: 8 }, (_, n) => reads.run(sleepFor('vital', 0.1), n));
    for (const rows of await Promise.all(slow)) assert.notEqual(rows, isLong);
  });
});

describe('reads of a database that freezes', () => {
  it('end within their limit, and work again when it returns', async () => {
    const reads = openReads({ limitMs: 600 });
    const [first] = (await reads.run(pid(), 1)) as { pid: number }[];
    const backend = first?.pid as number;
    process.kill(backend, 'SIGSTOP');
    after(() => wake(backend));
    const frozen = await Promise.allSettled([reads.run(pid(), 1), reads.run(pid(), 2)]);
    // The other one moved to a connection whose server process works.
    assert.deepEqual(
      frozen.map(({ status }) => status),
      ['rejected', 'fulfilled'],
    );
    wake(backend);
    assert.notEqual(await reads.run(pid(), 3), isLong);
  });
});
