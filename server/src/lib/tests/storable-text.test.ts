import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../../test/support/any-text.ts';
import { isStorableText } from '../text.ts';

describe('text that PostgreSQL can keep', () => {
  it('is every well-formed text without U+0000', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        assert.equal(isStorableText(text), !text.includes('\u0000'));
      }),
    );
  });

  it('may hold emoji, combining marks, right-to-left text and characters beyond 16 bits', () => {
    for (const text of ['👩‍👩‍👧‍👦', 'e\u0301', 'שלום', '\u{10ffff}', '\ufeff', ''])
      assert.ok(isStorableText(text));
  });

  it('holds no U+0000, wherever it stands', () => {
    for (const text of ['\u0000', 'a\u0000', '\u0000a', 'a\u0000b'])
      assert.equal(isStorableText(text), false);
  });

  it('holds no half of a surrogate pair', () => {
    for (const text of ['\ud800', '\udc00', 'a\ud83d', '\ude00b', '\udc00\ud800', '😀\ud83d'])
      assert.equal(isStorableText(text), false);
  });
});
