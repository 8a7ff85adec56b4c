import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Caller } from '../../../api/access.ts';
import type { ApiError } from '../../../errors/api-error.ts';
import type { AxisSelection } from '../../axis-selection/axis-selection.ts';
import { FieldProblems } from '../../catalog-requests.ts';
import type { SkuHolder } from '../../skus/sku-store.ts';
import { generatedVariants } from '../generate-variants.ts';
import { countCombinations, listCombinations } from '../generation-candidates.ts';
import {
  type AxisValues,
  changedVariant,
  combinationOf,
  combinationReader,
  newVariant,
  type VariantsBefore,
} from '../variant.ts';
import { anySelection, selectionOf } from './selection.ts';

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

const tee = selectionOf({ color: ['red', 'blue'], size: ['s', 'm'] });

function combined(axisValues: AxisValues, selection: AxisSelection = tee): string {
  const problems = new FieldProblems();
  const combination = combinationOf(axisValues, selection, problems);
  problems.throwIfAny();
  return combination;
}

function fieldsOf(axisValues: AxisValues, selection: AxisSelection = tee): string[] {
  try {
    combined(axisValues, selection);
    return [];
  } catch (error) {
    return Object.keys((error as ApiError).details.errors ?? {});
  }
}

describe('axis values', () => {
  it('have exactly one selected value for each selected axis', () => {
    assert.deepEqual(fieldsOf({ color: 'red', size: 'm' }), []);
    assert.deepEqual(fieldsOf({ color: 'red' }), ['axis_values.size']);
    assert.deepEqual(fieldsOf({}), ['axis_values.color', 'axis_values.size']);
    assert.deepEqual(fieldsOf({ color: 'pink', size: 'm' }), ['axis_values.color']);
    assert.deepEqual(fieldsOf({ color: 'Red', size: '' }), ['axis_values.color', 'axis_values.size']);
    assert.deepEqual(fieldsOf({ color: 'red', size: 'm', fit: 'slim' }), ['axis_values.fit']);
    assert.deepEqual(fieldsOf({ colour: 'red', size: 'm' }), ['axis_values.colour', 'axis_values.color']);
  });

  it('cannot be given if the product selects nothing', () => {
    assert.deepEqual(fieldsOf({}, []), ['axis_values']);
    assert.deepEqual(fieldsOf({ color: 'red' }, []), ['axis_values']);
  });

  it('are not looked up among the properties of every JavaScript object', () => {
    const odd = selectionOf({ constructor: ['x'], toString: ['y'] });
    assert.deepEqual(fieldsOf({}, odd), ['axis_values.constructor', 'axis_values.toString']);
    assert.deepEqual(fieldsOf(JSON.parse('{"__proto__": "red", "color": "red", "size": "s"}')), [
      'axis_values.__proto__',
    ]);
    const proto = selectionOf(JSON.parse('{"__proto__": ["x"]}'));
    assert.deepEqual(fieldsOf(JSON.parse('{"__proto__": "x"}'), proto), []);
    assert.deepEqual(fieldsOf({}, proto), ['axis_values.__proto__']);
  });
});

describe('a stored combination', () => {
  it("is the same for any order of the product's axes", () => {
    const [first, second] = tee as [AxisSelection[number], AxisSelection[number]];
    assert.equal(
      combined({ color: 'red', size: 'm' }),
      combined({ size: 'm', color: 'red' }, [second, first]),
    );
  });

  it('is written in the numeric order of axis ids', () => {
    const axis = (id: number) => ({ ...(tee[0] as AxisSelection[number]), id, code: `a${id}` });
    const selection = [axis(10), axis(9), axis(100)];
    const combination = combined({ a9: 'red', a10: 'blue', a100: 'red' }, selection);
    assert.deepEqual(
      combination.split(',').map((pair) => pair.split(':')[0]),
      ['9', '10', '100'],
    );
  });

  it('is parsed back into the original values, in the order of the axes', () => {
    fc.assert(
      fc.property(anySelection, (selection) => {
        const read = combinationReader(selection);
        for (const axisValues of listCombinations(selection)) {
          const back = read(combined(axisValues, selection));
          assert.deepEqual(Object.entries(back), Object.entries(axisValues));
        }
      }),
    );
  });

  it('represents only one combination', () => {
    fc.assert(
      fc.property(anySelection, (selection) => {
        const all = listCombinations(selection).map((axisValues) => combined(axisValues, selection));
        assert.equal(new Set(all).size, all.length);
      }),
    );
  });
});

describe('the combinations of a selection', () => {
  it('vary the values of the last axis fastest', () => {
    const selection = selectionOf({ color: ['red', 'blue'], size: ['s', 'm'], fit: ['slim'] });
    assert.deepEqual(
      listCombinations(selection).map((axisValues) => Object.values(axisValues).join()),
      ['red,s,slim', 'red,m,slim', 'blue,s,slim', 'blue,m,slim'],
    );
  });

  it('equal those of nested loops, one for each axis', () => {
    fc.assert(
      fc.property(anySelection, (selection) => {
        const expected: string[] = [];
        const nest = (depth: number, chosen: readonly string[]) => {
          const axis = selection[depth];
          if (axis === undefined) expected.push(JSON.stringify(chosen));
          else for (const { value } of axis.values) nest(depth + 1, [...chosen, value]);
        };
        nest(0, []);
        const actual = listCombinations(selection).map((axisValues) =>
          JSON.stringify(selection.map(({ code }) => axisValues[code])),
        );
        assert.deepEqual(actual, expected);
        assert.equal(countCombinations(selection), BigInt(actual.length));
      }),
    );
  });

  it('are counted exactly beyond the range of a number, without being listed', () => {
    const values = Array.from({ length: 60_000 }, (_, i) => `v${i}`);
    const axes = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((code) => [code, values]));
    assert.equal(countCombinations(selectionOf(axes)), 60_000n ** 6n);
  });
});
