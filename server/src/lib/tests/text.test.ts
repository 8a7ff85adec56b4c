import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../../test/support/any-text.ts';
import { isStorableText, isTrimmed, isWellFormedLanguageTag, languageKey } from '../text.ts';

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

// By the sections of RFC 5646, Appendix A, and with tags of each other kind that the grammar has.
const wellFormed: Record<string, string> = {
  'a language': 'de fr ja yue gsw root qaa englishe',
  'language and script': 'zh-Hant zh-Hans sr-Cyrl sr-Latn',
  'an extended language': 'zh-cmn-Hans-CN cmn-Hans-CN zh-yue-HK yue-HK zh-cmn-Hans zh-min-nan-abc',
  'language, script and region': 'zh-Hans-CN sr-Latn-RS mn-Cyrl-MN',
  'language and variant': 'sl-rozaj sl-rozaj-biske sl-nedis de-1996 en-boont-scouse',
  'language, region and variant': 'de-CH-1901 sl-IT-nedis hy-Latn-IT-arevela de-Latn-DE-1996',
  'language and region': 'de-DE en-US es-419 en-150',
  'private use subtags': 'de-CH-x-phonebk az-Arab-x-AZE-derbend en-x-b',
  'private use alone': 'x-whatever x-private x-1 X-fr-CH x-a-b-c',
  'private use registry values': 'qaa-Qaaa-QM-x-southern de-Qaaa sr-Latn-QM sr-Qaaa-RS',
  'an extension': 'en-US-u-islamcal zh-CN-a-myext-x-private en-a-myext-b-another en-t-jp-m0-und de-0-abc',
  'a repeated variant or singleton, which is a matter of validity': 'de-DE-1901-1901 ar-a-aaa-b-bbb-a-ccc',
  'an irregular grandfathered tag':
    'en-GB-oed i-ami i-bnn i-default i-enochian i-hak i-klingon i-lux i-mingo i-navajo i-pwn i-tao i-tay i-tsu sgn-BE-FR sgn-BE-NL sgn-CH-DE',
  'a regular grandfathered tag':
    'art-lojban cel-gaulish no-bok no-nyn zh-guoyu zh-hakka zh-min zh-min-nan zh-xiang',
  'any case': 'EN-us zH-hANT-tW I-Klingon SGN-be-fr X-PRIVATE en-U-Islamcal',
};

const malformed: Record<string, string[]> = {
  'two regions': ['de-419-DE', 'en-US-GB'],
  'a single character in front': ['a-DE', 'i', 'x', 'i-unknown', 'i-klingon-x-a'],
  'two scripts': ['zh-Hant-Hans'],
  'too many extended languages': ['zh-aaa-bbb-ccc-ddd'],
  'an extended language behind four letters': ['abcd-efg'],
  'a subtag that is too long': ['englishes', 'en-abcdefghi', 'x-abcdefghi', 'en-a-abcdefghi'],
  'a variant of four letters or of three digits': ['de-1996a-abcd', 'de-12'],
  'an extension or private use without a subtag': ['en-a', 'en-a-x-b', 'en-x', 'x-', 'en-a-b'],
  'an empty subtag': ['', '-', 'en-', '-en', 'en--US'],
  'other characters': [
    'en_US',
    'en US',
    ' en',
    'en\n',
    '*',
    'ü',
    '12',
    'e\u017f',
    'i-\u212alingon',
    'en\u0000',
  ],
  'names that objects have': ['__proto__', 'constructor'],
};

// [platform-40]
describe('a well-formed language tag', () => {
  for (const [what, tags] of Object.entries(wellFormed))
    it(`has ${what}`, () => {
      for (const tag of tags.split(' ')) assert.ok(isWellFormedLanguageTag(tag), tag);
    });

  for (const [what, tags] of Object.entries(malformed))
    it(`does not have ${what}`, () => {
      for (const tag of tags) assert.equal(isWellFormedLanguageTag(tag), false, JSON.stringify(tag));
    });

  it('is every tag that the runtime takes for a locale', () => {
    const subtag = fc.stringMatching(/^[A-Za-z0-9]{1,8}$/);
    const tags = fc.array(subtag, { minLength: 1, maxLength: 6 }).map((subtags) => subtags.join('-'));
    fc.assert(
      fc.property(tags, (tag) => !isLocale(tag) || isWellFormedLanguageTag(tag)),
      { numRuns: 1_000 },
    );
  });

  it('is distinguished from a megabyte of subtags in linear time', () => {
    for (const subtags of ['-abcde', '-a-bb', '-1abc', '-x'])
      assert.equal(isWellFormedLanguageTag(`en${subtags.repeat(200_000)}!`), false);
  });
});

describe('the key of a language tag', () => {
  it('is the same for tags that differ in case only', () => {
    assert.equal(languageKey('zh-hANT-Tw'), languageKey('ZH-Hant-TW'));
    assert.notEqual(languageKey('zh-Hant'), languageKey('zh-Hans'));
  });
});

function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}
