import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differencesBetween, Exactly, shown } from '../compare.ts';

test('equal values have no differences, even with additional fields', () => {
  const expected = { a: 1, list: [{ b: 'x' }], map: new Exactly({ k: 'v' }), gone: undefined, none: null };
  const served = { a: 1, list: [{ b: 'x', more: 1 }], map: { k: 'v' }, none: null, more: true };
  assert.deepEqual(differencesBetween(expected, served, 'P'), []);
});

test('every different value is reported with its path', () => {
  const served = { a: '1', list: [1], map: { k: 'v', l: 'w' }, none: 0, gone: 0, object: null };
  const expected = {
    a: 1,
    list: [2],
    map: new Exactly({ k: 'v' }),
    none: null,
    gone: undefined,
    object: { x: 1 },
    missing: 'm',
  };
  assert.deepEqual(differencesBetween(expected, served, 'P'), [
    'P.a is "1", expected was 1',
    'P.list.0 is 1, expected was 2',
    'P.map is {"k":"v","l":"w"}, expected was {"k":"v"}',
    'P.none is 0, expected was null',
    'P.gone is 0, expected was absent',
    'P.object is null, expected was {"x":1}',
    'P.missing is absent, expected was "m"',
  ]);
});

test('entries that are missing, added or in another order are differences', () => {
  assert.deepEqual(differencesBetween([1, 2], [1], 'P'), ['P has 1 entries, expected were 2']);
  assert.deepEqual(differencesBetween([1], [1, 2], 'P'), ['P has 2 entries, expected were 1']);
  assert.equal(differencesBetween([1, 2], [2, 1], 'P').length, 2);
  assert.deepEqual(differencesBetween([], {}, 'P'), ['P is {}, expected was []']);
});

test('strings that look alike are distinguishable, and long ones are truncated', () => {
  assert.notEqual(shown('Gr\u00fcn'), shown('Gru\u0308n'));
  assert.equal(shown('x'.repeat(1000)).length, 302);
});
