import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseTagList } from '../entity-tags.ts';

describe('an If-None-Match header', () => {
  it('names one tag or several, weak or strong, with or without white space and empty elements', () => {
    const headers: [string, readonly string[]][] = [
      ['"a"', ['"a"']],
      ['W/"a"', ['"a"']],
      ['""', ['""']],
      ['"a", "b"', ['"a"', '"b"']],
      ['"a","b",W/"c"', ['"a"', '"b"', '"c"']],
      [' ,, "a"\t, ,"b" , ', ['"a"', '"b"']],
      ['"a,b", "c d"', []],
      ['"a,b"', ['"a,b"']],
      ['"\xe9"', ['"\xe9"']],
      ['"*"', ['"*"']],
    ];
    for (const [header, tags] of headers)
      assert.deepEqual(parseTagList(header), tags.length === 0 ? null : tags, header);
  });

  it('may be an asterisk', () => {
    assert.equal(parseTagList('*'), '*');
    assert.equal(parseTagList(' * '), '*');
  });

  it('that is absent or malformed asks for nothing', () => {
    const malformed = [
      '',
      ' ',
      ',',
      'a',
      '"a',
      'a"',
      '"a" "b"',
      '"a""b"',
      '"a", b',
      '*, "a"',
      '"a", *',
      'w/"a"',
    ];
    for (const header of [undefined, ...malformed, 'W/', 'W/ "a"', '"a\x7f"', "'a'", '"a";'])
      assert.equal(parseTagList(header), null, header);
  });

  it('of any length is read in one go', () => {
    const tags = Array.from({ length: 2_000 }, (_, index) => `"${index}"`);
    assert.deepEqual(parseTagList(tags.join(', ')), tags);
    assert.equal(parseTagList(`${' ,'.repeat(8_000)}x`), null);
  });

  it('made of tags is read as those tags', () => {
    const opaque = fc.stringMatching(/^[!#-~]*$/).map((text) => `"${text}"`);
    const separator = fc.constantFrom(',', ', ', ' ,\t', ', ,');
    fc.assert(
      fc.property(fc.array(opaque, { minLength: 1 }), separator, fc.boolean(), (tags, comma, weak) => {
        const header = tags.map((tag) => (weak ? `W/${tag}` : tag)).join(comma);
        assert.deepEqual(parseTagList(header), tags);
      }),
    );
  });
});
