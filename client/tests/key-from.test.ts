import assert from 'node:assert/strict';
import { it } from 'node:test';
import { keyFrom } from '../src/index.ts';

it('a key from content depends on the values, and not on the order of their properties', async () => {
  const key = await keyFrom('import', { sku: 'A', versions: { de: 'x', en: 'y' }, tags: [1, 2] });
  assert.match(key, /^[0-9a-f]{64}$/);
  assert.equal(key, await keyFrom('import', { tags: [1, 2], versions: { en: 'y', de: 'x' }, sku: 'A' }));
  // Integer-like names come first in every object of JavaScript.
  assert.equal(await keyFrom({ b: 1, 10: 2, 9: 3 }), await keyFrom({ 9: 3, 10: 2, b: 1 }));
  const others = [
    ['import', { sku: 'A', versions: { de: 'x', en: 'y' }, tags: [2, 1] }],
    ['import', { sku: 'A', versions: { de: 'x' }, tags: [1, 2] }],
    ['imports', { sku: 'A', versions: { de: 'x', en: 'y' }, tags: [1, 2] }],
    [{ sku: 'A', versions: { de: 'x', en: 'y' }, tags: [1, 2] }],
  ];
  const keys = await Promise.all(others.map((parts) => keyFrom(...parts)));
  assert.equal(new Set([key, ...keys]).size, 5);
});
