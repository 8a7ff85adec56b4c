// soak: random mixes of writes, compared with one by one
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { SetOperationKit, type World } from '../../../../test/support/writes/set-operation-kit.ts';
import { adjustStockOperation } from '../routes/adjust-stock.ts';
import { adjust, assertStockTrue, ledgerOf, newLocation, newSimple, newStockedParent } from './stock.ts';

const apps = await createTestApps();

const few = fc.integer({ min: 0, max: 3 });
const spec = fc.record({
  /** Most are for one of three places, so that several share a level. */
  place: fc.oneof({ weight: 6, arbitrary: fc.integer({ min: 0, max: 2 }) }, fc.integer({ min: 3, max: 5 })),
  location: fc.constantFrom('OPEN', 'OPEN', undefined, 'UNKNOWN'),
  quantity: few,
  expected_quantity: fc.option(few, { nil: undefined }),
});
type Spec = typeof spec extends fc.Arbitrary<infer T> ? T : never;

async function newWorld(): Promise<World<Spec>> {
  const { client, brandId } = await apps.newBrand();
  await newLocation(client, 'OPEN');
  const simple = await newSimple(client, 'SIMPLE');
  const { product, variants } = await newStockedParent(client, 'PARENT', 2);
  const [first, second] = variants.map(({ tu_id }) => tu_id);
  const places = [
    { tuId: simple.tu_id, variant: undefined },
    { tuId: product.tu_id, variant: first },
    { tuId: product.tu_id, variant: second },
    { tuId: product.tu_id, variant: undefined },
    { tuId: simple.tu_id, variant: first },
    { tuId: 'unknownunknownunknown', variant: undefined },
  ];
  return {
    brandId,
    requestOf: ({ place, ...body }) => {
      const { tuId, variant } = places[place] as (typeof places)[number];
      return { params: { tuId }, body: JSON.parse(JSON.stringify({ variant, ...body })) };
    },
    state: () =>
      Promise.all([
        apps.sql(
          `select sku, location_code, quantity, reserved from stock_levels where brand_id = $1 order by 1, 2`,
          [brandId],
        ),
        apps.sql(
          `select sku, location_code, quantity_before, quantity_after, note from stock_movements
           where brand_id = $1 order by sku, location_code, id`,
          [brandId],
        ),
        apps.sql(
          `select idempotency_key, status from idempotency_records where brand_id = $1 and idempotency_key like 'key-%' order by 1`,
          [brandId],
        ),
      ]),
  };
}

const kit = new SetOperationKit<Spec>({
  apps,
  operation: adjustStockOperation,
  newWorld,
  spec,
  comparable: ({ level, movement }) => {
    const { sku, location, quantity, reserved, available } = level as Record<string, unknown>;
    const { quantity_before, quantity_after } = (movement ?? {}) as Record<string, unknown>;
    return { sku, location, quantity, reserved, available, quantity_before, quantity_after };
  },
  check: () => assertStockTrue(apps),
});

const aMix: readonly Spec[] = [
  { place: 0, location: 'OPEN', quantity: 3, expected_quantity: undefined },
  { place: 0, location: 'OPEN', quantity: 2, expected_quantity: undefined },
  { place: 5, location: 'OPEN', quantity: 1, expected_quantity: undefined },
  { place: 1, location: 'OPEN', quantity: 1, expected_quantity: 2 },
  { place: 1, location: undefined, quantity: 1, expected_quantity: 0 },
  { place: 2, location: 'OPEN', quantity: 4, expected_quantity: 0 },
];

/** Locks a brand's stock in another transaction until the returned function is called. */
async function holdStock(brandId: number): Promise<() => Promise<void>> {
  const holder = await apps.database.pool.connect();
  await holder.query('begin');
  await holder.query('select 1 from brand_stocks where brand_id = $1 for update', [brandId]);
  return async () => {
    await holder.query('commit');
    holder.release();
  };
}

/** Returns the number of shared transactions so far. */
async function transactions(): Promise<number> {
  const metric = await apps.metrics.registry.getSingleMetric('brandport_shared_transaction_requests')?.get();
  const count = metric?.values.find((value) => Reflect.get(value, 'metricName').endsWith('_count'));
  return count?.value ?? 0;
}

describe('adjustments that share a transaction', () => {
  it('end as they do one by one, in any mix', () => kit.assertTogetherIsApart());

  it('run one by one after an error', () =>
    kit.assertFailureHarmsNobody(aMix, async () => {
      throw new Error('on purpose');
    }));

  it('run one by one after the connection was lost', () =>
    kit.assertFailureHarmsNobody(aMix, async (tx) => {
      await tx.run({
        name: 'test_terminate_backend',
        text: 'select pg_terminate_backend(pg_backend_pid())',
        values: [],
      });
    }));

  it('do not wait for the brand of another one, which waits alone', async () => {
    const [held, free] = [await newWorld(), await newWorld()];
    const release = await holdStock(held.brandId);
    const one: Spec = { place: 0, location: 'OPEN', quantity: 1, expected_quantity: undefined };
    let isAnswered = false;
    const waiting = kit.together(held, [one, one]).then((results) => {
      isAnswered = true;
      return results;
    });
    for (let n = 0; n < 3; n += 1) {
      const [result] = await kit.together(free, [one], `free-${n}`);
      assert.equal((result as { response: { status: number } }).response.status, 200);
    }
    assert.equal(isAnswered, false);
    await release();
    for (const result of await waiting)
      assert.equal((result as { response: { status: number } }).response.status, 200);
    await assertStockTrue(apps);
  });
});

describe('concurrent requests to adjust stock', () => {
  it('share transactions, and one guard of many with the same quantity wins', async () => {
    const { client } = await apps.newBrand();
    const { tu_id } = await newSimple(client);
    const before = await transactions();
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) => adjust(client, tu_id, { quantity: n + 1, expected_quantity: 0 })),
    );
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    assert.equal(answers.filter(({ status }) => status === 409).length, 99);
    assert.equal((await ledgerOf(client, tu_id)).length, 1);
    assert.ok((await transactions()) - before < 50);
  });

  it('answer at once for one brand while the stock of another is locked, also in one process', async () => {
    const [held, free] = [await apps.newBrand(), await apps.newBrand()];
    const [heldProduct, freeProduct] = [await newSimple(held.client), await newSimple(free.client)];
    const release = await holdStock(held.brandId);
    let answered = 0;
    const waiting = Array.from({ length: 20 }, (_, n) =>
      adjust(held.client, heldProduct.tu_id, { quantity: n }).then(({ status }) => {
        answered += 1;
        return status;
      }),
    );
    for (let n = 0; n < 5; n += 1)
      assert.equal((await adjust(free.client, freeProduct.tu_id, { quantity: n })).status, 200);
    assert.equal(answered, 0);
    await release();
    assert.deepEqual([...new Set(await Promise.all(waiting))], [200]);
    await assertStockTrue(apps);
  });
});
