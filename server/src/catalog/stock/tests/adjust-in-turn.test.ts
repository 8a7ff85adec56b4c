import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused, waitingForLocks } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { waitFor } from '../../../../test/support/wait-for.ts';
import type { Caller } from '../../../api/access.ts';
import { sourceTimeOf } from '../../../lib/source-time.ts';
import type { Transaction } from '../../../postgres/transaction.ts';
import { type CatalogLock, lockCatalog, writeCatalogChanges } from '../../brand-catalog-store.ts';
import { ok } from '../../tests/new-axes.ts';
import { deleteVariant, updateVariant } from '../../variants/variant-operations.ts';
import { adjustStock } from '../adjust-stock.ts';
import { readNamedLevel } from '../adjust-store.ts';
import { lockStock, type StockLock } from '../brand-stock-store.ts';
import { changeLocation } from '../location-operations.ts';
import { writeStockChanges } from '../stock-changes-store.ts';
import {
  adjust,
  adjusted,
  assertStockTrue,
  ledgerOf,
  newLocation,
  newStockedBrand,
  newStockedParent,
  stockOf,
} from './stock.ts';

const apps = await createTestApps({ poolSize: 20 });

/** Adjusts a level of a product in the given transaction. */
async function adjustInTransaction(
  tx: Transaction,
  brandId: number,
  productTuId: string,
  to: { readonly variant?: string },
) {
  const one = {
    location: 'WH',
    quantity: 5,
    expectedQuantity: null,
    note: 'held',
    keyId: null,
    requestId: null,
  };
  const stock = await lockStock(tx, brandId);
  const adjustment = { ...one, productTuId, variantTuId: to.variant ?? null };
  const adjusted = adjustStock(stock, adjustment, await readNamedLevel(stock, adjustment));
  writeStockChanges([stock]);
  return adjusted;
}

/** Does what a feed does that confirms the quantity of a level at a time. */
async function feedInTransaction(stock: StockLock, productTuId: string, at: Date) {
  const stored = await readNamedLevel(stock, { productTuId, variantTuId: null, location: 'WH' });
  assert.ok(stored?.level && stored.locationId !== null);
  const target = { ...stored, sku: stored.productSku, locationId: stored.locationId, locationCode: 'WH' };
  const origin = { note: 'fed', keyId: null, requestId: null, feedId: null, feedLine: null };
  const change = { ...stored.level, reserved: null, expectedQuantity: null, fedAt: sourceTimeOf(at) };
  stock.changes.decide(target, { ...stored, ...change, origin: { ...origin, reason: 'feed' } });
  writeStockChanges([stock]);
}

async function changeCatalog(
  tx: Transaction,
  brandId: number,
  change: (catalog: CatalogLock) => Promise<unknown>,
) {
  const catalog = await lockCatalog(tx, brandId);
  await change(catalog);
  writeCatalogChanges([catalog]);
}

async function closeLocation(tx: Transaction, brandId: number) {
  return changeLocation(await lockStock(tx, brandId), 'WH', { isActive: false });
}

describe('the second of two changes waits for the first and sees its effect:', () => {
  /** Runs `first` in a transaction that commits only once `second` waits for it; returns both results. */
  async function inTurn<A, B>(
    first: (tx: Transaction) => Promise<A>,
    second: () => Promise<B>,
  ): Promise<[A, B]> {
    let waiter: Promise<B> | undefined;
    const done = await apps.database.transaction(async (tx) => {
      const value = await first(tx);
      waiter = second();
      await waitFor('the second to wait', async () => (await waitingForLocks(apps)) > 0);
      return value;
    });
    return [done, await (waiter as Promise<B>)];
  }

  const one = {};

  it('deactivating a location, after a level that is being created there', async () => {
    const { client, brandId, tu_id } = await newStockedBrand(apps);
    const close = () => client.patch('/catalog/stock/locations/WH', { is_active: false });
    const [, closed] = await inTurn((tx) => adjustInTransaction(tx, brandId, tu_id, one), close);
    assert.equal(closed.status, 200);
    assert.deepEqual((await stockOf(client, tu_id)).availability, { status: 'out_of_stock', quantity: 0 });
    await assertStockTrue(apps);
  });

  it('creating a level, after its location was deactivated', async () => {
    const { client, brandId, tu_id } = await newStockedBrand(apps);
    const [, set] = await inTurn(
      (tx) => closeLocation(tx, brandId),
      () => adjust(client, tu_id, { location: 'WH', quantity: 5 }),
    );
    assert.equal(set.status, 200);
    assert.deepEqual((await stockOf(client, tu_id)).availability, { status: 'out_of_stock', quantity: 0 });
    await assertStockTrue(apps);
  });

  it('adjusting a level, after its location was deactivated', async () => {
    const { client, brandId, tu_id } = await newStockedBrand(apps);
    await adjusted(client, tu_id, { location: 'WH', quantity: 2 });
    const [, set] = await inTurn(
      (tx) => closeLocation(tx, brandId),
      () => adjust(client, tu_id, { location: 'WH', quantity: 5, expected_quantity: 2 }),
    );
    assert.equal(set.status, 200);
    assert.deepEqual((await stockOf(client, tu_id)).availability, { status: 'out_of_stock', quantity: 0 });
    await assertStockTrue(apps);
  });

  it('renaming a product, after a level that is being created', async () => {
    const { client, brandId, tu_id } = await newStockedBrand(apps);
    const rename = () => client.patch(`/catalog/products/${tu_id}`, { sku: 'RENAMED' });
    const [, renamed] = await inTurn((tx) => adjustInTransaction(tx, brandId, tu_id, one), rename);
    assert.equal(renamed.status, 200);
    assert.equal((await stockOf(client, tu_id)).levels[0].sku, 'RENAMED');
    await assertStockTrue(apps);
  });

  it('renaming a variant, after a level that is being created', async () => {
    const { client, brandId } = await apps.newBrand();
    await newLocation(client, 'WH');
    const { product, variants } = await newStockedParent(client, 'V', 1);
    const variant = variants[0].tu_id;
    const rename = () => client.patch(`/catalog/variants/${variant}`, { sku: 'RENAMED-V' });
    await inTurn((tx) => adjustInTransaction(tx, brandId, product.tu_id, { ...one, variant }), rename);
    assert.equal((await stockOf(client, product.tu_id)).variants[0].levels[0].sku, 'RENAMED-V');
    await assertStockTrue(apps);
  });

  it('deleting a variant, after a level that is being created, which is then shown nowhere', async () => {
    const { client, brandId } = await apps.newBrand();
    await newLocation(client, 'WH');
    const { product, variants } = await newStockedParent(client, 'D', 1);
    const variant = variants[0].tu_id;
    const [, deleted] = await inTurn(
      (tx) => adjustInTransaction(tx, brandId, product.tu_id, { ...one, variant }),
      () => client.delete(`/catalog/variants/${variant}`),
    );
    assert.equal(deleted.status, 204);
    assert.equal((await ok(client.get('/catalog/stock/levels'))).meta.total, 0);
    await assertStockTrue(apps);
  });

  it('adjusting a variant, after its deletion, which the adjustment then reports', async () => {
    const { client, brandId } = await apps.newBrand();
    const { product, variants } = await newStockedParent(client, 'E', 2);
    const variant = variants[0].tu_id;
    await adjusted(client, product.tu_id, { variant, quantity: 1 });
    const [, refused] = await inTurn(
      (tx) => changeCatalog(tx, brandId, (catalog) => deleteVariant(catalog, variant)),
      () => adjust(client, product.tu_id, { variant, quantity: 5 }),
    );
    assertRefused(refused, 'validation_failed', ['variant']);
    assert.equal((await ledgerOf(client, product.tu_id)).length, 1);
    await assertStockTrue(apps);
  });

  it('adjusting a variant, after it was deactivated', async () => {
    const { client, brandId } = await apps.newBrand();
    const { product, variants } = await newStockedParent(client, 'F', 1);
    const variant = variants[0].tu_id;
    const caller = { brandId, scopes: new Set() } as unknown as Caller;
    const [, set] = await inTurn(
      (tx) =>
        changeCatalog(tx, brandId, (catalog) =>
          updateVariant(catalog, { caller, tuId: variant, changes: { isActive: false } }),
        ),
      () => adjust(client, product.tu_id, { variant, quantity: 5 }),
    );
    assert.equal(set.status, 200);
    assert.deepEqual((await stockOf(client, product.tu_id)).availability, { status: null, quantity: 0 });
    await assertStockTrue(apps);
  });

  // [D60]
  it('adjusting a level, after a feed that was received while the adjustment waited', async () => {
    const { client, brandId, tu_id } = await newStockedBrand(apps);
    await adjusted(client, tu_id, { location: 'WH', quantity: 2 });
    let waiter: ReturnType<typeof adjust> | undefined;
    await apps.database.transaction(async (tx) => {
      const stock = await lockStock(tx, brandId);
      waiter = adjust(client, tu_id, { location: 'WH', quantity: 5 });
      await waitFor('the adjustment to wait', async () => (await waitingForLocks(apps)) > 0);
      await feedInTransaction(stock, tu_id, new Date());
    });
    assert.equal((await waiter)?.status, 200);
    await assertStockTrue(apps);
  });

  it('adjusting a level with a guard, after another level of the product', async () => {
    const { client, brandId, tu_id } = await newStockedBrand(apps);
    const [, set] = await inTurn(
      (tx) => adjustInTransaction(tx, brandId, tu_id, one),
      () => adjust(client, tu_id, { quantity: 7, expected_quantity: 0 }),
    );
    assert.equal(set.status, 200);
    assert.equal((await stockOf(client, tu_id)).availability.quantity, 12);
    await assertStockTrue(apps);
  });
});
