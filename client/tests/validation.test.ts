// processes: asks the service about every wrong value that the SDK refuses
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import { type BodyName, bodyProblems, cellValue, csvLines } from '../src/index.ts';
import { startSdkService } from './sdk-service.ts';

const { apps, newBrand } = await startSdkService();
after(() => apps.clientApp.close());
const { apiKey } = await newBrand();
const client = apps.clientWith(apiKey);

const hour = 3_600_000;
const ahead = (ms: number) => new Date(apps.clock.now() + ms).toISOString();
const texts = [
  ...[
    '',
    ' ',
    'a',
    ' a',
    'a ',
    'a\u0085',
    '\ufeffa',
    'a\u0000b',
    '\ud800',
    '😀',
    'a\u200b',
    'par is',
    '.',
    '..',
    '~',
  ],
  ...[64, 65, 191, 192, 255, 256, 1_000, 1_001].flatMap((length) => [
    'x'.repeat(length),
    '😀'.repeat(length),
  ]),
];
const languages = [
  'en',
  'en_US',
  'sv-SE',
  'x-a',
  'e',
  'de-DE-1996',
  'i-klingon',
  'en-',
  'a'.repeat(36),
  '',
  'EN',
];
const values = {
  text: texts,
  price: [
    0,
    -1,
    -0,
    19.5,
    1.2345,
    1.23456,
    999_999_999_999,
    99_999_999_999.9999,
    1e-7,
    1.112 * 10,
    '12',
    null,
  ],
  currency: ['EUR', 'XXQ', 'ABC', 'eur', 'XTS', 'EURO', '', 978],
  language: languages,
  time: [
    ...[
      '2026-02-30T10:00:00Z',
      '2026-02-28T10:00Z',
      '2026-02-28T10:00:00+0100',
      '2026-02-28T10:00:00.123456Z',
    ],
    ...[
      '2026-02-28 10:00:00Z',
      '2026-02-28T10:00:00',
      '2026-02-28',
      '0000-01-01T00:00:00Z',
      '9999-12-31T00:00:00Z',
    ],
    ...['2026-02-28T24:00:00Z', '2026-02-28T10:00:60Z', 'yesterday', '', ahead(23 * hour), ahead(25 * hour)],
  ],
  integer: [0, 1, -1, 1.5, 2_147_483_647, 2_147_483_648, '1', null, true],
  flag: [true, false, 'true', 1, null],
  other: [null, 7, [], {}, 'a', true],
} as const;

type Kind = keyof typeof values;
const nameOf = fc.constantFrom<string>(...languages, 'a\u0000', 'b');
const good: Readonly<Record<Kind, unknown>> = {
  text: 'a',
  price: 19.5,
  currency: 'EUR',
  language: 'sv-SE',
  time: '2026-02-28T10:00:00+0100',
  integer: 1,
  flag: true,
  other: null,
};
const any = (kind: Kind) =>
  fc.oneof(
    { weight: 20, arbitrary: fc.constant(good[kind]) },
    { weight: 5, arbitrary: fc.constantFrom<unknown>(...values[kind]) },
    fc.constantFrom<unknown>(...values.other),
  );
const translations = fc.dictionary(
  nameOf,
  fc.record({ title: any('text'), short_description: any('text') }, { requiredKeys: [] }),
  { maxKeys: 2 },
);
const sku = fc.oneof({ weight: 3, arbitrary: fc.nat().map((n) => `S${n}`) }, any('text'));

/** Fields with values at their edges; each body has some of them. */
const bodies: Partial<Record<BodyName, { readonly path: string; readonly body: fc.Arbitrary<object> }>> = {
  ProductCreate: {
    path: '/catalog/products',
    body: fc.record(
      {
        sku,
        title: any('text'),
        type: fc.constantFrom('simple', 'other', 1),
        price_value: any('price'),
        price_currency: any('currency'),
        tax_class: any('text'),
        short_description: any('text'),
        is_active: any('flag'),
        default_language: any('language'),
        versions: fc.oneof({ weight: 4, arbitrary: translations }, any('other')),
      },
      { requiredKeys: [] },
    ),
  },
  StockLocationCreate: {
    path: '/catalog/stock/locations',
    body: fc.record(
      { external_code: any('text'), name: any('text'), is_active: any('flag') },
      { requiredKeys: [] },
    ),
  },
  AxisCreate: {
    path: '/catalog/axes',
    body: fc.record(
      {
        code: any('text'),
        label: any('text'),
        position: any('integer'),
        values: fc.array(fc.record({ value: any('text'), label: any('text') }, { requiredKeys: [] }), {
          maxLength: 1,
        }),
      },
      { requiredKeys: [] },
    ),
  },
  FeedLine: {
    path: '/catalog/stock/feeds',
    body: fc.record(
      {
        sku: any('text'),
        location_code: any('text'),
        quantity: any('integer'),
        reserved: any('integer'),
        updated_at: any('time'),
      },
      { requiredKeys: ['sku', 'location_code', 'quantity'] },
    ),
  },
};

const hasRepeatedLanguage = (body: { versions?: unknown }) => {
  const tags = Object.keys(body.versions ?? {}).map((tag) => tag.toLowerCase());
  return new Set(tags).size < tags.length;
};

describe('bodyProblems [D291]', () => {
  for (const [name, { path, body }] of Object.entries(bodies))
    it(`refuses of ${name} what the service refuses, with its messages, and nothing else`, async () => {
      const seen = { refused: 0, accepted: 0 };
      await fc.assert(
        fc.asyncProperty(body, async (sent) => {
          fc.pre(!hasRepeatedLanguage(sent));
          const isLine = name === 'FeedLine';
          const { status, json } = await client.post(
            path,
            isLine ? { source: 'erp', mode: 'snapshot', lines: [sent] } : sent,
            { 'idempotency-key': crypto.randomUUID() },
          );
          const found: Record<string, string[]> = {};
          for (const problem of bodyProblems(name as BodyName, sent, apps.clock.now())) {
            const field = problem.path.join('.').slice(0, 500);
            found[field] = [...new Set([...(found[field] ?? []), problem.message])];
          }
          const errors = Object.fromEntries(
            Object.entries((json.errors ?? {}) as Record<string, string[]>).map(([field, messages]) => [
              field.replace(/^lines\.0\.?/, ''),
              messages,
            ]),
          );
          assert.equal(status === 422, Object.keys(found).length > 0, JSON.stringify([sent, errors, found]));
          // A reader of feeds reports one message of a field.
          if (isLine) assert.deepEqual(Object.keys(found).sort(), Object.keys(errors).sort());
          else assert.deepEqual(sorted(found), sorted(errors));
          seen[status === 422 ? 'refused' : 'accepted'] += 1;
        }),
        { numRuns: 300 },
      );
      assert.ok(seen.refused > 30 && seen.accepted > 10, JSON.stringify(seen));
    });

  it('reads cells of CSV as the command line does: without white space, and texts that are no numbers as texts', () => {
    const cells = ['\u0085 A\ufeff', ' 7 ', '-1', '1,5', '1.5', '1.234,50', '0x1', '1e3', ' ', ''];
    assert.deepEqual(
      cells.map((cell) => cellValue(cell, 'number')),
      ['A', 7, -1, '1,5', 1.5, '1.234,50', '0x1', '1e3', undefined, undefined],
    );
    assert.deepEqual([cellValue('1,5', 'number', ','), cellValue('1.5', 'number', ',')], [1.5, '1.5']);
    const prices = ['1.234', '12.345', '1.2340', '0.125', '1234.567', '1,234'];
    assert.deepEqual(
      prices.map((cell) => cellValue(cell, 'number')),
      ['1.234', '12.345', 1.234, 0.125, 1234.567, '1,234'],
    );
    assert.equal(cellValue('1,234', 'number', ','), '1,234');
    const integers = ['3', '-3', '3.0', '3.0000', '3.000', '3,000', '3,0', '3.5'];
    for (const decimal of ['.', ','] as const)
      assert.deepEqual(
        integers.map((cell) => cellValue(cell, 'integer', decimal)),
        [3, -3, 3, 3, '3.000', '3,000', '3,0', '3.5'],
      );
    assert.deepEqual(
      ['Yes', '0', 'x'].map((cell) => cellValue(cell, 'boolean')),
      [true, false, 'x'],
    );
  });

  it('lets CSV pass that the service takes, and names line and column of the rest', async () => {
    const head = 'sku,location_code,quantity,updated_at\n';
    const [line] = await Array.fromAsync(csvLines(`${head}\u00a0A ,hall, 1,2026-11-01T10:00:00+0100\n`));
    assert.deepEqual(bodyProblems('FeedLine', line), []);
    await assert.rejects(
      Array.fromAsync(csvLines(`${head}A,"ha\nll",1,\nB,hall,-1,`)),
      /Line 4 .* quantity must/,
    );
  });
});

function sorted(errors: Readonly<Record<string, readonly string[]>>) {
  return Object.entries(errors)
    .map(([field, messages]) => [field, messages.toSorted()])
    .sort();
}
