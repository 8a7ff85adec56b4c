import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { daysObserved } from '../src/pages/keys/usage-sums.ts';

describe('the days after which a scope of a key counts as unused', () => {
  const now = Date.parse('2026-06-30T12:00:00Z');
  for (const [createdAt, days] of [
    ['2026-06-30T11:54:00Z', null],
    ['2026-05-31T12:00:01Z', null],
    ['2026-05-31T12:00:00Z', 30],
    ['2026-04-01T12:00:00Z', 90],
    ['2020-01-01T00:00:00Z', 90],
  ] as const)
    it(`are ${days ?? 'too few'} for a key of ${createdAt}`, () =>
      assert.equal(daysObserved(createdAt, now), days));
});
