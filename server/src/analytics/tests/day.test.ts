import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addDays, countDays, dayOf, daysOf, toRanges, yesterdayOf } from '../day.ts';

describe('days', () => {
  it('are UTC days', () => {
    assert.equal(dayOf(new Date('2026-03-01T00:00:00+14:00')), '2026-02-28');
    assert.equal(dayOf(new Date('2026-02-28T23:59:59.999-12:00')), '2026-03-01');
    assert.equal(yesterdayOf(Date.parse('2026-03-01T00:00:00Z')), '2026-02-28');
    assert.equal(yesterdayOf(Date.parse('2026-02-28T23:59:59.999Z')), '2026-02-27');
  });

  it('are counted and added across months, leap days and early years', () => {
    assert.equal(addDays('2024-02-28', 2), '2024-03-01');
    assert.equal(addDays('2026-01-01', -1), '2025-12-31');
    assert.equal(addDays('0099-12-31', 1), '0100-01-01');
    assert.equal(countDays({ from: '2024-01-01', to: '2024-12-31' }), 366);
    assert.equal(countDays({ from: '2024-01-02', to: '2024-01-01' }), 0);
  });

  it('are listed in ascending order', () => {
    assert.deepEqual(daysOf({ from: '2024-02-28', to: '2024-03-01' }), [
      '2024-02-28',
      '2024-02-29',
      '2024-03-01',
    ]);
    assert.deepEqual(daysOf({ from: '2024-01-02', to: '2024-01-01' }), []);
  });

  it('are combined into ranges', () => {
    assert.deepEqual(toRanges([]), []);
    assert.deepEqual(toRanges(['2026-01-02', '2025-12-31', '2026-01-01', '2026-01-04', '2026-01-02']), [
      { from: '2025-12-31', to: '2026-01-02' },
      { from: '2026-01-04', to: '2026-01-04' },
    ]);
  });
});
