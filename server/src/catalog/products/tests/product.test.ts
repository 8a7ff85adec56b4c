import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseSort } from '../list-products.ts';
import { newProductFields } from '../product.ts';

const brand = { currency: 'SEK', defaultLanguage: 'sv' };

// [catalog-12]
describe('the title of a product without a given title', () => {
  const titleOf = (given: Parameters<typeof newProductFields>[0]) => newProductFields(given, brand).title;

  it('is the SKU if the default language has no title', () => {
    assert.equal(titleOf({ sku: 'A', translations: { de: { title: 'Pulli' } } }), 'A');
    assert.equal(titleOf({ sku: 'A', translations: { sv: { short_description: 'Varm' } } }), 'A');
    assert.equal(titleOf({ sku: 'A', translations: { sve: { title: 'Tröja' } } }), 'A');
  });

  it('is not looked up among the properties that every object has', () => {
    assert.equal(titleOf({ sku: 'A', translations: {}, defaultLanguage: 'toString' }), 'A');
    assert.equal(titleOf({ sku: 'A', translations: {}, defaultLanguage: 'valueOf' }), 'A');
  });

  it('is never used instead of a given title', () => {
    assert.equal(titleOf({ sku: 'A', title: 'Own', translations: { sv: { title: 'Tröja' } } }), 'Own');
  });
});

/** The order as a string: `-updated_at,-id`. */
const order = (sort: string | undefined) =>
  parseSort(sort)
    .map(({ column, descending }) => (descending ? '-' : '') + column)
    .join(',');

// [catalog-24]
describe('the sort parameter', () => {
  for (const [sort, expected] of [
    [undefined, '-updated_at,-id'],
    ['', '-updated_at,-id'],
    ['updated_at', 'updated_at,id'],
    ['-updated_at', '-updated_at,-id'],
    ['created_at', 'created_at,id'],
    ['-created_at', '-created_at,-id'],
    ['sku', 'sku'],
    ['-sku', '-sku'],
    ['created_at,-updated_at', 'created_at,-updated_at,-id'],
    ['-created_at,updated_at', '-created_at,updated_at,id'],
    ['updated_at,sku', 'updated_at,sku'],
    ['sku,updated_at', 'sku'],
    ['title', '-updated_at,-id'],
    ['title,price_value', '-updated_at,-id'],
    ['title,-created_at,nonsense', '-created_at,-id'],
    ['id', '-updated_at,-id'],
    ['-', '-updated_at,-id'],
    ['--sku', '-updated_at,-id'],
    ['SKU', '-updated_at,-id'],
    ['created_at,created_at', 'created_at,id'],
    ['created_at,-created_at', 'created_at,id'],
    [',,created_at,,', 'created_at,id'],
    ['updated_at;drop table products', '-updated_at,-id'],
    ['__proto__,constructor', '-updated_at,-id'],
  ] as const)
    it(`${JSON.stringify(sort)} means ${expected}`, () => assert.equal(order(sort), expected));

  // [platform-45]
  it('gives a total order that names no column twice, for any value', () => {
    const parts = ['sku', 'created_at', 'updated_at', 'title', '', '-'];
    const part = fc.tuple(fc.constantFrom('', '-', '--'), fc.constantFrom(...parts));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (chosen) => {
        const keys = parseSort(chosen.map(([sign, name]) => sign + name).join(','));
        const columns = keys.map(({ column }) => column);
        assert.equal(new Set(columns).size, columns.length);
        assert.ok(['id', 'sku'].includes(columns.at(-1) ?? ''));
      }),
    );
  });
});
