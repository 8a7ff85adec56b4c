// soak: random mixes of writes, compared with one by one
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { SetOperationKit, type World } from '../../../../test/support/writes/set-operation-kit.ts';
import { adjusted, assertStockTrue, newLocation, newSimple } from '../../stock/tests/stock.ts';
import { createStockLocationOperation, updateStockLocationOperation } from '../location-operations.ts';

const apps = await createTestApps();

/** Few, so that several requests name the same one; the first three exist already. */
const code = fc.integer({ min: 0, max: 5 }).map((n) => `WH-${n}`);
const spec = fc.record({
  code: fc.oneof({ weight: 9, arbitrary: code }, fc.constant('__default__')),
  fields: fc.constantFrom<object[]>(
    {},
    { name: 'A' },
    { name: 'B' },
    { is_active: false },
    { is_active: true },
  ),
});
type Spec = typeof spec extends fc.Arbitrary<infer T> ? T : never;

async function newWorld(isCreation: boolean): Promise<World<Spec>> {
  const { client, brandId } = await apps.newBrand();
  const { tu_id } = await newSimple(client, 'SIMPLE');
  for (const name of ['WH-0', 'WH-1', 'WH-2']) {
    await newLocation(client, name);
    await adjusted(client, tu_id, { location: name, quantity: 2 });
  }
  return {
    brandId,
    requestOf: ({ code: externalCode, fields }) =>
      isCreation
        ? { params: {}, body: { external_code: externalCode, ...fields } }
        : { params: { externalCode }, body: fields },
    state: () =>
      Promise.all([
        apps.sql(
          `select external_code, name, is_active, row_number() over (order by id) as place,
             created_at <= updated_at as is_in_order
           from stock_locations where brand_id = $1 order by external_code`,
          [brandId],
        ),
        apps.sql('select total_quantity, own_available from product_stock where brand_id = $1', [brandId]),
      ]),
  };
}

const kitOf = (operation: typeof createStockLocationOperation, isCreation: boolean) =>
  new SetOperationKit<Spec>({
    apps,
    operation,
    newWorld: () => newWorld(isCreation),
    spec,
    comparable: ({ created_at, updated_at, ...location }) => location,
    check: () => assertStockTrue(apps),
  });

const creations = kitOf(createStockLocationOperation, true);
const changes = kitOf(updateStockLocationOperation, false);
const aMix: readonly Spec[] = ['WH-4', 'WH-0', 'WH-1', 'WH-1', 'WH-4', '__default__'].map((name, n) => ({
  code: name,
  fields: { name: `N${n}` },
}));

for (const [name, kit] of Object.entries({ creations, changes }))
  describe(`${name} of locations that share a transaction`, () => {
    it('end as they do one by one, in any mix', () => kit.assertTogetherIsApart());

    it('run one by one after an error', () =>
      kit.assertFailureHarmsNobody(aMix, async () => {
        throw new Error('on purpose');
      }));
  });

describe('creations of locations that share a transaction', () => {
  it('refuse a taken code, and the second of two alike', async () => {
    const results = await creations.together(await newWorld(true), aMix);
    assert.deepEqual(
      results.map((result) => ('code' in result ? result.code : result.response.status)),
      [201, 'conflict', 'conflict', 'conflict', 'conflict', 'validation_failed'],
    );
  });
});
