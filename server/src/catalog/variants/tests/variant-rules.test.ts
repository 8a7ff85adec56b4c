import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Caller } from '../../../api/scopes.ts';
import type { AxisSelection } from '../../axis-selection/axis-selection.ts';
import type { SkuHolder } from '../../skus/sku-store.ts';
import { generatedVariants } from '../generation.ts';
import { changedVariant, newVariant, type VariantsBefore } from '../variant.ts';

const now = new Date('2026-03-01T08:30:00.000Z');
const caller: Caller = {
  brandId: 1,
  keyId: 'key',
  lineageId: 1,
  keyName: null,
  expiresAt: null,
  scopes: new Set(['catalog.products:read']),
};
const entry = { label: null, position: 0, isActive: true };
const selection: AxisSelection = [
  { id: 9, code: 'size', ...entry, values: [{ id: 5, value: 's', ...entry }] },
  { id: 4, code: 'color', ...entry, values: [{ id: 6, value: 'red', ...entry }] },
];
const ids = { id: 3, tuId: 'v' };
const before: VariantsBefore = { selection, takenCombination: null, lastPosition: 4 };
const write = { caller, holder: null, stamp: () => now };
const refused = { ...write, stamp: () => assert.fail('a refusal takes no stamp') };
const given = { sku: 'V', axisValues: { color: 'red', size: 's' } };
const holder: SkuHolder = { kind: 'product', tuId: 'p', isDeleted: false };

describe('a new variant', () => {
  it('has defaults, the next position, and its values in the order of the product', () => {
    const { variant, combination } = newVariant(given, ids, before, write);
    assert.equal(combination, '4:6,9:5');
    assert.deepEqual(Object.keys(variant.axisValues), ['size', 'color']);
    const { isActive, priceValue, barcode, position, createdAt, updatedAt } = variant;
    assert.deepEqual(
      [isActive, priceValue, barcode, position, createdAt, updatedAt],
      [false, null, null, 5, now, now],
    );
  });

  it('is refused for its axis values, then for its SKU, then for its combination', () => {
    const taken = { ...before, takenCombination: '4:6,9:5' };
    const held = { ...refused, holder };
    assert.throws(() => newVariant({ sku: 'V', axisValues: { color: 'red' } }, ids, taken, held), {
      code: 'validation_failed',
    });
    assert.throws(() => newVariant(given, ids, taken, held), { code: 'duplicate_sku' });
    assert.throws(() => newVariant(given, ids, taken, refused), { code: 'conflict' });
  });
});

describe('the variants of a generation', () => {
  const candidates = [
    { sku: 'P-1', combination: '4:6,9:5' },
    { sku: 'P-2', combination: '4:6,9:7' },
  ];
  const ids = [
    { id: 11, tuId: 'a' },
    { id: 12, tuId: 'b' },
  ];
  const plan = { selection, takenSkus: new Set<string>(), ids, lastPosition: 4, isActive: true };

  it('have their ids, SKUs and combinations in order, the next positions, and one stamp', () => {
    const stamps = [now];
    const made = generatedVariants(candidates, { ...plan, stamp: () => stamps.pop() ?? assert.fail() });
    assert.deepEqual(
      made.map(({ variant: { id, tuId, sku, position }, combination }) => [
        id,
        tuId,
        sku,
        position,
        combination,
      ]),
      [
        [11, 'a', 'P-1', 5, '4:6,9:5'],
        [12, 'b', 'P-2', 6, '4:6,9:7'],
      ],
    );
    for (const { variant } of made) {
      const { isActive, priceValue, barcode, createdAt, updatedAt } = variant;
      assert.deepEqual([isActive, priceValue, barcode, createdAt, updatedAt], [true, null, null, now, now]);
    }
  });

  it('are none if one SKU is taken, which takes no stamp; nor does a generation of nothing', () => {
    const stamp = () => assert.fail('no stamp');
    assert.throws(() => generatedVariants(candidates, { ...plan, takenSkus: new Set(['P-2']), stamp }), {
      code: 'conflict',
      message: 'The SKU P-2 is already in use. Nothing was created.',
    });
    assert.deepEqual(generatedVariants([], { ...plan, ids: [], stamp }), []);
  });
});

describe('a changed variant', () => {
  const { variant } = newVariant(given, ids, before, write);
  const later = new Date('2026-03-02T08:30:00.000Z');

  it('has the given fields, and is stamped', () => {
    const changed = changedVariant(variant, { priceValue: 2 }, { ...write, stamp: () => later });
    assert.deepEqual(changed, { ...variant, priceValue: 2, updatedAt: later });
  });

  it('is the same one if nothing differs, also if it names its own SKU', () => {
    assert.equal(changedVariant(variant, {}, refused), variant);
    assert.equal(changedVariant(variant, { sku: 'V', barcode: null }, { ...refused, holder }), variant);
  });

  it('is refused for a taken SKU', () => {
    assert.throws(() => changedVariant(variant, { sku: 'W' }, { ...refused, holder }), {
      code: 'duplicate_sku',
    });
  });
});
