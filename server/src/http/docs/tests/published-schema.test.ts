import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type TSchema, Type } from 'typebox';
import { anyText } from '../../../../test/support/any-text.ts';
import {
  Currency,
  LanguageTag,
  Money,
  NamedObject,
  Nullable,
  Prohibited,
  Text,
  TrimmedText,
} from '../../../api/field-schemas.ts';
import { textFormats } from '../../validation/formats.ts';
import { publishedForms, schemaPublisher, standardFormats } from '../published-schema.ts';
import { documents } from './document-reader.ts';

const published = (schema: TSchema) => schemaPublisher().schema(schema);

describe('a published schema', () => {
  it('has no format that only Brandport knows, and keeps what describes the value', () => {
    assert.deepEqual(published(Text({ max: 5 })), { type: 'string', minLength: 1, maxLength: 5 });
    const { description, ...money } = published(Money({ description: 'The price.' }));
    assert.deepEqual(money, { type: 'number', minimum: 0, maximum: 99_999_999_999.9999 });
    assert.match(String(description), /^The price\. At most 4 decimal places\. /);
    assert.equal(published(LanguageTag())['description'], publishedForms['bcp-47']?.description);
    assert.deepEqual(published(Nullable(Currency()))['type'], ['string', 'null']);
  });

  it('is rewritten at every depth, but not where a format is only the name of a property', () => {
    const schema = Type.Object({
      format: Type.Array(TrimmedText({ max: 3 })),
      either: Type.Union([Text({ max: 1 }), Type.Null()]),
    });
    const { properties } = published(schema) as { properties: Record<string, Record<string, unknown>> };
    assert.deepEqual(properties['format'], {
      type: 'array',
      items: { pattern: '^\\S(?:[\\s\\S]*\\S)?$', type: 'string', minLength: 1, maxLength: 3 },
    });
    assert.deepEqual(properties['either']?.['anyOf'], [
      { type: 'string', minLength: 1, maxLength: 1 },
      { type: 'null' },
    ]);
  });

  it('refers to what has a name, and has it once, in the order of the names', () => {
    const Point = NamedObject('Point', { x: Type.Integer() });
    const Line = NamedObject('Line', { from: Point, to: Type.Optional(Point) });
    const publisher = schemaPublisher();
    const reference = { $ref: '#/components/schemas/Point' };
    assert.deepEqual(publisher.schema(Type.Array(Point)), { type: 'array', items: reference });
    assert.deepEqual(publisher.schema(Line), { $ref: '#/components/schemas/Line' });
    const components = publisher.components();
    assert.deepEqual(Object.keys(components), ['Line', 'Point']);
    assert.deepEqual(components['Line']?.['properties'], { from: reference, to: reference });
    assert.deepEqual(components['Point'], {
      type: 'object',
      required: ['x'],
      properties: { x: { type: 'integer' } },
    });
  });

  it('has no name that another schema has, and none where it may be null', () => {
    const Point = NamedObject('Point', { x: Type.Integer() });
    const publisher = schemaPublisher();
    publisher.schema(Point);
    const other = NamedObject('Point', { y: Type.Integer() });
    assert.throws(() => publisher.schema(Type.Array(other)), /Two schemas are called Point/);
    assert.deepEqual(publisher.schema(Nullable(Point))['type'], ['object', 'null']);
  });

  it('names a prohibited field in its description instead of having it as a property', () => {
    const schema = Type.Object({
      name: Type.Optional(Text({ max: 5 })),
      code: Prohibited('a code never changes.'),
    });
    const { properties, description } = published(schema);
    assert.deepEqual(Object.keys(properties as object), ['name']);
    assert.equal(description, '`code` is not accepted: a code never changes.');
  });

  it('tells the default of a property in its description, because generators make such a field required', () => {
    const { properties } = published(
      Type.Object({
        told: Type.Optional(Type.Boolean({ default: false, description: 'Really?' })),
        bare: Type.Optional(Type.String({ default: 'x' })),
      }),
    );
    assert.deepEqual(properties, {
      told: { type: 'boolean', description: 'Really? Default: `false`.' },
      bare: { type: 'string', description: 'Default: `"x"`.' },
    });
    assert.equal(published(Type.Integer({ default: 50 }))['default'], 50);
  });

  it('says of an object without described properties that it may have any', () => {
    assert.equal(published(Type.Object({}))['additionalProperties'], true);
    const anyOrNull = Type.Unsafe({ type: ['object', 'null'] });
    assert.equal(published(anyOrNull)['additionalProperties'], true);
    assert.equal(published(Type.Object({ a: Type.Integer() }))['additionalProperties'], undefined);
  });

  it('has only known formats', () => {
    assert.throws(() => published(Type.String({ format: 'iban' })), /iban has no published form/);
  });
});

describe('the published formats', () => {
  it('cover every format of the validator', () => {
    for (const format of [...Object.keys(textFormats), 'money'])
      assert.ok(standardFormats.has(format) || publishedForms[format] !== undefined, format);
  });

  it('accept everything that the validator accepts', () => {
    const texts = fc.oneof(
      anyText({ maxLength: 12 }),
      fc.stringMatching(/^[a-zA-Z]{2,3}(-[A-Za-z]{4})?(-[A-Z]{2})?$/),
      fc.constantFrom(
        'EUR',
        'en',
        'zh-Hant-TW',
        'de-1996',
        'en-u-ca-gregory',
        'sl-rozaj-biske-1994',
        'x-private',
        'i-klingon',
        'a\nb',
      ),
    );
    for (const [format, { validate }] of Object.entries(textFormats)) {
      const { pattern } = publishedForms[format] ?? {};
      if (pattern === undefined) continue;
      const expression = new RegExp(pattern, 'u');
      const isKept = (text: string) => !validate(text) || text === '' || expression.test(text);
      fc.assert(fc.property(texts, isKept));
    }
  });

  it('are the only ones in the documents', () => {
    for (const { reader } of documents)
      for (const { path, node } of reader.nodes())
        if (typeof node.format === 'string')
          assert.ok(standardFormats.has(node.format), `${path}: ${node.format}`);
  });
});
