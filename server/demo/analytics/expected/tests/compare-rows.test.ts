import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RowComparison, RowOrder } from '../compare-rows.ts';
import type { Row } from '../served-rows.ts';

type Figures = Row & Readonly<Record<string, unknown>>;
const contentRow = (date: string, tuId: string | null, views: number): Figures => ({
  date,
  content: tuId === null ? null : { tu_id: tuId, type: 'episode' },
  metrics: { views },
});
const userRow = (date: string, user: string): Figures => ({ date, user: { tu_id: user } });

function comparisonWith(...rows: Figures[]): RowComparison {
  return new RowComparison(rows.map((row) => ({ row })));
}

test('orphaned references of one day are matched by their values, in any order', () => {
  const comparison = comparisonWith(contentRow('2020-03-01', null, 1), contentRow('2020-03-01', null, 2));
  assert.deepEqual(comparison.differencesOf(contentRow('2020-03-01', null, 2)), []);
  assert.deepEqual(comparison.differencesOf(contentRow('2020-03-01', null, 3)), [
    '2020-03-01 orphaned: metrics.views is 3, not 1',
  ]);
  assert.deepEqual(comparison.missing(), []);
});

test('a missing field, a surplus one and null instead of 0 are differences', () => {
  const comparison = comparisonWith(contentRow('2020-03-01', 'a', 0));
  const served = { ...contentRow('2020-03-01', 'a', 0), metrics: { views: null, extra: 1 } };
  assert.deepEqual(comparison.differencesOf(served), [
    '2020-03-01 episode/a: metrics.views is null, not 0',
    '2020-03-01 episode/a: metrics.extra is 1, not served',
  ]);
  const other = comparisonWith(contentRow('2020-03-01', 'a', 0));
  assert.deepEqual(other.differencesOf({ ...served, metrics: {} } as Row), [
    '2020-03-01 episode/a: metrics.views is absent, not 0',
    '2020-03-01 episode/a: metrics is {}, not served',
  ]);
});

test('a repeated row and a missing one are differences', () => {
  const comparison = comparisonWith(userRow('2020-03-01', 'anna'), userRow('2020-03-02', 'anna'));
  comparison.differencesOf(userRow('2020-03-01', 'anna'));
  assert.deepEqual(comparison.differencesOf(userRow('2020-03-01', 'anna')), [
    '2020-03-01 anna: served twice, or nothing happened',
  ]);
  assert.deepEqual(comparison.missing(), ['2020-03-02 anna: not served']);
});

test('rows of a learner have to be consecutive, with ascending days', () => {
  const faults = (...rows: Row[]) => {
    const order = new RowOrder('users');
    return rows.map((row) => order.faultOf(row)).filter((fault) => fault !== null);
  };
  assert.deepEqual(
    faults(userRow('2020-03-01', 'b'), userRow('2020-03-02', 'b'), userRow('2020-03-01', 'a')),
    [],
  );
  assert.deepEqual(faults(userRow('2020-03-02', 'b'), userRow('2020-03-01', 'b')), [
    'b 2020-03-01: its days do not ascend',
  ]);
  assert.deepEqual(
    faults(userRow('2020-03-01', 'b'), userRow('2020-03-01', 'a'), userRow('2020-03-02', 'b')),
    ['b 2020-03-02: its rows do not come together'],
  );
});

test('days of the brand have to ascend, and orphaned references are skipped', () => {
  const daily = new RowOrder('daily');
  assert.equal(daily.faultOf({ date: '2020-03-02' }), null);
  assert.match(daily.faultOf({ date: '2020-03-01' }) ?? '', /do not ascend/);
  const contents = new RowOrder('contents');
  const dates = ['2020-03-02', '2020-03-01'];
  assert.deepEqual(
    dates.map((date) => contents.faultOf(contentRow(date, null, 1))),
    [null, null],
  );
});
