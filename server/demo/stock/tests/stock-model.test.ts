import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FeedLine, totalsOf } from '../feed.ts';
import { StockModel } from '../stock-model.ts';

const line = (sku: string, quantity: number, minute?: number): FeedLine => ({
  sku,
  location_code: 'L',
  quantity,
  ...(minute !== undefined && { updated_at: new Date(minute * 60_000).toISOString() }),
});

test('of several lines with one SKU the newest applies, and the last one if times are equal', () => {
  const model = new StockModel(new Set(['A', 'B']));
  const lines = [line('A', 1, 5), line('A', 2, 9), line('A', 3, 7), line('B', 4, 5), line('B', 5, 5)];
  assert.deepEqual(model.apply('one', lines), [
    'superseded',
    'applied',
    'superseded',
    'superseded',
    'applied',
  ]);
  assert.deepEqual(model.levels.get('A'), { quantity: 2, updatedAt: 9 * 60_000 });
  assert.equal(model.levels.get('B')?.quantity, 5);
});

test('an older quantity than the level’s is stale, and an equal one changes only the time', () => {
  const model = new StockModel(new Set(['A']));
  assert.deepEqual(model.apply('one', [line('A', 5, 10)]), ['applied']);
  assert.deepEqual(model.apply('two', [line('A', 9, 9)]), ['stale']);
  assert.deepEqual(model.apply('three', [line('A', 5, 12)]), ['unchanged']);
  assert.deepEqual(model.apply('four', [line('A', 7, 11)]), ['stale']);
  assert.deepEqual(model.apply('five', [line('A', 8, 12)]), ['applied']);
  assert.deepEqual(model.movements.get('A'), [
    { before: 0, after: 5, batchId: 'one' },
    { before: 5, after: 8, batchId: 'five' },
  ]);
});

test('a level of 0 is created without a movement, and unknown SKUs have no level', () => {
  const model = new StockModel(new Set(['A']));
  const results = model.apply('one', [line('A', 0), line('X', 1), line('X', 2)]);
  assert.deepEqual(results, ['applied', 'superseded', 'unknown_sku']);
  assert.deepEqual([...model.levels], [['A', { quantity: 0, updatedAt: Number.POSITIVE_INFINITY }]]);
  assert.equal(model.movements.size, 0);
  assert.deepEqual(totalsOf(results), { received: 3, applied: 1, superseded: 1, unknown_sku: 1 });
});
