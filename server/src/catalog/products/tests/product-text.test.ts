import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../../../test/support/any-text.ts';
import { assertInvalid, assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';

const apps = await createTestApps();
const { client } = await apps.newBrand();
const products = '/catalog/products';
const without = (texts: Record<string, object>, tag: string) =>
  Object.fromEntries(Object.entries(texts).filter(([name]) => name !== tag));

const samples: Record<string, string> = {
  'a family emoji with joiners': '👩‍👩‍👧‍👦 shirt 🏳️‍🌈',
  'combining marks': 'Z̷͉̈a̴l̵g̶o e\u0301 n\u0303',
  'the same letters composed': 'é ñ',
  'Hebrew and Arabic with direction marks': '\u200fחולצה\u200e قميص \u202eabc\u202c',
  'characters beyond 16 bits': '𠮷野家 𝒯𝑒𝑒 \u{10ffff}',
  'control characters other than U+0000': 'a\u0001b\u001f\u007f\u0085',
  'line ends of all kinds': 'a\r\nb\nc\u2028d\u2029e',
  'white space around it': '  \t padded \u3000 ',
  'nothing but a byte order mark': '\ufeff',
  'what JSON, SQL and HTML escape': `"\\'; drop table products; -- </script>&amp; %00 \\u0000 $1 {}`,
  'private use and unassigned characters': '\ue000\ufffe\uffff\u0378',
};

// [platform-33]
describe('texts', () => {
  for (const [what, text] of Object.entries(samples))
    it(`with ${what} are stored exactly as they were sent`, async () => {
      const versions = { en: { title: text, short_description: text } };
      const given = { title: text, short_description: text, tax_class: text.slice(0, 20), versions };
      const created = await client.create(products, { sku: `T-${what}`, ...given });
      assert.equal(created.status, 201, created.text);
      const read = await client.get(`${products}/${created.json.tu_id}`);
      for (const { json } of [created, read]) {
        assert.equal(json.title, text);
        assert.equal(json.short_description, text);
        assert.equal(json.tax_class, given.tax_class);
        assert.deepEqual(json.versions, versions);
      }
    });

  it('of arbitrary characters are stored exactly', async () => {
    const created = await client.create(products, { sku: 'ANY' });
    const path = `${products}/${created.json.tu_id}`;
    const text = anyText({ minLength: 1, maxLength: 60 }).map((any) => any.replaceAll('\0', '0'));
    await fc.assert(
      fc.asyncProperty(text, text, async (title, description) => {
        const body = { title, short_description: description, versions: { de: { title: description } } };
        const { status, json } = await client.patch(path, body);
        assert.equal(status, 200);
        assert.partialDeepStrictEqual(json, body);
      }),
      { numRuns: 30 },
    );
  });
});

describe('a SKU of any characters', () => {
  for (const sku of [
    'ÄÖÜ-ß',
    '漢字',
    '👟-42',
    'a/b?c#d%e',
    "O'Neill",
    'x'.repeat(191),
    '+1 2',
    '%00',
    '..',
    'sku,with,commas',
    '\u0001',
  ])
    it(`is found by exactly that SKU: ${JSON.stringify(sku.slice(0, 12))}`, async () => {
      const created = await client.create(products, { sku });
      assert.equal(created.status, 201, created.text);
      const { json } = await client.get(`${products}?sku=${encodeURIComponent(sku)}`);
      assert.deepEqual(
        json.data.map((product: { sku: string }) => product.sku),
        [sku],
      );
    });
});

describe('translations', () => {
  // [platform-40]
  it('keep their language tags as they were sent', async () => {
    const versions = {
      'EN-us': { title: 'a' },
      toString: { title: 'c' },
      'zh-hant': {},
      'sgn-BE-FR': { title: 'd' },
      'i-KLINGON': { title: 'e' },
      'x-private': { title: 'f' },
    };
    const { status, json } = await client.create(products, { sku: 'TAGS', versions });
    assert.equal(status, 201);
    assert.deepEqual(json.versions, versions);
  });

  // [catalog-14]
  it('are refused if two tags differ only in case, on creation and on change', async () => {
    const versions = { 'en-US': { title: 'a' }, de: {}, 'EN-us': { title: 'b' }, DE: {} };
    const { json: product } = await client.create(products, { sku: 'CASE' });
    for (const answer of [
      await client.create(products, { sku: 'CASES', versions }),
      await client.patch(`${products}/${product.tu_id}`, { versions }),
    ])
      assertRefused(answer, 'validation_failed', ['versions.EN-us', 'versions.DE']);
    const read = await client.get(`${products}/${product.tu_id}`);
    assert.deepEqual(read.json.versions, {});
  });

  it('provide the title in the default language, regardless of the case of the tags', async () => {
    const versions = { 'sgn-BE-FR': { title: 'Signe' } };
    const created = await client.create(products, { sku: 'SIGN', default_language: 'SGN-be-fr', versions });
    assert.equal(created.status, 201, created.text);
    assert.equal(created.json.title, 'Signe');
    assert.equal(created.json.default_language, 'SGN-be-fr');
  });

  // [catalog-132]
  it('number at most 100', async () => {
    const tags = Array.from({ length: 101 }, (_, i) => `x-${String(i).padStart(3, '0')}`);
    const versions = Object.fromEntries(tags.map((tag) => [tag, { title: `Title in ${tag}` }]));
    const { status, json } = await client.create(products, {
      sku: 'MANY',
      versions: without(versions, 'x-100'),
    });
    assert.equal(status, 201);
    assert.deepEqual(json.versions, without(versions, 'x-100'));
    for (const answer of [
      await client.create(products, { sku: 'MORE', versions }),
      await client.patch(`${products}/${json.tu_id}`, { versions }),
    ])
      assertInvalid(answer, { versions: 'must have at most 100 entries, not 101' });
  });

  // [catalog-132]
  it('have at most 64 KiB of text, in bytes of UTF-8', async () => {
    // Two bytes each, 65,536 in all.
    const texts = (more: string) => ({
      ...Object.fromEntries(
        ['de', 'en', 'fr', 'it', 'es', 'nl'].map((tag) => [tag, { short_description: 'ä'.repeat(5_000) }]),
      ),
      sv: { title: 'ä'.repeat(255), short_description: 'ä'.repeat(2_513) + more },
    });
    const fits = await client.create(products, { sku: 'FITS', versions: texts('') });
    assert.equal(fits.status, 201, fits.text);
    assertInvalid(await client.create(products, { sku: 'LONG', versions: texts('a') }), {
      versions: 'must have at most 65536 bytes of text in all (UTF-8), not 65537',
    });
  });

  // [catalog-133]
  it('that were stored beyond the bounds are read, and kept by a PATCH that does not send them', async () => {
    const { json } = await client.create(products, { sku: 'STORED' });
    const versions = Object.fromEntries(
      Array.from({ length: 300 }, (_, i) => [`x-${String(i).padStart(3, '0')}`, { title: 'a'.repeat(250) }]),
    );
    await apps.sql('update products set versions = $1 where tu_id = $2', [
      JSON.stringify(versions),
      json.tu_id,
    ]);
    const changed = await client.patch(`${products}/${json.tu_id}`, { title: 'New' });
    assert.equal(changed.status, 200);
    assert.deepEqual(changed.json.versions, versions);
    const read = await client.get(`${products}/${json.tu_id}`);
    assert.deepEqual([read.json.title, read.json.versions], ['New', versions]);
    const list = await client.get(`${products}?sku=STORED`);
    assert.deepEqual(list.json.data[0].versions, versions);
    assertInvalid(await client.patch(`${products}/${json.tu_id}`, { versions }), {
      versions: 'must have at most 100 entries, not 300',
    });
  });
});
