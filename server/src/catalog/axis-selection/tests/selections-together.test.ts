// soak: random mixes of writes, compared with one by one
import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { SetOperationKit } from '../../../../test/support/writes/set-operation-kit.ts';
import { newAxes, newParent, newVariant, selecting } from '../../tests/new-axes.ts';
import { replaceProductAxesOperation } from '../axis-selection-operations.ts';

const apps = await createTestApps();

const values = fc.uniqueArray(fc.constantFrom('x', 'y', 'z', 'unknown'), { minLength: 1, maxLength: 3 });
const spec = fc.record({
  /** The first product has a variant with the value `x` of the axis `a`, the second none; the third does not exist. */
  product: fc.integer({ min: 0, max: 2 }),
  axes: fc.uniqueArray(fc.record({ code: fc.constantFrom('a', 'b', 'c'), values }), {
    selector: ({ code }) => code,
    maxLength: 3,
  }),
});
type Spec = typeof spec extends fc.Arbitrary<infer T> ? T : never;

async function newWorld() {
  const { client, brandId } = await apps.newBrand();
  await newAxes(client, { a: ['x', 'y', 'z'], b: ['z', 'y', 'x'] });
  const parent = await newParent(client, { a: ['x', 'y'] });
  await newVariant(client, parent.tu_id, { sku: 'V', axis_values: { a: 'x' } });
  const products = [parent.tu_id, (await newParent(client, { b: ['x'] })).tu_id, 'unknownunknownunknown'];
  const selections = async () => {
    const answers = products.slice(0, 2).map((tuId) => client.get(`/catalog/products/${tuId}/axes`));
    return (await Promise.all(answers)).map(({ json }) => json.data);
  };
  return {
    brandId,
    requestOf: ({ product, axes }: Spec) => ({ params: { tuId: products[product] }, body: { axes } }),
    selections,
    state: async () => [
      await selections(),
      await apps.sql(
        `select c.changed_at >= p.updated_at as is_kept, p.updated_at > p.created_at as is_stamped
         from products p join brand_catalogs c using (brand_id) where p.brand_id = $1 order by p.id`,
        [brandId],
      ),
    ],
  };
}

const kit = new SetOperationKit<Spec>({
  apps,
  operation: replaceProductAxesOperation,
  spec,
  newWorld,
  numRuns: 12,
  comparable: (body) => body,
  check: async () => {},
});

it('selections that are sent together end as they do one by one', () => kit.assertTogetherIsApart());

it('the response to a selection is the stored one, in the order of the library', async () => {
  const world = await newWorld();
  const { axes } = selecting({ b: ['x', 'y', 'z'], a: ['z', 'x'] });
  const [result] = await kit.together(world, [{ product: 1, axes: axes as Spec['axes'] }]);
  assert.ok(result !== undefined && 'response' in result);
  const { data } = JSON.parse(result.response.body);
  assert.deepEqual(data, (await world.selections())[1]);
  assert.deepEqual(
    data.map((axis: { values: { value: string }[] }) => axis.values.map(({ value }) => value)),
    [
      ['z', 'y', 'x'],
      ['x', 'z'],
    ],
  );
});
