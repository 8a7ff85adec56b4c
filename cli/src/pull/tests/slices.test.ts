import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { daysBetween } from '../plan.ts';
import { SliceQueue } from '../read.ts';

const table = { capDays: 92, perPage: 500 };
const planned = (from: string, to: string) => daysBetween(from, to).map((date) => ({ date, revision: 1 }));

/** Takes all slices, with as many rows on each day. */
function lengthsOf(queue: SliceQueue, rowsPerDay: number): number[] {
  const lengths: number[] = [];
  for (let slice = queue.next(); slice !== null; slice = queue.next()) {
    lengths.push(slice.length);
    queue.learn(slice, slice.length * rowsPerDay);
  }
  return lengths;
}

describe('slices of days', () => {
  // [D152]
  it('grow to the cap on quiet days, and stay at a day on busy ones', () => {
    const year = planned('2025-01-01', '2025-12-31');
    assert.deepEqual(lengthsOf(new SliceQueue(year, table), 3), [1, 4, 16, 64, 92, 92, 92, 4]);
    assert.deepEqual(
      lengthsOf(new SliceQueue(year, table), 100_000),
      year.map(() => 1),
    );
    assert.deepEqual(lengthsOf(new SliceQueue(year, table), 2_500).slice(0, 5), [1, 4, 10, 10, 10]);
  });

  it('of busy days have no gaps, and every day once', () => {
    const days = [...planned('2025-01-01', '2025-01-09'), ...planned('2025-01-11', '2025-02-20')];
    const queue = new SliceQueue(days, table);
    const taken: string[][] = [];
    for (let slice = queue.next(); slice !== null; slice = queue.next()) {
      taken.push(slice.map(({ date }) => date));
      queue.learn(slice, slice.length * 1_000);
    }
    assert.deepEqual(
      taken.flat(),
      days.map(({ date }) => date),
    );
    for (const each of taken) assert.deepEqual(each, daysBetween(each[0] ?? '', each.at(-1) ?? ''));
  });

  it('span gaps whose rows fit into a page, which costs less than another request', () => {
    const days = planned('2025-01-01', '2025-06-30').filter((_, index) => index % 7 === 0);
    assert.deepEqual(lengthsOf(new SliceQueue(days, table), 3), [1, 1, 3, 10, 11]);
    assert.deepEqual(
      lengthsOf(new SliceQueue(days, table), 100_000),
      days.map(() => 1),
    );
  });

  it('are read in halves after they were put back', () => {
    const queue = new SliceQueue(planned('2025-01-01', '2025-01-30'), table);
    queue.learn(queue.next() ?? [], 1);
    const slice = queue.next() ?? [];
    assert.equal(slice.length, 4);
    queue.putBack(slice);
    assert.deepEqual(
      queue.next()?.map(({ date }) => date),
      ['2025-01-02', '2025-01-03'],
    );
  });
});
