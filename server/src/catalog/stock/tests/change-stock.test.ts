import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { ApiClient } from '../../../../test/support/api-client.ts';
import { waitingForLocks } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { waitFor } from '../../../../test/support/wait-for.ts';
import type { Statement } from '../../../postgres/statement.ts';
import { changeStock } from '../change-stock.ts';
import type { StockChange, StockChangeResult } from '../stock-change.ts';
import { assertStockTrue, newLocation, newSimple, newStockedParent } from './stock.ts';

const apps = await createTestApps();

/**
 * Creates two brands with the same catalog: three places of stock, an unknown one, and places that the rules refuse.
 */
async function newShop() {
  const { client, brandId } = await apps.newBrand();
  const places = await placesOf(client);
  return { brandId, places };
}

async function placesOf(client: ApiClient) {
  await newLocation(client, 'OPEN');
  await newLocation(client, 'CLOSED', { is_active: false });
  const simple = await newSimple(client, 'SIMPLE');
  const { product, variants } = await newStockedParent(client, 'PARENT', 2);
  const [first, second] = variants.map(({ tu_id }) => tu_id as string);
  return [
    { productTuId: simple.tu_id as string, variantTuId: null },
    { productTuId: product.tu_id as string, variantTuId: first as string },
    { productTuId: product.tu_id as string, variantTuId: second as string },
    { productTuId: product.tu_id as string, variantTuId: null },
    { productTuId: simple.tu_id as string, variantTuId: first as string },
    { productTuId: product.tu_id as string, variantTuId: 'unknown' },
    { productTuId: 'unknown', variantTuId: null },
  ];
}

const instants = ['2001-01-01T00:00:00Z', '2002-01-01T00:00:00Z', '2101-01-01T00:00:00Z'];
const few = fc.integer({ min: 0, max: 3 });

/** A change without its brand; most are for the three places that exist, so that several share a level. */
const someChange = fc.record({
  place: fc.oneof({ weight: 6, arbitrary: fc.integer({ min: 0, max: 2 }) }, fc.integer({ min: 3, max: 6 })),
  location: fc.constantFrom('OPEN', 'OPEN', 'CLOSED', null, 'UNKNOWN'),
  quantity: few,
  reserved: fc.option(few),
  expectedQuantity: fc.option(few),
  fedAt: fc.option(fc.constantFrom(...instants.map((instant) => new Date(instant)))),
});

type SomeChange = typeof someChange extends fc.Arbitrary<infer T> ? T : never;
type Shop = Awaited<ReturnType<typeof newShop>>;

function changeIn({ brandId, places }: Shop, { place, ...change }: SomeChange, n: number): StockChange {
  return {
    brandId,
    ...(places[place] as Shop['places'][number]),
    ...change,
    note: `change ${n}`,
    origin: null,
  };
}

/** Removes the values that differ between two brands: ids and times. */
function comparable({ movementId, writtenAt, ...result }: StockChangeResult) {
  const { outcome, isLocationFound, sku, location, quantityBefore, reserved } = result;
  const figures = { outcome, isLocationFound, sku, location, quantityBefore, reserved };
  return { ...figures, isMoved: movementId !== null, isWritten: writtenAt !== null };
}

async function tablesOf(brandId: number) {
  const levels = await apps.sql(
    `select sku, location_code, quantity, reserved, is_from_feed, is_hidden,
       case when is_from_feed then source_updated_at end as fed_at
     from stock_levels where brand_id = $1 order by sku, location_code`,
    [brandId],
  );
  const movements = await apps.sql(
    `select sku, location_code, quantity_before, quantity_after, reason, note from stock_movements
     where brand_id = $1 order by sku, location_code, id`,
    [brandId],
  );
  const locations = await apps.sql(
    'select external_code from stock_locations where brand_id = $1 order by external_code',
    [brandId],
  );
  return { levels, movements, locations };
}

const inOneCall = (changes: readonly StockChange[]) =>
  apps.database.transaction((tx) => changeStock(tx, changes));

describe('a set of stock changes', () => {
  it('has the same results and tables as the same changes one at a time', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(someChange, { minLength: 1, maxLength: 12 }), { maxLength: 3 }),
        async (sets) => {
          const [together, apart] = [await newShop(), await newShop()];
          for (const set of sets) {
            const results = await inOneCall(set.map((change, n) => changeIn(together, change, n)));
            const singles: StockChangeResult[] = [];
            for (const [n, change] of set.entries())
              singles.push(...(await inOneCall([changeIn(apart, change, n)])));
            assert.deepEqual(results.map(comparable), singles.map(comparable));
          }
          assert.deepEqual(await tablesOf(together.brandId), await tablesOf(apart.brandId));
          await assertStockTrue(apps);
        },
      ),
      { numRuns: 25 },
    );
  });

  it('can contain several brands, each with its own stock version', async () => {
    const shops = [await newShop(), await newShop(), await newShop()];
    const change = {
      place: 0,
      location: null,
      quantity: 4,
      reserved: null,
      expectedQuantity: 0,
      fedAt: null,
    };
    const [first, second, third] = shops.map((shop) => changeIn(shop, change, 1)) as [
      StockChange,
      StockChange,
      StockChange,
    ];
    const results = await inOneCall([second, first, { ...third, expectedQuantity: 9 }]);
    assert.deepEqual(
      results.map(({ outcome }) => outcome),
      ['applied', 'applied', 'conflict'],
    );
    const versions = await apps.sql<{ brand_id: number; version: number }>(
      `select brand_id, sum(version)::integer as version from brand_stock_versions where brand_id = any($1::integer[])
       group by brand_id order by brand_id`,
      [shops.map(({ brandId }) => brandId)],
    );
    assert.deepEqual(
      versions,
      [first, second].map(({ brandId }) => ({ brand_id: brandId, version: 1 })),
    );
    await assertStockTrue(apps);
  });

  it('of distinct levels takes a statement of its own, and any other set the general one [D175]', async () => {
    const shop = await newShop();
    const set = (place: number, location: SomeChange['location'], quantity: number): SomeChange => ({
      ...{ place, location, quantity, reserved: null, expectedQuantity: null, fedAt: null },
    });
    const namesOf = async (changes: readonly StockChange[]) => {
      const sent: string[] = [];
      const results = await apps.database.transaction((tx) => {
        const run = <Row>(statement: Statement<Row>) => {
          sent.push(statement.name);
          return tx.run(statement);
        };
        return changeStock({ initiator: undefined, run, queue: (statement) => tx.queue(statement) }, changes);
      });
      assert.ok(results.every(({ outcome }) => outcome === 'applied'));
      return sent;
    };
    const all = (...changes: SomeChange[]) => changes.map((change, n) => changeIn(shop, change, n));
    // Two variants of one product have two levels and one rollup.
    const distinct = all(set(1, 'OPEN', 5), set(2, 'OPEN', 6), set(1, 'CLOSED', 7));
    assert.deepEqual(await namesOf(distinct), ['change_distinct_stocks']);
    const repeated = all(set(0, 'OPEN', 8), set(1, 'OPEN', 9), set(0, 'OPEN', 10));
    assert.deepEqual(await namesOf(repeated), ['change_stock_set']);
    await inOneCall(all(set(0, null, 1)));
    // Without a location, a change is for the default location.
    const [implied, other] = all(set(0, null, 2), set(0, null, 3)) as [StockChange, StockChange];
    assert.deepEqual(await namesOf([implied, { ...other, location: '__default__' }]), ['change_stock_set']);
    await assertStockTrue(apps);
  });

  it('can be empty', async () => {
    assert.deepEqual(await inOneCall([]), []);
  });

  it('with a thousand for one level is decided in order, with one winner of each guard', async () => {
    const shop = await newShop();
    const steps = Array.from({ length: 500 }, (_, n) => n);
    const step = (n: number, by: number): SomeChange => ({
      ...{ place: 0, location: 'OPEN', reserved: null, fedAt: null },
      ...{ quantity: n + by, expectedQuantity: n },
    });
    // Each guard is sent twice; only the first matches the current quantity.
    const changes = steps.flatMap((n) => [changeIn(shop, step(n, 1), n), changeIn(shop, step(n, 2), n)]);
    const results = await inOneCall(changes);
    assert.deepEqual(
      results.map(({ outcome }) => outcome),
      steps.flatMap(() => ['applied', 'conflict']),
    );
    const { levels, movements } = await tablesOf(shop.brandId);
    assert.deepEqual([levels[0]?.['quantity'], movements.length], [500, 500]);
    await assertStockTrue(apps);
  });
});

describe('overlapping sets of changes', () => {
  it('lose no change and never deadlock, regardless of their order', async () => {
    const shop = await newShop();
    const rounds = Array.from({ length: 40 }, (_, n) => n);
    const outcomes = await Promise.all(
      rounds.map(async (n) => {
        const order = n % 2 === 0 ? [0, 1, 2] : [2, 1, 0];
        const set = order.map((place) =>
          changeIn(
            shop,
            {
              place,
              location: n % 3 === 0 ? null : 'OPEN',
              quantity: n,
              reserved: null,
              expectedQuantity: null,
              fedAt: null,
            },
            n,
          ),
        );
        return inOneCall(set);
      }),
    );
    const written = outcomes.flat().filter(({ outcome }) => outcome === 'applied' || outcome === 'unchanged');
    assert.equal(written.length, 120);
    await assertStockTrue(apps);
    const [{ deadlocks } = { deadlocks: -1 }] = await apps.sql<{ deadlocks: number }>(
      'select deadlocks::integer from pg_stat_database where datname = current_database()',
    );
    assert.equal(deadlocks, 0);
  });

  it('are refused by a guard without waiting for another transaction, and decided after it otherwise', async () => {
    const shop = await newShop();
    const set = (quantity: number, expectedQuantity: number) => {
      const place = { place: 0, location: 'OPEN', reserved: null, fedAt: null } as const;
      return [changeIn(shop, { ...place, quantity, expectedQuantity }, quantity)];
    };
    await inOneCall(set(1, 0));
    let guarded: Promise<StockChangeResult[]> = Promise.resolve([]);
    await apps.database.transaction(async (tx) => {
      await changeStock(tx, set(2, 1));
      const [refused] = await inOneCall(set(3, 2));
      assert.deepEqual([refused?.outcome, refused?.quantityBefore], ['conflict', 1]);
      guarded = inOneCall(set(3, 1));
      await waitFor('the guarded change to wait', () => waitingForLocks(apps));
    });
    const [loser] = await guarded;
    assert.deepEqual([loser?.outcome, loser?.quantityBefore], ['conflict', 2]);
    await assertStockTrue(apps);
  });

  it('of one contended level lock it ahead, and run once', async () => {
    const shop = await newShop();
    const change = (quantity: number) =>
      changeIn(
        shop,
        { place: 0, location: 'OPEN', quantity, reserved: null, expectedQuantity: null, fedAt: null },
        quantity,
      );
    await inOneCall([change(1)]);
    // Each sends its change while the one before has written the level and not committed.
    const namesOf = async (rest: readonly number[]): Promise<string[][]> => {
      const [quantity, ...others] = rest;
      if (quantity === undefined) return [];
      const names: string[] = [];
      let after: Promise<string[][]> = Promise.resolve([]);
      await apps.database.transaction(async (tx) => {
        const recorded = {
          run: <Row>(statement: Statement<Row>) => {
            names.push(statement.name);
            return tx.run(statement);
          },
          queue: (statement: Statement<unknown>) => {
            names.push(statement.name);
            tx.queue(statement);
          },
        };
        const [result] = await changeStock(recorded, [change(quantity)]);
        assert.deepEqual([result?.outcome, result?.quantityBefore], ['applied', quantity - 1]);
        after = namesOf(others);
        if (others.length > 0) await waitFor('the next one to wait', () => waitingForLocks(apps));
      });
      return [names, ...(await after)];
    };
    assert.deepEqual(await namesOf([2, 3, 4]), [
      ['change_product_stock'],
      ['change_product_stock', 'change_product_stock'],
      ['lock_contended_stock', 'change_product_stock'],
    ]);
    await assertStockTrue(apps);
  });
});
