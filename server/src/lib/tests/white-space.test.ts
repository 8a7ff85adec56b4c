import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isTrimmed } from '../text.ts';

describe('a trimmed text', () => {
  it('has no White_Space of Unicode at its ends, nor a byte order mark: every code point is tried', () => {
    const spaces: number[] = [];
    for (let code = 0; code <= 0x10ffff; code += 1) {
      const space = String.fromCodePoint(code);
      const isOuter = !isTrimmed(`${space}a`);
      assert.equal(isOuter, /^[\p{White_Space}\ufeff]$/u.test(space), `U+${code.toString(16)}`);
      assert.equal(!isTrimmed(`a${space}`), isOuter);
      if (isOuter) spaces.push(code);
    }
    assert.equal(spaces.length, 26);
  });

  it('may have white space in the middle, and may be empty', () => {
    for (const text of ['a\u0085b', 'a b', '', '\u200b', '\u180e']) assert.ok(isTrimmed(text));
  });
});
