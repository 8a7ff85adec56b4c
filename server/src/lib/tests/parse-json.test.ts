import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseJson } from '../parse-json.ts';

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
