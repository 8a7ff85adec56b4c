import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Conditions } from '../conditions.ts';

describe('conditions', () => {
  const bySku = (parameter: string) => `sku = ${parameter}`;
  const byState = (parameter: string) => `is_active = ${parameter}`;

  it('are those whose value is given, false and null included, with a code that identifies them', () => {
    const where = new Conditions(['brand_id = $1'], [7]);
    assert.equal(where.add('s', bySku, undefined), null);
    assert.equal(where.add('a', byState, false), '$2');
    assert.equal(
      where.add('n', (parameter) => `note is not distinct from ${parameter}`, null),
      '$3',
    );
    assert.equal(where.code, 'an');
    assert.equal(where.sql, 'brand_id = $1 and is_active = $2 and note is not distinct from $3');
    assert.deepEqual(where.values, [7, false, null]);
  });

  it('never carry a value in their text', () => {
    const where = new Conditions([], []);
    where.add('s', bySku, "'; drop table products; --");
    assert.equal(where.sql, 'sku = $1');
  });

  it('leave room for further values', () => {
    const where = new Conditions([], []);
    where.add('s', bySku, 'A');
    assert.equal(`limit ${where.parameter(50)} offset ${where.parameter(100)}`, 'limit $2 offset $3');
    assert.deepEqual(where.values, ['A', 50, 100]);
  });

  it('are empty when nothing is asked', () => {
    const where = new Conditions([], []);
    assert.deepEqual([where.sql, where.code, where.values], ['', '', []]);
  });
});
