import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
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
