import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { ok, outcomes } from '../../tests/new-axes.ts';
import { adjust, adjusted, assertStockTrue, ledgerOf, newSimple, stockOf } from './stock.ts';

const apps = await createTestApps({ poolSize: 20 });

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

describe('50 concurrent adjustments of one level', () => {
  it('guarded with one expected_quantity have exactly one winner; the others get its quantity', async () => {
    const { client } = await apps.newBrand();
    const { tu_id } = await newSimple(client);
    await adjusted(client, tu_id, { quantity: 100 });
    const answers = await Promise.all(
      times(50, (index) => adjust(client, tu_id, { quantity: index, expected_quantity: 100 })),
    );
    assert.deepEqual(outcomes(answers), { '200': 1, '409 stock_version_conflict': 49 });
    const set = answers.find(({ status }) => status === 200)?.json.level.quantity;
    for (const { status, json } of answers) if (status === 409) assert.equal(json.current_quantity, set);
    assert.equal((await ledgerOf(client, tu_id)).length, 2);
    await assertStockTrue(apps);
  });

  it('guarded on a level that does not exist have exactly one winner, and one level is created', async () => {
    const { client } = await apps.newBrand();
    const { tu_id } = await newSimple(client);
    const answers = await Promise.all(
      times(50, (index) => adjust(client, tu_id, { quantity: index + 1, expected_quantity: 0 })),
    );
    assert.deepEqual(outcomes(answers), { '200': 1, '409 stock_version_conflict': 49 });
    assert.equal((await stockOf(client, tu_id)).levels.length, 1);
    assert.equal((await ok(client.get('/catalog/stock/locations'))).meta.total, 1);
    await assertStockTrue(apps);
  });

  it('without a guard all succeed; each quantity before is the one after the previous, and their sum is the quantity', async () => {
    const { client } = await apps.newBrand();
    const { tu_id } = await newSimple(client);
    const answers = await Promise.all(
      times(50, (index) => adjust(client, tu_id, { quantity: 1000 + index })),
    );
    assert.deepEqual(outcomes(answers), { '200': 50 });
    const ledger = await ledgerOf(client, tu_id);
    assert.equal(ledger.length, 50);
    let quantity = 0;
    for (const movement of ledger) {
      assert.equal(movement.quantity_before, quantity);
      quantity = movement.quantity_after;
    }
    const stock = await stockOf(client, tu_id);
    assert.equal(stock.levels[0].quantity, quantity);
    assert.equal(stock.availability.quantity, quantity);
    await assertStockTrue(apps);
  });

  it('that read, add one and retry on a conflict lose no increment', async () => {
    const { client } = await apps.newBrand();
    const { tu_id } = await newSimple(client);
    const addOne = async () => {
      for (let expected = 0; ; ) {
        const answer = await adjust(client, tu_id, { quantity: expected + 1, expected_quantity: expected });
        if (answer.status === 200) return;
        assert.equal(answer.json.code, 'stock_version_conflict');
        expected = answer.json.current_quantity;
      }
    };
    await Promise.all(
      times(10, async () => {
        for (let count = 0; count < 5; count += 1) await addOne();
      }),
    );
    assert.equal((await stockOf(client, tu_id)).levels[0].quantity, 50);
    await assertStockTrue(apps);
  });
});

describe('an Idempotency-Key of an adjustment', () => {
  it('is used once by 20 concurrent requests with one key', async () => {
    const { client } = await apps.newBrand();
    const { tu_id } = await newSimple(client);
    const answers = await Promise.all(
      times(20, () =>
        client.post(`/catalog/products/${tu_id}/stock/adjust`, { quantity: 7 }, { 'idempotency-key': 'one' }),
      ),
    );
    for (const { status, json } of answers)
      assert.ok(status === 200 || json.code === 'idempotency_conflict', JSON.stringify(json));
    assert.ok(answers.some(({ status }) => status === 200));
    assert.equal((await ledgerOf(client, tu_id)).length, 1);
  });

  it('writes nothing on a replay, regardless of concurrent replays and other adjustments', async () => {
    const { client } = await apps.newBrand();
    const { tu_id } = await newSimple(client);
    const send = (quantity: number, key: string) =>
      client.post(`/catalog/products/${tu_id}/stock/adjust`, { quantity }, { 'idempotency-key': key });
    const first = await send(1000, 'replayed');
    assert.equal(first.status, 200);
    for (let round = 0; round < 5; round += 1) {
      const others = times(10, (n) => send(round * 10 + n, `other-${round}-${n}`));
      const replays = await Promise.all(times(20, () => send(1000, 'replayed')));
      for (const { status, text, headers } of replays)
        assert.deepEqual([status, text, headers['idempotency-replayed']], [200, first.text, 'true']);
      // Another body under the key is neither written nor answered as a replay.
      assert.equal((await send(1001, 'replayed')).json.code, 'idempotency_key_reuse');
      await Promise.all(others);
    }
    const ledger: { quantity_after: number }[] = await ledgerOf(client, tu_id);
    assert.equal(ledger.filter(({ quantity_after }) => quantity_after >= 1000).length, 1);
    assert.equal(ledger.length, 51);
    await assertStockTrue(apps);
  });
});

describe('__default__', () => {
  it('is created once by the first 50 adjustments of 50 products', async () => {
    const { client } = await apps.newBrand();
    const products = [];
    for (let index = 0; index < 50; index += 1) products.push(await newSimple(client));
    const answers = await Promise.all(products.map(({ tu_id }) => adjust(client, tu_id, { quantity: 1 })));
    assert.deepEqual(outcomes(answers), { '200': 50 });
    const list = await ok(client.get('/catalog/stock/locations'));
    assert.equal(list.meta.total, 1);
    assert.equal((await ok(client.get('/catalog/stock/levels?location=__default__'))).meta.total, 50);
    await assertStockTrue(apps);
  });
});
