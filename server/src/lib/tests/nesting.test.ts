import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isNestedDeeperThan } from '../parse-json.ts';

it('counts objects and arrays that lie within each other, and stops at the limit', () => {
  assert.equal(isNestedDeeperThan('text', 0), false);
  assert.equal(isNestedDeeperThan(null, 0), false);
  assert.equal(isNestedDeeperThan({}, 0), true);
  assert.equal(isNestedDeeperThan({ a: 1 }, 1), false);
  assert.equal(isNestedDeeperThan({ a: 1, b: [{}] }, 2), true);
  assert.equal(isNestedDeeperThan({ a: 1, b: [{}] }, 3), false);
  const deep = JSON.parse('['.repeat(200_000) + ']'.repeat(200_000));
  assert.equal(isNestedDeeperThan(deep, 64), true);
});
