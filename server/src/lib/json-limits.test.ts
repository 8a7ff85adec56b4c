import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { type JsonLimits, keepsJsonLimits } from './json-limits.ts';

const none: JsonLimits = {
  values: Number.POSITIVE_INFINITY,
  depth: Number.POSITIVE_INFINITY,
  fields: Number.POSITIVE_INFINITY,
};

function keeps(value: unknown, limits: Partial<JsonLimits>): boolean {
  return keepsJsonLimits(Buffer.from(JSON.stringify(value)), { ...none, ...limits });
}

const isHolder = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** An empty object or array as if it held one value. */
function valuesIn(value: unknown): number {
  if (!isHolder(value)) return 1;
  const parts = Object.values(value);
  return 1 + (parts.length === 0 ? 1 : parts.reduce((sum: number, part) => sum + valuesIn(part), 0));
}

function depthOf(value: unknown): number {
  return isHolder(value) ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
}

function fieldsIn(value: unknown): number {
  if (!isHolder(value)) return 0;
  const own = Array.isArray(value) ? 0 : Math.max(1, Object.keys(value).length);
  return Math.max(own, ...Object.values(value).map(fieldsIn));
}

it('whatever the text says, each limit lets through exactly what keeps to it', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const limits = { values: valuesIn(value), depth: depthOf(value), fields: fieldsIn(value) };
      assert.ok(keeps(value, limits));
      for (const [name, limit] of Object.entries(limits))
        if (limit > 0) assert.ok(!keeps(value, { [name]: limit - 1 }), name);
    }),
  );
});

it('is not misled by what stands in strings', () => {
  const value = { '[{,"\\': '\\"[[[[,,,,{{"', b: '日"[' };
  assert.ok(keeps(value, { values: 3, depth: 1, fields: 2 }));
  assert.ok(!keeps(value, { values: 2 }));
});

it('counts the same with white space', () => {
  const text = JSON.stringify([{ a: [1, 2] }, {}], null, '\t');
  assert.ok(keepsJsonLimits(Buffer.from(text), { values: 7, depth: 3, fields: 1 }));
  assert.ok(!keepsJsonLimits(Buffer.from(text), { values: 6, depth: 3, fields: 1 }));
});

it('ends with what is no JSON', () => {
  for (const text of ['', '}}}]]]', '"', '"\\', '{"a":', ',,,,', ']['])
    assert.equal(typeof keepsJsonLimits(Buffer.from(text), none), 'boolean');
});
