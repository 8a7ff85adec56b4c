// soak: random mixes of writes, compared with one by one
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { SetOperationKit, type World } from '../../../../test/support/writes/set-operation-kit.ts';
import type { SetOperation } from '../../../api/operation.ts';
import { newAxes, newParent } from '../../tests/new-axes.ts';
import { createAxisOperation, deleteAxisOperation, updateAxisOperation } from '../axis-operations.ts';
import {
  createAxisValueOperation,
  deleteAxisValueOperation,
  updateAxisValueOperation,
} from '../axis-value-operations.ts';

const apps = await createTestApps();

/** Few, so that several requests name the same ones. A product selects `x` of the axis `a`; `d` to `f` and `u` to `w` are new. */
const spec = fc.record({
  code: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
  value: fc.constantFrom('x', 'y', 'u', 'v', 'w'),
  fields: fc.constantFrom<object[]>({}, { position: 0 }, { position: 5 }, { label: 'A' }, { label: null }),
});
type Spec = typeof spec extends fc.Arbitrary<infer T> ? T : never;
type Parts = ReturnType<World<Spec>['requestOf']>;

async function newWorld(requestOf: (spec: Spec) => Parts): Promise<World<Spec>> {
  const { client, brandId } = await apps.newBrand();
  await newAxes(client, { a: ['x', 'y'], b: ['x', 'y'], c: [] });
  await newParent(client, { a: ['x'] });
  return {
    brandId,
    requestOf,
    state: () =>
      Promise.all([
        apps.sql(
          `select code, label, position, is_active, row_number() over (order by id) as place,
             created_at <= updated_at as is_in_order
           from axes where brand_id = $1 order by code`,
          [brandId],
        ),
        apps.sql(
          `select a.code, w.value, w.label, w.position, w.is_active, row_number() over (order by w.id) as place
           from axis_values w join axes a on a.brand_id = w.brand_id and a.id = w.axis_id
           where w.brand_id = $1 order by a.code, w.value`,
          [brandId],
        ),
        apps.sql(
          `select count(distinct created_at) = count(*) as are_stamped_apart,
             max(created_at) <= (select changed_at from brand_catalogs where brand_id = $1) as is_kept
           from axes where brand_id = $1`,
          [brandId],
        ),
      ]),
  };
}

const withoutTimes = ({ created_at, updated_at, ...fields }: Record<string, unknown>) => fields;

const operations: Record<string, [SetOperation, (spec: Spec) => Parts]> = {
  'creations of axes': [
    createAxisOperation,
    ({ code, value, fields }) => {
      return { params: {}, body: { code, ...fields, values: [{ value: 'x' }, { value, ...fields }] } };
    },
  ],
  'changes of axes': [updateAxisOperation, ({ code, fields }) => ({ params: { code }, body: fields })],
  'deletions of axes': [deleteAxisOperation, ({ code }) => ({ params: { code }, body: {} })],
  'creations of values': [
    createAxisValueOperation,
    ({ code, value, fields }) => ({ params: { code }, body: { value, ...fields } }),
  ],
  'changes of values': [
    updateAxisValueOperation,
    ({ code, value, fields }) => ({ params: { code, value }, body: fields }),
  ],
  'deletions of values': [
    deleteAxisValueOperation,
    ({ code, value }) => ({ params: { code, value }, body: {} }),
  ],
};

const aMix = (['d', 'b', 'c', 'd', 'b', 'a', 'd'] as const).map(
  (code, n): Spec => ({
    code,
    value: n % 2 === 0 ? 'w' : 'y',
    fields: { label: `L${n}` },
  }),
);

for (const [name, [operation, requestOf]] of Object.entries(operations)) {
  const kit = new SetOperationKit<Spec>({
    apps,
    operation,
    newWorld: () => newWorld(requestOf),
    spec,
    numRuns: 8,
    comparable: ({ values, ...entry }) => ({
      ...withoutTimes(entry),
      values: (values as Record<string, unknown>[] | undefined)?.map(withoutTimes),
    }),
    check: async () => {},
  });

  describe(`${name} that share a transaction`, () => {
    it('end as they do one by one, in any mix', () => kit.assertTogetherIsApart());

    it('run one by one after an error', () =>
      kit.assertFailureHarmsNobody(aMix, async () => {
        throw new Error('on purpose');
      }));
  });
}

describe('creations of axes that share a transaction', () => {
  it('get the next positions in their order', async () => {
    const { brandId } = await apps.newBrand();
    const kit = new SetOperationKit<string>({
      apps,
      operation: createAxisOperation,
      spec: fc.string(),
      comparable: () => null,
      newWorld: () => assert.fail(),
      check: async () => {},
    });
    const world: World<string> = {
      brandId,
      requestOf: (code) => ({ params: {}, body: { code } }),
      state: async () => null,
    };
    const results = await kit.together(world, ['a', 'b', 'a', 'c']);
    assert.deepEqual(
      results.map((result) => ('code' in result ? result.code : JSON.parse(result.response.body).position)),
      [0, 1, 'duplicate_axis_code', 2],
    );
  });
});
