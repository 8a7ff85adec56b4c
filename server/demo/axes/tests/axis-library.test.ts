import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../../test/support/any-text.ts';
import { axisOf, choiceOf, valueIn, valuesFor } from '../axis-library.ts';

test('strings become valid values of an axis, and stay readable', () => {
  const texts = [
    '5.5',
    'Grasgrün',
    'Weiß',
    'Amarillo (PANTONE Yellow)',
    'Fleck’n Fire Red',
    '靴',
    'O.D. Green',
  ];
  assert.deepEqual(
    [...valuesFor(texts).values()],
    ['5.5', 'Grasgrun', 'Weiss', 'Amarillo-PANTONE-Yellow', 'Fleck-n-Fire-Red', 'value', 'O.D.-Green'],
  );
});

test('strings with the same result are distinguished, in their order', () => {
  assert.deepEqual(
    [...valuesFor(['Black', 'Black ', 'black', 'Black-2', 'Black (2)']).values()],
    ['Black', 'Black-2', 'black', 'Black-2-2', 'Black-2-3'],
  );
});

test('for any strings, the values are allowed and distinct', () => {
  fc.assert(
    fc.property(fc.uniqueArray(anyText({ maxLength: 80 })), (texts) => {
      const values = [...valuesFor(texts).values()];
      for (const value of values) assert.match(value, /^[a-zA-Z0-9._-]{1,64}$/);
      assert.equal(new Set(values).size, texts.length);
    }),
  );
  const long = ['x'.repeat(64), `${'x'.repeat(64)} `, 'x'.repeat(70)];
  assert.equal(new Set(valuesFor(long).values()).size, 3);
});

test('a choice has the library’s order, and a string that the library lacks is reported', () => {
  const axis = axisOf('size', 'Size', ['S', 'M', 'L ']);
  assert.deepEqual(choiceOf(axis, ['L ', 'S']), { code: 'size', values: ['S', 'L'] });
  assert.equal(valueIn(axis, 'L '), 'L');
  assert.throws(() => valueIn(axis, 'L'), /has no value for L/);
  assert.throws(() => choiceOf(axis, ['L']), /lacks values/);
});
