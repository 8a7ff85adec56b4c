import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Type } from 'typebox';
import { Nullable, Prohibited } from '../field-schemas.ts';
import { unknownNameFinder, unknownNameMessage } from '../unknown-names.ts';

const Line = Type.Object({ sku: Type.String(), at: Type.Optional(Type.Object({ code: Type.String() })) });
const schema = Type.Object({
  source: Type.String(),
  lines: Type.Array(Line),
  price: Nullable(Type.Object({ value: Type.Number() })),
  versions: Type.Unsafe({ type: 'object', additionalProperties: Type.Object({ title: Type.String() }) }),
  labels: Type.Unsafe({ type: 'object', additionalProperties: { type: 'string' } }),
  tags: Type.Array(Type.String()),
  closed: Type.Object({ a: Type.String() }, { additionalProperties: false }),
  reserved: Prohibited('never'),
});
const find = unknownNameFinder(schema, ['stock_count']);
const paths = (value: unknown, limit = 20) => find(value, limit).map(({ path }) => path);

describe('unknown names', () => {
  it('are found at every depth, in the order in which they were sent', () => {
    const body = {
      x: 1,
      lines: [{ sku: 'a' }, { sku: 'b', qty: 1, at: { code: 'c', y: 1 } }],
      price: { value: 1, currency: 'EUR' },
      versions: { de: { title: 't', titel: 'x' } },
      z: { deep: { deeper: 1 } },
    };
    assert.deepEqual(paths(body), [
      'x',
      'lines.1.qty',
      'lines.1.at.y',
      'price.currency',
      'versions.de.titel',
      'z',
    ]);
  });

  it('are not: keys of maps, fields that are prohibited or refused by name, fields that are dropped', () => {
    assert.deepEqual(
      paths({
        versions: { de: {} },
        labels: { a: 'b' },
        tags: ['a'],
        reserved: 1,
        closed: { b: 1 },
        stock_count: 1,
      }),
      [],
    );
    assert.deepEqual(paths({ lines: [{ stock_count: 1 }] }), ['lines.0.stock_count']);
  });

  it('are not looked for in values of another type, which the schema refuses', () => {
    for (const odd of [null, 7, 'x', true, [], [{ a: 1 }]]) {
      assert.deepEqual(paths(odd), []);
      assert.deepEqual(
        paths({ lines: odd, price: odd, versions: odd, closed: odd }).filter((path) => path !== 'lines.0.a'),
        [],
      );
    }
  });

  it('are as many as were asked for, also in a hostile body', () => {
    const wide = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`f${index}`, 1]));
    assert.equal(paths(wide).length, 20);
    assert.equal(paths({ lines: Array.from({ length: 50_000 }, () => ({ q: 1 })) }, 100).length, 100);
  });

  it('may be those that every object has, without doing harm', () => {
    const body = JSON.parse(
      '{"__proto__": {"polluted": 1}, "constructor": 1, "toString": 1, "lines": [{"__proto__": 1}]}',
    );
    assert.deepEqual(paths(body), ['__proto__', 'constructor', 'toString', 'lines.0.__proto__']);
    assert.equal('polluted' in {}, false);
    const [proto] = find(body, 1);
    assert.ok(proto !== undefined && unknownNameMessage(proto).startsWith('is not a known field'));
  });

  it('are all names where no schema is', () => {
    const none = unknownNameFinder(undefined);
    assert.deepEqual(
      none({ a: 1, b: { c: 1 } }, 20).map(({ path }) => path),
      ['a', 'b'],
    );
    assert.equal(
      unknownNameMessage(none({ a: 1 }, 1)[0] as never, 'query parameter'),
      'is not a known query parameter',
    );
  });

  it('do not include known names, for any body', () => {
    const body = fc.record(
      { source: fc.string(), lines: fc.array(fc.record({ sku: fc.string() })), tags: fc.array(fc.string()) },
      { requiredKeys: [] },
    );
    fc.assert(fc.property(body, (sent) => paths(sent).length === 0));
    fc.assert(fc.property(fc.jsonValue(), (sent) => paths(sent, 5).length <= 5));
  });
});

describe('the message of strict handling', () => {
  const messageOf = (body: object) => unknownNameMessage(find(body, 1)[0] as never);

  it('asks whether the nearest known name was meant', () => {
    assert.equal(messageOf({ sourc: 1 }), 'is not a known field; did you mean "source"?');
    assert.equal(messageOf({ lines: [{ SKU: 1 }] }), 'is not a known field; did you mean "sku"?');
    assert.equal(messageOf({ zzzzzz: 1 }), 'is not a known field; the nearest one is "source"');
  });

  it('never proposes what is prohibited', () => {
    assert.doesNotMatch(messageOf({ reservd: 1 }), /"reserved"/);
  });
});
