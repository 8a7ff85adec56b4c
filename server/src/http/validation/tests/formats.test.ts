import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { moneyFormat, textFormats } from '../formats.ts';

const accepts = (format: string, text: string) => textFormats[format]?.validate(text);

// [platform-34]
describe('a trimmed text', () => {
  for (const text of ['a', 'a b', '😀', 'a\u200b'])
    it(`may be ${JSON.stringify(text)}`, () => assert.equal(accepts('trimmed-text', text), true));

  for (const text of [
    ' a',
    'a ',
    '\ta',
    'a\n',
    '\u0085a',
    'a\u0085',
    '\u00a0a',
    'a\u3000',
    '\ufeffa',
    ' ',
    'a\u0000b',
    '\ud800',
  ])
    it(`may not be ${JSON.stringify(text)}`, () => assert.equal(accepts('trimmed-text', text), false));
});

// [catalog-13]
describe('a currency', () => {
  for (const code of ['EUR', 'USD', 'JPY', 'KWD', 'ZWG', 'XCG', 'VED', 'CLF', 'XAU', 'XXX'])
    it(`may be ${code}, which ISO 4217 has`, () => assert.equal(accepts('iso-4217', code), true));

  for (const code of ['', 'eur', 'EU', 'EURO', 'ABC', 'ZZZ', 'E€R', ' EUR'])
    it(`may not be ${JSON.stringify(code)}`, () => assert.equal(accepts('iso-4217', code), false));
});

describe('a language tag', () => {
  for (const tag of ['en', 'de-CH', 'zh-Hant-TW', 'EN-us', 'en-x-brand', 'x-private', 'i-klingon'])
    it(`may be ${tag}`, () => assert.equal(accepts('bcp-47', tag), true));

  for (const tag of [
    '',
    'e',
    'en_US',
    'en-',
    '-en',
    'englishes',
    'en US',
    '*',
    '__proto__',
    'constructor',
    'ü',
  ])
    it(`may not be ${JSON.stringify(tag)}`, () => assert.equal(accepts('bcp-47', tag), false));
});

describe('money', () => {
  it('has up to four decimal places over its whole range', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 999_999_999_999_999n }), (units) =>
        assert.ok(moneyFormat.validate(Number(units) / 10_000)),
      ),
    );
  });

  for (const value of [0, -0, 0.0001, 0.1, 19.99, 99_999_999_999.9999, 1e21])
    it(`may be ${value}, as far as places go`, () => assert.ok(moneyFormat.validate(value)));

  for (const value of [0.00001, 1e-7, 1.23456, 0.30000000000000004, 12_345.678_91, 5e-324])
    it(`may not be ${value}`, () => assert.ok(!moneyFormat.validate(value)));
});
