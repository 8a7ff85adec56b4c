import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused, writtenSoFar } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';

const apps = await createTestApps();
const { client } = await apps.newBrand();
const { json: product } = await client.create('/catalog/products', { sku: 'TYPES' });
const path = `/catalog/products/${product.tu_id}`;

type JsonType = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

/** Samples of each JSON type, chosen to be what JavaScript or SQL would most likely confuse with another type. */
const samples: Record<JsonType, readonly unknown[]> = {
  null: [null],
  boolean: [true, false],
  integer: [0, 1, -1],
  number: [1.5],
  string: ['', '0', '1', 'true', 'null', '[]', '{}', 'NaN', 'Infinity', '12.50'],
  array: [[], [1], ['simple'], [null], [[]]],
  object: [{}, { length: 3 }, { toString: 'x' }, { value: 1 }, { $gt: 0 }],
};

interface Field {
  /** The name in errors. */
  readonly name: string;
  readonly accepts: readonly JsonType[];
  /** Returns a body that carries a value at this place. */
  readonly body: (value: unknown) => object;
  /** Values of an accepted type that are wrong for another reason. */
  readonly alsoWrong?: readonly unknown[];
}

const top = (name: string, accepts: readonly JsonType[], alsoWrong: readonly unknown[] = []): Field => ({
  name,
  accepts,
  body: (value) => ({ [name]: value }),
  alsoWrong,
});

const fields: readonly Field[] = [
  top(
    'sku',
    ['string'],
    ['', ' a', 'a ', 'a\n', '\u00a0a', '\u0085a', 'a\u0085', 'x'.repeat(192), 'a\u0000', '\ud800', 'a\udc00'],
  ),
  top('title', ['string'], ['', 'x'.repeat(256), '\u0000', 'x\ud83d']),
  top('type', ['string'], ['', 'Simple', 'simple ', 'variant', 'bundle', 'simple\u0000']),
  top('price_value', ['integer', 'number'], [-1, -0.0001, 1e11, 1e21, 0.00001, 1.23456]),
  top('price_currency', ['string'], ['', 'eur', 'EU', 'EURO', 'ABC', '€', 'EUR ', 'EU\u0000']),
  top('tax_class', ['string'], ['', 'x'.repeat(65), 'a\u0000b', '\udfff']),
  top('short_description', ['string', 'null'], ['x'.repeat(5001), '\u0000', '\ud800']),
  top('is_active', ['boolean']),
  top('default_language', ['string'], ['', 'en_US', 'e', '-', 'x'.repeat(36), 'en\u0000', '12']),
  top('versions', ['object']),
  {
    name: 'versions.de',
    accepts: ['object'],
    body: (value) => ({ versions: { de: value, fr: {} } }),
  },
  {
    name: 'versions.de.title',
    accepts: ['string'],
    body: (value) => ({ versions: { de: { title: value } } }),
    alsoWrong: ['', 'x'.repeat(256), 'a\u0000', '\ud800'],
  },
  {
    name: 'versions.de.short_description',
    accepts: ['string'],
    body: (value) => ({ versions: { de: { short_description: value } } }),
    alsoWrong: ['x'.repeat(5001), 'a\u0000', '\ud800'],
  },
];

/** Returns the values that a field must refuse: its own wrong values and every value of another type. */
function wrongAt({ accepts, alsoWrong = [] }: Field): unknown[] {
  const others = (Object.keys(samples) as JsonType[]).filter((type) => !accepts.includes(type));
  // A whole number is an integer, and an integer is a number.
  return [...others.flatMap((type) => samples[type]), ...alsoWrong];
}

describe('a body with a wrong value', () => {
  // [catalog-9] [catalog-10] [catalog-17]
  for (const field of fields)
    it(`at ${field.name} is refused on that field, on creation and on change, and nothing is written`, async () => {
      const before = await writtenSoFar(apps);
      for (const value of wrongAt(field)) {
        const body = field.body(value);
        for (const answer of [
          await client.create('/catalog/products', { sku: 'WRONG', ...body }),
          await client.patch(path, { ...body, tax_class: 'reduced', ...body }),
          await client.patch(path, body, { 'idempotency-key': 'wrong' }),
        ])
          assertRefused(answer, 'validation_failed', [field.name]);
      }
      assert.deepEqual(await writtenSoFar(apps), before);
    });

  it('at a key of versions is refused on that key', async () => {
    for (const tag of [
      'en_US',
      '',
      ' de',
      'de ',
      '__proto__',
      'constructor',
      'x'.repeat(36),
      '\u0000',
      '*',
      'd e',
      '\ud800',
    ]) {
      const body = `{"versions": {${JSON.stringify(tag)}: {"title": "x"}, "de": {}}}`;
      const shown = JSON.parse(JSON.stringify({ [`versions.${tag}`]: 1 }));
      assertRefused(await client.patch(path, body), 'validation_failed', Object.keys(shown));
    }
  });

  it('at every field is reported at every field', async () => {
    const body = Object.assign({}, ...fields.slice(0, 10).map(({ body }) => body([])));
    const answer = await client.create('/catalog/products', body);
    assertRefused(
      answer,
      'validation_failed',
      fields.slice(0, 10).map(({ name }) => name),
    );
  });

  it('at thousands of places is reported at no more than a hundred of them', async () => {
    const versions = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`k_${i}`, { title: i }]));
    const { status, json } = await client.create('/catalog/products', { sku: 'X', versions });
    assert.equal(status, 422);
    assert.equal(Object.keys(json.errors).length, 100);
  });
});

describe('a creation without a SKU', () => {
  // [catalog-9]
  it('is refused on sku', async () => {
    for (const body of [{}, { title: 'x' }, { SKU: 'x' }, { ' sku': 'x' }])
      assertRefused(await client.create('/catalog/products', body), 'validation_failed', ['sku']);
  });
});

describe('keys that have a meaning in JavaScript', () => {
  it('are ignored like any other unknown key, and have no effect', async () => {
    const poison = '{"is_active": true, "title": "polluted", "polluted": true}';
    const body = `{"sku": "POISON", "__proto__": ${poison}, "constructor": {"prototype": ${poison}}, "toString": 1,
      "hasOwnProperty": null, "versions": {"de": {"__proto__": {"title": "polluted"}, "constructor": 1}}}`;
    const created = await client.create('/catalog/products', body);
    assert.equal(created.status, 201, created.text);
    assert.equal(created.json.title, 'POISON');
    assert.equal(created.json.is_active, false);
    assert.equal(created.text.includes('polluted'), false);
    assert.deepEqual(created.json.versions, { de: {} });
    assert.equal('polluted' in {}, false);
    assert.equal('polluted' in Object, false);
  });

  it('do not satisfy the requirement of a key', async () => {
    assertRefused(
      await client.create('/catalog/products', '{"__proto__": {"sku": "X"}}'),
      'validation_failed',
      ['sku'],
    );
  });
});
