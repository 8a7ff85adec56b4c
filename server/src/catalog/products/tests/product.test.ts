import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  changedProduct,
  newProductFields,
  type Product,
  type ProductFields,
} from '../../product-records/product.ts';
import { fieldsFromWire } from '../product-wire.ts';

const brand = { currency: 'SEK', defaultLanguage: 'sv' };

describe('a product for which only the SKU is given', () => {
  it('gets its title from the SKU and the rest from the brand and the defaults', () => {
    assert.deepEqual(newProductFields({ sku: 'A-1' }, brand), {
      sku: 'A-1',
      type: 'simple',
      title: 'A-1',
      shortDescription: null,
      defaultLanguage: 'sv',
      translations: {},
      priceValue: 0,
      priceCurrency: 'SEK',
      taxClass: 'standard',
      isActive: false,
    });
  });
});

// [catalog-12]
describe('the title of a product without a given title', () => {
  const titleOf = (given: Parameters<typeof newProductFields>[0]) => newProductFields(given, brand).title;

  it('is the title in the default language', () => {
    const translations = { sv: { title: 'Tröja' }, de: { title: 'Pulli' } };
    assert.equal(titleOf({ sku: 'A', translations }), 'Tröja');
    assert.equal(titleOf({ sku: 'A', translations, defaultLanguage: 'de' }), 'Pulli');
  });

  it('is found regardless of the case of the tags', () => {
    assert.equal(titleOf({ sku: 'A', translations: { SV: { title: 'Tröja' } } }), 'Tröja');
    assert.equal(
      titleOf({ sku: 'A', translations: { 'zh-hant': { title: '衫' } }, defaultLanguage: 'ZH-Hant' }),
      '衫',
    );
  });

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

describe('a change', () => {
  const product: Product = {
    ...newProductFields({ sku: 'A', translations: { de: { title: 'x', short_description: 'y' } } }, brand),
    brandId: 1,
    id: 1,
    tuId: 'V1StGXR8_Z5jdHi6B-myT',
    hasVariants: false,
    createdAt: new Date(0),
    updatedAt: new Date(0),
  };

  const changesNothing = (changes: Partial<ProductFields>) =>
    changedProduct(product, changes, () => new Date(1)) === product;

  it('of nothing, or to the current values, changes nothing', () => {
    assert.ok(changesNothing({}));
    assert.ok(changesNothing({ sku: 'A', isActive: false, priceValue: 0, shortDescription: null }));
    assert.ok(changesNothing({ priceValue: -0 }));
    assert.ok(changesNothing({ translations: { de: { short_description: 'y', title: 'x' } } }));
  });

  it('of one field among many is a change', () => {
    assert.ok(!changesNothing({ sku: 'A', isActive: true }));
    assert.ok(!changesNothing({ shortDescription: '' }));
    assert.ok(!changesNothing({ translations: { de: { title: 'x' } } }));
    assert.ok(!changesNothing({ translations: {} }));
  });
});

describe('the fields of a body', () => {
  // [catalog-16]
  it('are those that it names; null clears the description', () => {
    assert.deepEqual(fieldsFromWire({}), {});
    assert.deepEqual(fieldsFromWire({ short_description: null }), { shortDescription: null });
    assert.deepEqual(fieldsFromWire({ is_active: false, price_value: 0 }), {
      isActive: false,
      priceValue: 0,
    });
  });

  it('exclude unknown keys, in translations too, and keys that have a meaning in JavaScript', () => {
    const body = JSON.parse(`{
      "sku": "A", "stock_count": 5, "stock_type": "x", "id": 7, "brand_id": 2, "constructor": {"sku": "B"},
      "__proto__": {"title": "polluted", "is_active": true},
      "versions": {"de": {"title": "x", "extra": 1, "__proto__": {"short_description": "polluted"}}}
    }`);
    assert.deepEqual(fieldsFromWire(body), { sku: 'A', translations: { de: { title: 'x' } } });
    assert.equal('title' in {}, false);
  });
});
