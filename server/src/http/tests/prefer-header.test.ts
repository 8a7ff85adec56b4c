import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { preferenceOf } from '../unknown-name-hooks.ts';

const prefersStrict = (header: string | readonly string[] | undefined) =>
  preferenceOf(header, 'handling') === 'strict';

describe('a Prefer header', () => {
  it('has one value for each of its names', () => {
    const header = 'handling=strict, return=Representation, return=minimal';
    assert.deepEqual(
      [preferenceOf(header, 'return'), preferenceOf(header, 'handling')],
      ['representation', 'strict'],
    );
  });

  for (const header of [
    'handling=strict',
    'Handling=STRICT',
    'handling="strict"',
    'handling = strict',
    ' handling=strict ',
    'handling="str\\ict"',
    'handling=strict; foo="some parameter"',
    'handling=strict;a',
    'respond-async, wait=100, handling=strict',
    'return=minimal; a="x, handling=lenient", handling=strict',
    'foo="\\"", handling=strict',
    ', ,handling=strict,',
    'handling=strict, handling=lenient',
    '=, handling=strict',
    ['respond-async', 'handling=strict'],
  ])
    it(`asks for strict handling: ${JSON.stringify(header)}`, () => assert.ok(prefersStrict(header)));

  for (const header of [
    undefined,
    '',
    [],
    'strict',
    'handling',
    'handling=',
    'handling=""',
    'handling=lenient',
    'handling=lenient, handling=strict',
    'handling=stricter',
    'xhandling=strict',
    'foo="handling=strict"',
    'foo="a, handling=strict',
    'foo; handling=strict',
    'handling=strict x',
    'handling:strict',
    'return=representation',
  ])
    it(`does not: ${JSON.stringify(header)}`, () => assert.equal(prefersStrict(header), false));

  it('is read in linear time, for any value', () => {
    for (const text of ['"', ',', 'a=', '"\\', ' ', ';', 'a="b",', 'handling='])
      prefersStrict(text.repeat(8_000));
    fc.assert(fc.property(fc.string(), (text) => typeof prefersStrict(text) === 'boolean'));
  });
});
