import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { findJsonFault, isNestedDeeperThan, jsonFault, parseJson } from '../parse-json.ts';

const parse = (text: string, limits?: { values?: number; levels: number }) =>
  parseJson(Buffer.from(text), limits ?? null);

describe('the parsing of JSON', () => {
  it('accepts what JSON.parse accepts, with or without a byte order mark', () => {
    fc.assert(
      fc.property(fc.json(), fc.boolean(), (text, isMarked) => {
        assert.deepEqual(parse(isMarked ? `\ufeff${text}` : text), { value: JSON.parse(text) });
      }),
    );
  });

  it('refuses other text, and says where it is wrong', () => {
    for (const [text, fault] of [
      ['', 'unexpected end of the body'],
      ['{', 'unexpected end of the body'],
      ['{}}', 'unexpected "}" at position 2'],
      // The first byte order mark is no character of the text.
      ['\ufeff{}}', 'unexpected "}" at position 2'],
      ['\ufeff\ufeff{}', 'unexpected U+FEFF at position 0'],
      ['{"lines":[{"sku":"a" "quantity":1}]}', 'unexpected "q" at position 22'],
    ] as const)
      assert.deepEqual(parse(text), { problem: `must be JSON: ${fault}` }, text);
    assert.deepEqual(parseJson(Buffer.from([0x22, 0xff, 0x22])), { problem: 'must be UTF-8' });
  });

  it('counts values and levels outside of strings', () => {
    const limits = { values: 4, levels: 2 };
    const problem = { problem: 'must have at most 4 values and 2 levels' };
    for (const text of ['[1,2,3]', '[["[[[,,,"]]', '{"a":{"\\"{[,":1}}', '["\\\\",{}]', '"[[["'])
      assert.deepEqual(parse(text, limits), { value: JSON.parse(text) }, text);
    for (const text of ['[[[]]]', '[1,2,3,4]', '{"a":{"b":{}}}', '[[[', '["\\\\",[[]]]'])
      assert.deepEqual(parse(text, limits), problem, text);
    assert.deepEqual(parse('[[[]]]', { levels: 2 }), { problem: 'must have at most 2 levels' });
  });
});

/** Returns the message of JSON.parse; null for JSON. */
function refusalOf(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

const json = fc.oneof(fc.json(), fc.json({ stringUnit: 'grapheme' }));
const piece = fc.oneof(
  fc.constantFrom(...'{}[]:,"\\-+.eE0159truefalsn\n\u0000 '),
  fc.constantFrom('true', 'null', '1.5e-3', '"a"', '\\u00e9', '\\x', '{"a":', '\u00a0', '\u2028', '😀'),
);
/** JSON into which something was put, from which something was cut, and texts of its pieces. */
const text = fc.oneof(
  json,
  fc.tuple(json, fc.nat(), fc.nat(3), fc.array(piece, { maxLength: 2 })).map(([whole, place, cut, put]) => {
    const at = place % (whole.length + 1);
    return `${whole.slice(0, at)}${put.join('')}${whole.slice(at + cut)}`;
  }),
  fc.array(piece).map((pieces) => pieces.join('')),
);

// [platform-22]
describe('the place of a fault in JSON', () => {
  it('is found exactly where JSON.parse refuses a string, and where it says so', () => {
    fc.assert(
      fc.property(text, (sent) => {
        const message = refusalOf(sent);
        const found = findJsonFault(sent);
        assert.equal(found === null, message === null, JSON.stringify(sent));
        const [, position] = /position (\d+)/.exec(message ?? '') ?? [];
        if (position !== undefined && found !== sent.length)
          assert.equal(found, Number(position), JSON.stringify([sent, message]));
      }),
      { numRuns: 5_000 },
    );
  });

  it('is the first: what stands before it could become JSON', () => {
    fc.assert(
      fc.property(text, (sent) => {
        const found = findJsonFault(sent);
        if (found === null) return;
        assert.ok([null, found].includes(findJsonFault(sent.slice(0, found))), JSON.stringify(sent));
      }),
      { numRuns: 5_000 },
    );
  });

  for (const [sent, said] of [
    ['{"lines":[{"sku":"a" "quantity":1}]}', 'unexpected "q" at position 22'],
    ['{"a":1,}', 'unexpected "}" at position 7'],
    ['[1,2', 'unexpected end of the body'],
    ['', 'unexpected end of the body'],
    ['"a', 'unexpected end of the body'],
    ['"a" ""', `unexpected '"' at position 4`],
    ["{'a':1}", 'unexpected "\'" at position 1'],
    ['{}}', 'unexpected "}" at position 2'],
    ['\ufeff{}', 'unexpected U+FEFF at position 0'],
    ['"a\nb"', 'unexpected U+000A at position 2'],
    ['{"a": 😀}', 'unexpected U+1F600 at position 6'],
    // A character beyond U+FFFF is one, though a string has two units of it.
    ['["😀" x]', 'unexpected "x" at position 5'],
    ['[01]', 'unexpected "1" at position 2'],
    ['[1.]', 'unexpected "]" at position 3'],
    ['{"a":NaN}', 'unexpected "N" at position 5'],
    ['[tru]', 'unexpected "]" at position 4'],
    ['"\\x"', 'unexpected "x" at position 2'],
  ] as const)
    it(`is reported for ${JSON.stringify(sent)}: ${said}`, () => assert.equal(jsonFault(sent), said));

  it('is found in a string that is nested as deep as it is long', () => {
    assert.equal(findJsonFault('['.repeat(1_000_000)), 1_000_000);
    assert.equal(findJsonFault(`${'[{"a":'.repeat(100_000)}}`), 600_000);
  });
});

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
