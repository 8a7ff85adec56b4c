import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createTestDatabase } from '../../../test/support/test-database.ts';
import { columnsOf, type SharedRead, SharedReads, sharedReadSize } from '../shared-reads.ts';
import { type Statement, statement } from '../statement.ts';

const { database, sql } = await createTestDatabase();
await sql('create table numbers (key integer primary key)');
await sql('insert into numbers select n from generate_series(0, 99) as n');

interface Row {
  readonly share: number;
}

/** Returns a hundred divided by the key: the key 0 fails, keys from 100 on have no row. */
const share: SharedRead<readonly [number], Row> = {
  name: 'share',
  nameOf: String,
  one: (key) =>
    statement('read_share', 'select 100 / key as share from numbers where key = $1::integer', [...key]),
  several: (keys) =>
    statement(
      'read_shares',
      `select asked.n::integer as n, 100 / numbers.key as share
       from unnest($1::integer[]) with ordinality as asked (key, n) join numbers on numbers.key = asked.key`,
      columnsOf(keys),
    ),
};

/** Returns the reads of a process, and the statements that they send. */
function counted() {
  const sent: string[] = [];
  /** The number of keys of each statement. */
  const sizes: number[] = [];
  const reads = new SharedReads(<Row>(each: Statement<Row>) => {
    sent.push(each.name);
    sizes.push([each.values[0]].flat().filter((key) => key !== null).length);
    return database.run(each);
  });
  return { sent, sizes, find: async (key: number) => (await reads.find(share, [key]))?.share };
}

describe('reads of one turn of the event loop', () => {
  it('share a statement; each receives the row of its key, or none', async () => {
    const { sent, find } = counted();
    const keys = [5, 50, 100, 5, 1, 2_000];
    assert.deepEqual(await Promise.all(keys.map(find)), [20, 2, undefined, 20, 100, undefined]);
    assert.deepEqual(sent, ['read_shares']);
  });

  it('read equal keys once, also those that wait for their turn, and send nothing twice', async () => {
    const { sizes, find } = counted();
    assert.deepEqual(await Promise.all([5, 5, 50, 5].map(find)), [20, 20, 2, 20]);
    assert.deepEqual(sizes, [2]);
    assert.equal(await find(5), 20);
    assert.deepEqual(sizes, [2, 1]);
  });

  it('use the statement for one key when they are alone, and never wait for others', async () => {
    const { sent, find } = counted();
    const first = find(5);
    await nextTurn();
    assert.deepEqual(sent, ['read_share']);
    assert.equal(await find(50), 2);
    assert.equal(await first, 20);
    assert.deepEqual(sent, ['read_share', 'read_share']);
  });

  it(`send half of those that wait in one statement, from 8 to ${sharedReadSize} [D213]`, async () => {
    for (const [count, expected] of [
      [8, [8]],
      [9, [8, 1]],
      [20, [10, 8, 2]],
      [32, [16, 8, 8]],
      [70, [16, 16, 16, 11, 8, 3]],
    ] as const) {
      const { sizes, find } = counted();
      const keys = Array.from({ length: count }, (_, n) => n + 1);
      const rows = await Promise.all(keys.map(find));
      assert.deepEqual(
        rows,
        keys.map((key) => Math.floor(100 / key)),
      );
      assert.deepEqual(sizes, expected);
    }
  });

  it('wait while two statements are under way, and then share the next one [D174]', async () => {
    const sent: { readonly name: string; answer(): void }[] = [];
    const reads = new SharedReads(async <Row>(each: Statement<Row>) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      sent.push({ name: each.name, answer: resolve });
      await promise;
      return database.run(each);
    });
    const find = async (key: number) => (await reads.find(share, [key]))?.share;
    const names = () => sent.map(({ name }) => name);
    const first = find(5);
    await nextTurn();
    const second = [find(10), find(20)];
    await nextTurn();
    const third = [find(25)];
    await nextTurn();
    third.push(find(50), find(100));
    await nextTurn();
    assert.deepEqual(names(), ['read_share', 'read_shares']);
    sent[0]?.answer();
    assert.equal(await first, 20);
    await nextTurn();
    await nextTurn();
    assert.deepEqual(names(), ['read_share', 'read_shares', 'read_shares']);
    for (const { answer } of sent) answer();
    assert.deepEqual(await Promise.all([...second, ...third]), [10, 5, 4, 2, undefined]);
  });

  it('do not wait for the limit of a lost connection again [D174]', async () => {
    let fail: (error: unknown) => void = () => {};
    let statements = 0;
    const reads = new SharedReads(() => {
      statements += 1;
      return new Promise((_, reject) => {
        fail = reject;
      });
    });
    const all = [];
    for (let turn = 0; turn < 4; turn += 1) {
      all.push(reads.find(share, [turn]));
      await nextTurn();
    }
    assert.equal(statements, 2);
    fail(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));
    const settled = await Promise.allSettled(all.slice(1));
    assert.ok(settled.every(({ status }) => status === 'rejected'));
    assert.equal(statements, 2);
  });

  it('do not share the error of one key', async () => {
    const { find } = counted();
    const settled = await Promise.allSettled([5, 0, 50, 100].map(find));
    assert.deepEqual(
      settled.map((each) =>
        each.status === 'fulfilled' ? each.value : /division by zero/.test(each.reason),
      ),
      [20, true, 2, undefined],
    );
  });

  it('share the loss of the connection', async () => {
    const reads = new SharedReads(async () => {
      throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    });
    const settled = await Promise.allSettled([1, 2, 3].map((key) => reads.find(share, [key])));
    assert.ok(settled.every(({ status }) => status === 'rejected'));
  });

  it('see what was committed before their request, though an earlier statement is under way', async () => {
    const { find } = counted();
    for (let round = 1; round <= 20; round += 1) {
      const earlier = [find(7), find(8)];
      await sql(`update numbers set key = key + 1000 where key = ${80 + round - 1}`);
      const [moved] = await Promise.all([find(80 + round - 1), find(7), ...earlier]);
      assert.equal(moved, undefined);
    }
  });
});
