// soak: random mixes of writes, compared with one by one
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { waitingForLocks } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { waitFor } from '../../../../test/support/wait-for.ts';
import { SetOperationKit, type World } from '../../../../test/support/writes/set-operation-kit.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { ok } from '../../tests/new-axes.ts';
import { updateProductOperation } from '../routes/update-product.ts';

const apps = await createTestApps();

const changes: object[] = [
  {},
  { title: 'P0' },
  { is_active: true },
  { is_active: false, price_value: 12.3456, price_currency: 'SEK' },
  { default_language: 'de', versions: { de: { title: 'Hemd \u00df \u{1f455}' }, en: { title: 'Shirt' } } },
  { versions: {} },
  { versions: { de: { title: 'A' }, DE: { title: 'B' } } },
  { title: '\\ "quoted" \u2028', short_description: '', tax_class: 'reduced' },
  { short_description: null },
  { sku: 'P1' },
  { sku: 'NEW', title: 'Renamed' },
];
const spec = fc.record({
  /** Few, so that several requests want the same one. The last one does not exist, the first has a variant. */
  product: fc.integer({ min: 0, max: 6 }),
  changes: fc.constantFrom(...changes),
});
type Spec = typeof spec extends fc.Arbitrary<infer T> ? T : never;

async function newWorld(): Promise<World<Spec>> {
  const { client, brandId } = await apps.newBrand();
  const ids: string[] = [];
  for (let n = 0; n < 6; n += 1)
    ids.push(
      (await ok(client.create('/catalog/products', { sku: `P${n}`, is_active: n % 2 === 0 }), 201)).tu_id,
    );
  await ok(client.post('/catalog/axes', { code: 'size', values: [{ value: 'S' }] }), 201);
  await ok(client.put(`/catalog/products/${ids[0]}/axes`, { axes: [{ code: 'size', values: ['S'] }] }));
  await ok(
    client.create(`/catalog/products/${ids[0]}/variants`, { sku: 'P0-S', axis_values: { size: 'S' } }),
    201,
  );
  return {
    brandId,
    requestOf: ({ product, changes: body }) => ({ params: { tuId: ids[product] ?? 'p'.repeat(21) }, body }),
    state: () =>
      Promise.all([
        apps.sql(
          `select p.sku, title, short_description, default_language, versions, price_value, price_currency, tax_class,
             is_active, has_variants, c.tu_id = p.tu_id as has_claim,
             count(*) over (partition by p.updated_at) as stamped_alike, p.updated_at > p.created_at as is_changed
           from products p left join sku_claims c on c.brand_id = p.brand_id and c.sku = p.sku
           where p.brand_id = $1 order by p.id`,
          [brandId],
        ),
        apps.sql(
          `select products_total, products_active, products_with_variants, products_active_with_variants,
             changed_at >= (select max(updated_at) from products p where p.brand_id = c.brand_id) as is_stamped
           from brand_catalogs c where brand_id = $1`,
          [brandId],
        ),
      ]),
  };
}

const kit = new SetOperationKit<Spec>({
  apps,
  operation: updateProductOperation,
  newWorld,
  spec,
  numRuns: 12,
  comparable: ({ id, tu_id, brand_id, created_at, updated_at, variants, axes, ...fields }) => ({
    ...fields,
    variants: (variants as { sku: string; price: unknown }[]).map(({ sku, price }) => [sku, price]),
  }),
  check: async () => {
    const [{ wrong } = { wrong: null }] = await apps.sql<{ wrong: number | null }>(
      `select count(*)::integer as wrong from brand_catalogs c
       cross join lateral (
         select count(*) as total, count(*) filter (where is_active) as active,
           count(*) filter (where is_active and has_variants) as both
         from products p where p.brand_id = c.brand_id
       ) p
       where (c.products_total, c.products_active, c.products_active_with_variants) <> (p.total, p.active, p.both)`,
    );
    assert.equal(wrong, 0);
  },
});

const aMix: Spec[] = [0, 1, 1, 2, 6, 3].map((product) => ({ product, changes: { title: `T${product}` } }));

const statusOf = (result: unknown) =>
  result === 'alone'
    ? result
    : result instanceof ApiError
      ? result.code
      : (result as { response: { status: number } }).response.status;

// [catalog-16] [catalog-17]
describe('changes of products that share a transaction', () => {
  it('end as they do one by one, in any mix', () => kit.assertTogetherIsApart());

  it('run one by one after an error', () =>
    kit.assertFailureHarmsNobody(aMix, async () => {
      throw new Error('on purpose');
    }));

  it('include a rename and several changes of one product, in their order', async () => {
    const world = await newWorld();
    const results = await kit.together(world, [...aMix, { product: 4, changes: { sku: 'OTHER' } }]);
    assert.deepEqual(results.map(statusOf), [200, 200, 200, 200, 'not_found', 200, 200]);
  });

  it('wait for a catalog that another transaction has locked', async () => {
    const world = await newWorld();
    const holder = await apps.database.pool.connect();
    await holder.query('begin');
    await holder.query('select 1 from brand_catalogs where brand_id = $1 for update', [world.brandId]);
    const waiting = kit.together(world, aMix);
    await waitFor('the changes to wait', async () => (await waitingForLocks(apps)) > 0);
    await holder.query('rollback');
    holder.release();
    assert.deepEqual((await waiting).map(statusOf), [200, 200, 200, 200, 'not_found', 200]);
  });

  it('leave the version of a brand that they do not change', async () => {
    const world = await newWorld();
    const version = () =>
      apps.sql('select version, changed_at from brand_catalogs where brand_id = $1', [world.brandId]);
    const before = await version();
    const results = await kit.together(world, [
      { product: 1, changes: { title: 'P1' } },
      { product: 2, changes: {} },
    ]);
    assert.deepEqual(results.map(statusOf), [200, 200]);
    assert.deepEqual(await version(), before);
  });

  it('are stamped in order and counted once, while other processes change products of the brand', async () => {
    const world = await newWorld();
    const mix = (round: number): Spec[] =>
      [1, 2, 3, 4, 5].map((product) => ({
        product,
        changes: { is_active: round % 2 === 0, title: `R${round}` },
      }));
    const statuses = await Promise.all(
      ['a', 'b', 'c', 'd'].map(async (process) => {
        const all: unknown[] = [];
        for (let round = 0; round < 10; round += 1)
          all.push(...(await kit.together(world, mix(round), `${process}${round}`)).map(statusOf));
        return all;
      }),
    );
    assert.deepEqual([...new Set(statuses.flat())], [200]);
    const [products, [catalog]] = (await world.state()) as [
      { is_active: boolean; stamped_alike: string }[],
      { products_active: number; is_stamped: boolean }[],
    ];
    assert.ok(products.every(({ stamped_alike }) => Number(stamped_alike) === 1));
    const active = products.filter(({ is_active }) => is_active).length;
    assert.deepEqual([catalog?.products_active, catalog?.is_stamped], [active, true]);
  });

  it('share one when clients send them at the same time with keys', async () => {
    const { client } = await apps.newBrand();
    const ids = await Promise.all(
      Array.from(
        { length: 12 },
        async (_, n) => (await ok(client.create('/catalog/products', { sku: `S${n}` }), 201)).tu_id,
      ),
    );
    const answers = await Promise.all(
      ids.map((id, n) =>
        client.patch(`/catalog/products/${id}`, { title: `T${n}` }, { 'idempotency-key': `change-${n}` }),
      ),
    );
    assert.deepEqual(
      answers.map(({ status, json }) => [status, json.title]),
      ids.map((_, n) => [200, `T${n}`]),
    );
    const { body } = await apps.internalApp.inject({ url: '/metrics' });
    assert.match(body, /shared_transaction_requests_count\{operation="updateProduct"\} [1-9]/);
  });
});
