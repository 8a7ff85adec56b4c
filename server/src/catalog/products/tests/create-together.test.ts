// soak: random mixes of writes, compared with one by one
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { SetOperationKit, type World } from '../../../../test/support/writes/set-operation-kit.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { createProductOperation } from '../routes/create-product.ts';

const apps = await createTestApps();

const spec = fc.record({
  /** Few, so that several requests want the same one; the first exists already. */
  sku: fc.integer({ min: 0, max: 9 }).map((n) => `SKU-${n}`),
  fields: fc.constantFrom(
    {},
    { is_active: true, price_value: 12.3456, price_currency: 'SEK' },
    { default_language: 'de', versions: { de: { title: 'Hemd \u00df \u{1f455}' }, en: { title: 'Shirt' } } },
    { versions: { de: { title: 'A' }, DE: { title: 'B' } } },
    { title: '\\ "quoted" \u2028', short_description: '', tax_class: 'reduced' },
  ),
});
type Spec = typeof spec extends fc.Arbitrary<infer T> ? T : never;

async function newWorld(): Promise<World<Spec>> {
  const { client, brandId } = await apps.newBrand();
  await client.create('/catalog/products', { sku: 'SKU-0' });
  return {
    brandId,
    requestOf: ({ sku, fields }) => ({ params: {}, body: { sku, ...fields } }),
    state: () =>
      Promise.all([
        apps.sql(
          `select p.sku, title, versions, price_value, price_currency, is_active, s.total_quantity, c.kind,
             row_number() over (order by p.id) = row_number() over (order by p.updated_at) as is_in_order,
             count(*) over (partition by p.updated_at) as stamped_alike, p.created_at = p.updated_at as is_new
           from products p
           join product_stock s on s.brand_id = p.brand_id and s.product_id = p.id
           join sku_claims c on c.brand_id = p.brand_id and c.tu_id = p.tu_id and c.sku = p.sku
           where p.brand_id = $1 order by p.id`,
          [brandId],
        ),
        apps.sql(
          `select products_total, products_active, changed_at = (
             select max(updated_at) from products p where p.brand_id = c.brand_id
           ) as is_stamped from brand_catalogs c where brand_id = $1`,
          [brandId],
        ),
        apps.sql('select count(*)::integer as claims from sku_claims where brand_id = $1', [brandId]),
      ]),
  };
}

const kit = new SetOperationKit<Spec>({
  apps,
  operation: createProductOperation,
  newWorld,
  spec,
  comparable: ({ sku, title, versions, price_value, price_currency, is_active, tax_class }) => {
    return { sku, title, versions, price_value, price_currency, is_active, tax_class };
  },
  check: async () => {},
});

const aMix = ['SKU-1', 'SKU-0', 'SKU-1', 'SKU-2', 'SKU-3', 'SKU-4'].map((sku): Spec => ({ sku, fields: {} }));

const statusOf = (result: unknown) =>
  result instanceof ApiError ? result.code : (result as { response: { status: number } }).response.status;

describe('creations of products that share a transaction', () => {
  it('end as they do one by one, in any mix', () => kit.assertTogetherIsApart());

  it('run one by one after an error', () =>
    kit.assertFailureHarmsNobody(aMix, async () => {
      throw new Error('on purpose');
    }));

  it('refuse a taken SKU, and the second of two alike, and create the others', async () => {
    const results = await kit.together(await newWorld(), aMix);
    assert.deepEqual(results.map(statusOf), [201, 'duplicate_sku', 'duplicate_sku', 201, 201, 201]);
  });

  it('wait for a catalog that another transaction has locked, and do not keep those of other brands waiting', async () => {
    const [world, other] = [await newWorld(), await newWorld()];
    const holder = await apps.database.pool.connect();
    await holder.query('begin');
    await holder.query('select 1 from brand_catalogs where brand_id = $1 for update', [world.brandId]);
    const waiting = kit.together(world, aMix);
    assert.equal((await kit.together(other, aMix)).map(statusOf)[0], 201);
    await holder.query('rollback');
    holder.release();
    assert.equal((await waiting).map(statusOf)[0], 201);
  });

  it('are counted once, and stamped in order, while other processes create products of the brand', async () => {
    const world = await newWorld();
    // Long enough that others commit between the start of a statement and its lock.
    const specs = (name: string) =>
      Array.from({ length: 40 }, (_, n): Spec => ({ sku: `${name}-${n}`, fields: {} }));
    await Promise.all(
      ['a', 'b', 'c', 'd'].map(async (process) => {
        for (let round = 0; round < 10; round += 1)
          await kit.together(world, specs(`${process}${round}`), `${process}${round}`);
      }),
    );
    const [, [catalog]] = (await world.state()) as [
      unknown,
      { products_total: number; is_stamped: boolean }[],
    ];
    const [{ count, stamps } = { count: 0, stamps: 0 }] = await apps.sql<{ count: number; stamps: number }>(
      `select count(*)::integer as count, count(distinct updated_at)::integer as stamps from products where brand_id = $1`,
      [world.brandId],
    );
    assert.ok(count > 40);
    assert.deepEqual([catalog?.products_total, stamps, catalog?.is_stamped], [count, count, true]);
  });

  it('include the first product of a brand', async () => {
    const { client } = await apps.newBrand();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => client.create('/catalog/products', { sku: `FIRST-${n}` })),
    );
    for (const { status } of answers) assert.equal(status, 201);
    const { json } = await client.get('/catalog/products?per_page=50');
    assert.equal(json.meta.total, 20);
  });
});
