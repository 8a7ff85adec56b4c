// processes: sends wrong values in every field of every write
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiResponse } from '../../../test/support/api-client.ts';
import { assertRefused } from '../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { catalogSoFar, newAxes, newParent, newVariant, ok } from './new-axes.ts';

const apps = await createTestApps();
const { client } = await apps.newBrand();
await newAxes(client, { color: ['red', 'blue'] });
const parent = await newParent(client, { color: ['red', 'blue'] });
const variant = await newVariant(client, parent.tu_id, { sku: 'RED', axis_values: { color: 'red' } });
const simple = await ok(client.create('/catalog/products', { sku: 'SIMPLE' }), 201);
await ok(client.post('/catalog/stock/locations', { external_code: 'WH' }), 201);

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

/** The types that a field accepts, and values of an accepted type that are wrong for another reason. */
interface Kind {
  readonly accepts: readonly JsonType[];
  readonly alsoWrong?: readonly unknown[];
}

const orNull = ({ accepts, ...kind }: Kind): Kind => ({ ...kind, accepts: [...accepts, 'null'] });
const string = (...alsoWrong: unknown[]): Kind => ({ accepts: ['string'], alsoWrong });
const storable = ['a\u0000', '\ud800', 'a\udc00'];
const text = (max: number, ...wrong: unknown[]) => string('', 'x'.repeat(max + 1), ...storable, ...wrong);
const sku = text(191, ' a', 'a ', 'a\n', '\u00a0a', '\u0085a', 'a\u0085');
const code = text(64, ' a', 'a ', 'a b', 'ä', 'a/b', '🦊', 'a\n');
const label = orNull(text(255));
const boolean: Kind = { accepts: ['boolean'] };
const integer: Kind = { accepts: ['integer'], alsoWrong: [-1, 2_147_483_648, -2_147_483_648, 1e21, 1e300] };
const money: Kind = {
  accepts: ['integer', 'number'],
  alsoWrong: [-1, -0.0001, 1e11, 100_000_000_000.5, 1e21, 0.00001, 1.23456],
};
const object: Kind = { accepts: ['object'] };
const array: Kind = { accepts: ['array'] };
/** No value is allowed. */
const nothing: Kind = { accepts: [], alsoWrong: Object.values(samples).flat() };

function wrongValuesOf({ accepts, alsoWrong = [] }: Kind): unknown[] {
  // A whole number is a number.
  const others = (Object.keys(samples) as JsonType[]).filter((type) => !accepts.includes(type));
  return [...others.flatMap((type) => samples[type]), ...alsoWrong];
}

/** Returns a copy of the body with a value at a path such as `values.1.label`. */
function withValue(body: object, path: string, value: unknown): object {
  const copy = structuredClone(body) as Record<string, unknown>;
  const steps = path.split('.');
  const last = steps.pop() as string;
  let at = copy;
  for (const step of steps) {
    at[step] ??= {};
    at = at[step] as Record<string, unknown>;
  }
  at[last] = value;
  return copy;
}

type Send = (body: object) => Promise<ApiResponse>;

const productPath = `/catalog/products/${simple.tu_id}`;
const createProduct: Send = (body) => client.create('/catalog/products', body);
const changeProduct: Send = (body) => client.patch(productPath, body);
const changeProductOnce: Send = (body) => client.patch(productPath, body, { 'idempotency-key': 'wrong' });
const createAxis: Send = (body) => client.post('/catalog/axes', body);
const createValue: Send = (body) => client.post('/catalog/axes/color/values', body);
const changeAxis: Send = (body) => client.patch('/catalog/axes/color', body);
const changeValue: Send = (body) => client.patch('/catalog/axes/color/values/red', body);
const selectAxes: Send = (body) => client.put(`/catalog/products/${parent.tu_id}/axes`, body);
const createVariant: Send = (body) => client.create(`/catalog/products/${parent.tu_id}/variants`, body);
const changeVariant: Send = (body) => client.patch(`/catalog/variants/${variant.tu_id}`, body);
const generate: Send = (body) => client.create(`/catalog/products/${parent.tu_id}/variants/generate`, body);
const createLocation: Send = (body) => client.post('/catalog/stock/locations', body);
const changeLocation: Send = (body) => client.patch('/catalog/stock/locations/WH', body);
const adjust: Send = (body) => client.create(`/catalog/products/${simple.tu_id}/stock/adjust`, body);

const productFields = {
  sku,
  title: text(255),
  type: string('', 'Simple', 'simple ', 'variant', 'bundle', 'simple\u0000'),
  price_value: money,
  price_currency: string('', 'eur', 'EU', 'EURO', 'ABC', '€', 'EUR ', 'EU\u0000'),
  tax_class: text(64),
  short_description: orNull(string('x'.repeat(5001), ...storable)),
  is_active: boolean,
  default_language: string('', 'en_US', 'e', '-', 'x'.repeat(36), 'en\u0000', '12'),
  versions: object,
  'versions.de': object,
  'versions.de.title': text(255),
  'versions.de.short_description': string('x'.repeat(5001), ...storable),
};
const entryFields = { label, position: integer };
const variantFields = {
  sku,
  price: orNull(object),
  'price.value': orNull(money),
  barcode: orNull(text(64)),
  is_active: boolean,
};
const two = [{ value: 'a' }, { value: 'b' }];
const selected = { code: 'color', values: ['red', 'blue'] };

const bodies: Record<string, [sends: Send[], base: object, fields: Readonly<Record<string, Kind>>]> = {
  'a new product': [[createProduct], { sku: 'WRONG', versions: { fr: {} } }, productFields],
  'a change of a product': [[changeProduct, changeProductOnce], {}, productFields],
  'a change of two fields of a product': [[changeProduct], { tax_class: 'reduced' }, productFields],
  'a new axis': [[createAxis], { code: 'new' }, { code, ...entryFields, values: array }],
  'a new axis with values': [
    [createAxis],
    { code: 'new', values: two },
    { 'values.0': object, 'values.1.value': code, 'values.0.label': label, 'values.0.position': integer },
  ],
  'a new value': [[createValue], { value: 'new' }, { value: code, ...entryFields }],
  'a change of an axis or a value': [[changeAxis, changeValue], {}, { ...entryFields, is_active: boolean }],
  'a selection of axes': [
    [selectAxes],
    { axes: [selected] },
    {
      axes: array,
      'axes.0': object,
      'axes.0.values': { ...array, alsoWrong: [[]] },
      'axes.0.values.1': text(64),
    },
  ],
  'a selection of two axes': [
    [selectAxes],
    { axes: [selected, { ...selected }] },
    { 'axes.1.code': text(64) },
  ],
  'a new variant': [
    [createVariant],
    { sku: 'NEW', axis_values: { color: 'blue' } },
    { ...variantFields, axis_values: object, 'axis_values.color': string('', 'Blue', 'blue ', ...storable) },
  ],
  'a change of a variant': [[changeVariant], {}, variantFields],
  'a generation of variants': [
    [generate],
    {},
    {
      dry_run: boolean,
      activate: boolean,
      sku_template: text(1_000, ' {sku}', '{sku} ', '{sku}\u0000{color}'),
    },
  ],
  'a new location': [
    [createLocation],
    { external_code: 'NEW' },
    { external_code: code, name: text(255), is_active: boolean, pointofsale_tu_id: nothing },
  ],
  'a change of a location': [
    [changeLocation],
    {},
    { external_code: nothing, name: text(255), is_active: boolean, pointofsale_tu_id: nothing },
  ],
  'an adjustment': [
    [adjust],
    { quantity: 1 },
    {
      quantity: integer,
      expected_quantity: integer,
      variant: string(...storable),
      location: orNull(string(...storable)),
      note: text(255),
      reserved: nothing,
    },
  ],
};

async function writtenSoFar(): Promise<object> {
  const [stock] = await apps.sql(`select (select count(*) from stock_movements) as movements,
    (select json_agg(o order by o.id)::text from stock_locations o) as locations,
    (select json_agg(l order by l.id)::text from stock_levels l) as levels`);
  return { ...(await catalogSoFar(apps)), ...stock };
}

describe('a wrong value in', () => {
  // [catalog-9] [catalog-10] [catalog-17] [catalog-27] [catalog-34] [catalog-54] [catalog-67] [catalog-71] [catalog-91]
  for (const [what, [sends, base, fields]] of Object.entries(bodies))
    it(`${what} is refused at its field, and nothing is written`, async () => {
      const before = await writtenSoFar();
      for (const [field, kind] of Object.entries(fields))
        for (const value of wrongValuesOf(kind))
          for (const send of sends)
            assertRefused(await send(withValue(base, field, value)), 'validation_failed', [field]);
      assert.deepEqual(await writtenSoFar(), before);
    });

  it('several fields is reported at all of them', async () => {
    const cases: [Send, object][] = [
      [
        createProduct,
        Object.fromEntries(
          Object.keys(productFields)
            .slice(0, 10)
            .map((name) => [name, []]),
        ),
      ],
      [createVariant, { sku: '', axis_values: 7, price: 1, barcode: '', is_active: 1 }],
      [createLocation, { external_code: '', name: 7, is_active: 'no', pointofsale_tu_id: 'x' }],
      [adjust, { quantity: 'x', expected_quantity: 'x', variant: 7, location: 7, note: 7, reserved: 1 }],
    ];
    for (const [send, body] of cases) assertRefused(await send(body), 'validation_failed', Object.keys(body));
    const axis = { code: '', label: 7, position: -1, values: [{ value: ' ', label: '' }, {}] };
    const inValues = ['values.0.value', 'values.0.label', 'values.1.value'];
    assertRefused(await createAxis(axis), 'validation_failed', ['code', 'label', 'position', ...inValues]);
    const nested = { sku: 'X', axis_values: { color: 7 }, price: { value: -1 } };
    assertRefused(await createVariant(nested), 'validation_failed', ['axis_values.color', 'price.value']);
  });

  it('thousands of places is reported at no more than a hundred of them', async () => {
    const versions = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`k_${i}`, { title: i }]));
    const values = Array.from({ length: 15_000 }, () => ({ value: '..', label: '', position: -1 }));
    const axes = Array.from({ length: 50 }, (_, i) => ({ code: `unknown-${i}`, values: ['', 7, ''] }));
    for (const answer of [
      await createProduct({ sku: 'X', versions }),
      await createAxis({ code: 'x', values }),
      await selectAxes({ axes }),
    ]) {
      assert.equal(answer.status, 422);
      assert.equal(Object.keys(answer.json.errors).length, 100);
    }
  });

  // [D292]
  it('more members than may be is reported at their place alone', async () => {
    const versions = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`k_${i}`, { title: i }]));
    const answer = await createProduct({ sku: 'X', versions });
    assert.deepEqual(answer.json.errors, { versions: ['must have at most 100 entries, not 20000'] });
    const values = Array.from({ length: 30_000 }, (_, i) => ({ value: `v${i}` }));
    values[25_000] = { value: '..' };
    const axis = await createAxis({ code: 'x', values });
    assert.deepEqual(axis.json.errors, { values: ['must have at most 20000 items, not 30000'] });
  });

  it('a request to what does not exist comes before the 404', async () => {
    const nobody = 'aaaaaaaaaaaaaaaaaaaaa';
    const variants = `/catalog/products/${nobody}/variants`;
    for (const [answer, field] of [
      [await client.patch('/catalog/axes/unknown', { position: -1 }), 'position'],
      [await client.create(variants, { sku: 7, axis_values: {} }), 'sku'],
      [await client.patch(`/catalog/variants/${nobody}`, { sku: null }), 'sku'],
    ] as const)
      assertRefused(answer, 'validation_failed', [field]);
  });
});

describe('a missing value', () => {
  // [catalog-9] [catalog-43] [catalog-49]
  it('is refused where the field is required', async () => {
    const cases: [Send, body: object, fields: string[]][] = [
      [createProduct, {}, ['sku']],
      [createProduct, { title: 'x' }, ['sku']],
      [createProduct, { SKU: 'x' }, ['sku']],
      [createProduct, { ' sku': 'x' }, ['sku']],
      [createAxis, {}, ['code']],
      [createAxis, { code: 'new', values: [{}] }, ['values.0.value']],
      [createValue, {}, ['value']],
      [selectAxes, {}, ['axes']],
      [selectAxes, { axes: [{}] }, ['axes.0.code', 'axes.0.values']],
      [createVariant, {}, ['axis_values', 'sku']],
      [createVariant, { sku: 'NEW', axis_values: { color: 'blue' }, price: {} }, ['price.value']],
      [changeVariant, { price: {} }, ['price.value']],
      [createLocation, {}, ['external_code']],
      [adjust, {}, ['quantity']],
    ];
    for (const [send, body, fields] of cases) assertRefused(await send(body), 'validation_failed', fields);
  });
});

describe('a name in a body', () => {
  it('of a language is refused where it is wrong', async () => {
    const long = 'x'.repeat(36);
    for (const tag of [
      'en_US',
      '',
      ' de',
      'de ',
      '__proto__',
      'constructor',
      long,
      '\u0000',
      '*',
      'd e',
      '\ud800',
    ]) {
      const body = `{"versions": {${JSON.stringify(tag)}: {"title": "x"}, "de": {}}}`;
      const shown = JSON.parse(JSON.stringify({ [`versions.${tag}`]: 1 }));
      assertRefused(await client.patch(productPath, body), 'validation_failed', Object.keys(shown));
    }
  });

  it('of an axis is reported under that name, however unusual it is', async () => {
    for (const name of ['a.b', '', ' ', '\u0000', '\ud800', 'x'.repeat(10_000), '~1/', '__proto__']) {
      const body = `{"sku": "X", "axis_values": {"color": "blue", ${JSON.stringify(name)}: "y"}}`;
      const answer = await client.create(`/catalog/products/${parent.tu_id}/variants`, body);
      const field = JSON.parse(JSON.stringify(`axis_values.${name}`.slice(0, 500)));
      assertRefused(answer, 'validation_failed', [field]);
    }
  });

  it('that has a meaning in JavaScript is ignored like any other unknown one', async () => {
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
    const without = await client.create('/catalog/products', '{"__proto__": {"sku": "X"}}');
    assertRefused(without, 'validation_failed', ['sku']);
  });
});
