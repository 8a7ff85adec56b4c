import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type TSchema, Type } from 'typebox';
import {
  Currency,
  Instant,
  Money,
  Nullable,
  Prohibited,
  Text,
  TrimmedText,
} from '../../../api/field-schemas.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { clientDomains, internalOperations } from '../../operations.ts';
import { createValidatorCompiler } from '../validator.ts';

const compile = createValidatorCompiler();
const schemaKeywords = ['items', 'additionalProperties', 'propertyNames', 'not'];

/** The messages by field that a body gets; null when it is valid. */
function errorsOf(schema: TSchema, body: unknown, httpPart = 'body'): unknown {
  const outcome = compile({ schema, httpPart, method: 'POST', url: '/' })(body);
  assert.ok(typeof outcome === 'object');
  if (!('error' in outcome)) return null;
  assert.ok(outcome.error instanceof ApiError);
  assert.equal(outcome.error.code, 'validation_failed');
  return outcome.error.details.errors;
}

const line = Type.Object({
  quantity: Type.Integer({ minimum: 0, maximum: 10 }),
  note: Type.Optional(Text({ max: 3 })),
});
const schema = Type.Object({
  lines: Type.Array(line, { maxItems: 200 }),
  'a/b~c': Type.Optional(Type.Boolean()),
});

describe('the field of an error', () => {
  // [platform-17]
  it('is a dotted path with indexes', () => {
    assert.deepEqual(errorsOf(schema, { lines: [{ quantity: 1 }, { quantity: 'x' }] }), {
      'lines.1.quantity': ['must be an integer'],
    });
  });

  it('names a key that is missing', () => {
    assert.deepEqual(errorsOf(schema, { lines: [{}] }), { 'lines.0.quantity': ['is required'] });
    assert.deepEqual(errorsOf(schema, {}), { lines: ['is required'] });
  });

  it('is the whole body where the body itself is wrong', () => {
    assert.deepEqual(errorsOf(schema, 5), { body: ['must be an object'] });
  });

  it('shows a key as it was sent, also with the characters that the validator escapes', () => {
    assert.deepEqual(errorsOf(schema, { lines: [], 'a/b~c': 1 }), { 'a/b~c': ['must be a boolean'] });
  });

  it('names a malformed key once, and says what is wrong with it', () => {
    const map = Type.Unsafe({ type: 'object', propertyNames: { format: 'bcp-47' } });
    assert.deepEqual(errorsOf(Type.Object({ versions: map }), { versions: { en_US: 1, de: 1 } }), {
      'versions.en_US': ['must be a BCP 47 language tag, such as de or pt-BR'],
    });
  });

  it('may be called __proto__ without doing harm', () => {
    const map = Type.Unsafe({ type: 'object', additionalProperties: { type: 'string' } });
    const errors = errorsOf(map, JSON.parse('{"__proto__": 1}'));
    assert.equal(JSON.stringify(errors), '{"__proto__":["must be a string"]}');
    assert.equal('0' in {}, false);
  });
});

describe('the errors of one request', () => {
  // [platform-18]
  it('are all told at once', () => {
    const body = { lines: [{ quantity: -1 }, { quantity: 11, note: 'long' }, 7] };
    assert.deepEqual(errorsOf(schema, body), {
      'lines.0.quantity': ['must be at least 0'],
      'lines.1.quantity': ['must be at most 10'],
      'lines.1.note': ['must have at most 3 characters'],
      'lines.2': ['must be an object'],
    });
  });

  // [platform-18]
  it('are listed up to 100 fields', () => {
    const body = { lines: Array.from({ length: 150 }, () => ({ quantity: 'x' })) };
    const fields = Object.keys(errorsOf(schema, body) as object);
    assert.equal(fields.length, 100);
    assert.equal(fields[99], 'lines.99.quantity');
  });
});

describe('the message of an error', () => {
  const field = (property: TSchema, value: unknown) =>
    (errorsOf(Type.Object({ f: property }), { f: value }) as { f: string[] } | null)?.f ?? null;

  for (const [property, value, message] of [
    [Type.String(), 5, 'must be a string'],
    [Nullable(Type.String()), 5, 'must be a string or null'],
    [Type.Number(), Number.POSITIVE_INFINITY, 'must be a number'],
    [Type.Array(Type.String()), {}, 'must be an array'],
    [Type.Boolean(), 'true', 'must be a boolean'],
    [Text({ max: 5 }), '', 'must not be empty'],
    [Text({ min: 2, max: 5 }), 'a', 'must have at least 2 characters'],
    [Text({ max: 5 }), 'a\u0000', 'must not contain U+0000 or unpaired surrogates'],
    [
      TrimmedText({ max: 5 }),
      ' a',
      'must not start or end with white space, nor contain U+0000 or unpaired surrogates',
    ],
    [Instant(), '2026-02-30T00:00:00Z', 'must be a date-time with an offset, such as 2026-03-01T08:30:00Z'],
    [Currency(), 'eur', 'must be an ISO 4217 code of three capital letters, such as EUR'],
    [Currency(), 'ZZZ', 'must be an ISO 4217 code of three capital letters, such as EUR'],
    [Money(), 0.00001, 'must have at most 4 decimal places'],
    [Money(), 19.99999, 'must have at most 4 decimal places'],
    ...[
      [11.120000000000001, 11.12],
      [0.1 + 0.2, 0.3],
      [1.1 * 3, 3.3],
      [12_345_678_901.2 + 0.1, 12_345_678_901.3],
    ].map(
      ([value, rounded]) =>
        [
          Money(),
          value,
          `must have at most 4 decimal places; round a computed price before you send it, here to ${rounded}`,
        ] as const,
    ),
    [Money(), 1e11, 'must be at most 99999999999.9999'],
    [Type.String({ enum: ['a', 'b'] }), 'c', 'must be one of a, b'],
    [Type.Array(Type.String(), { maxItems: 1 }), ['a', 'b'], 'must have at most 1 item, not 2'],
    [
      Type.Record(Type.String(), Type.String(), { maxProperties: 1 }),
      { a: 'x', b: 'y' },
      'must have at most 1 entry, not 2',
    ],
    [
      Type.Array(Type.Object({ values: Type.Array(Type.Integer()) }), { 'x-maxValues': 2 }),
      [{ values: [1, 2] }, { values: [3] }],
      'must have at most 2 values in all, not 3',
    ],
    [
      Type.Unsafe({ type: 'object', 'x-maxTextBytes': 3 }),
      { de: { title: 'ää' }, x: 1, y: null },
      'must have at most 3 bytes of text in all (UTF-8), not 4',
    ],
    [Type.Array(Type.String(), { minItems: 1 }), [], 'must have at least 1 item'],
    [Type.Array(Type.String(), { minItems: 2 }), [], 'must have at least 2 items'],
    [Prohibited('it is computed'), 1, 'is prohibited'],
  ] as const)
    it(`for ${JSON.stringify(value)} is "${message}"`, () =>
      assert.deepEqual(field(property, value), [message]));

  // [platform-37]
  it('in a query tells the values that the parameter takes, and that it is given once', () => {
    const query = (property: TSchema, f: unknown) =>
      errorsOf(Type.Object({ f: property }), { f }, 'querystring');
    for (const text of ['True', 'yes', '', '2'])
      assert.deepEqual(query(Type.Boolean(), text), { f: ['must be true, false, 1 or 0'] });
    for (const property of [
      Type.Boolean(),
      Type.Integer({ maximum: 5 }),
      Type.String({ enum: ['a'] }),
      Instant(),
    ])
      assert.deepEqual(query(property, ['1', '1']), { f: ['must be given once'] });
    assert.deepEqual(query(Type.Integer({ maximum: 200 }), '201'), { f: ['must be at most 200'] });
    assert.deepEqual(query(Type.String({ enum: ['a', 'b'] }), 'c'), { f: ['must be one of a, b'] });
  });

  it('is never that of the validator, which names its own rules', () => {
    const operations = [...clientDomains.flatMap((domain) => domain.operations), ...internalOperations];
    const keywords = new Set<string>();
    const collect = (schema: object) => {
      for (const [keyword, value] of Object.entries(schema)) {
        keywords.add(keyword);
        if (keyword === 'properties')
          for (const property of Object.values(value)) collect(property as object);
        else if (schemaKeywords.includes(keyword)) collect(value);
      }
    };
    for (const { query, body } of operations) for (const schema of [query, body]) if (schema) collect(schema);
    const rules = [...keywords].filter(
      (keyword) => !['$id', 'properties', 'description', 'examples', 'default'].includes(keyword),
    );
    const withMessages =
      'additionalProperties enum format items maxItems maxLength maxProperties maximum minItems minLength minimum not pattern propertyNames required type x-maxTextBytes x-maxValues';
    assert.deepEqual(rules.sort(), withMessages.split(' '));
  });

  it('never repeats what was sent', () => {
    const canary = 'canary-1f2e';
    const messages = JSON.stringify([
      field(Type.Integer(), canary),
      field(Currency(), canary),
      field(Instant(), canary),
      field(Type.String({ enum: ['a'] }), canary),
    ]);
    assert.ok(!messages.includes(canary), messages);
  });
});
