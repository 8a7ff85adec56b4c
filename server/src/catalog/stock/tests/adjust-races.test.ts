// processes: races fifty writers for seconds
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { counterAt } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { ok, outcomes } from '../../tests/new-axes.ts';
import {
  adjust,
  adjusted,
  assertStockTrue,
  ledgerOf,
  newLocation,
  newSimple,
  newStockedParent,
  stockOf,
} from './stock.ts';

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

const retries = () => counterAt(apps.metrics, 'brandport_transaction_retries_total', {});

describe('an adjustment concurrent with another change', () => {
  it('of its variant: a deletion leaves no level that is shown or counts, in either order', async () => {
    const { client } = await apps.newBrand();
    const { product, variants } = await newStockedParent(client, 'DELETE', 10);
    const answers = await Promise.all(
      variants.flatMap(({ tu_id: variant }, index) => [
        ...times(4, (n) => adjust(client, product.tu_id, { variant, quantity: 1 + n })),
        index % 2 === 0
          ? client.delete(`/catalog/variants/${variant}`)
          : adjust(client, product.tu_id, { variant, quantity: 9 }),
      ]),
    );
    for (const { status, json } of answers)
      assert.ok(status === 200 || status === 204 || (status === 422 && json.errors.variant), `${status}`);
    const stock = await stockOf(client, product.tu_id);
    assert.equal(stock.variants.length, 5);
    const shown = await ok(client.get('/catalog/stock/levels'));
    assert.equal(shown.meta.total, 5);
    assert.equal(
      stock.availability.quantity,
      shown.data.reduce((sum: number, { available }: { available: number }) => sum + available, 0),
    );
    await assertStockTrue(apps);
  });

  it('of its variant: activating and deactivating it preserves the availability of the active ones', async () => {
    const { client } = await apps.newBrand();
    const { product, variants } = await newStockedParent(client, 'SWITCH', 4);
    const answers = await Promise.all(
      times(60, (index) => {
        const variant = variants[index % 4].tu_id;
        return index % 3 === 0
          ? client.patch(`/catalog/variants/${variant}`, { is_active: index % 2 === 0 })
          : adjust(client, product.tu_id, { variant, quantity: index });
      }),
    );
    assert.deepEqual(outcomes(answers), { '200': 60 });
    await assertStockTrue(apps);
  });

  it('of its location: activating and deactivating it while levels are created there reaches all of them', async () => {
    const { client } = await apps.newBrand();
    await newLocation(client, 'WH');
    const products = [];
    for (let index = 0; index < 12; index += 1) products.push(await newSimple(client));
    const { product, variants } = await newStockedParent(client, 'TOGGLE', 6);
    const answers = await Promise.all([
      ...times(12, (index) => client.patch('/catalog/stock/locations/WH', { is_active: index % 2 === 0 })),
      ...products.flatMap(({ tu_id }) =>
        times(3, (quantity) => adjust(client, tu_id, { location: 'WH', quantity: quantity + 1 })),
      ),
      ...variants.map(({ tu_id: variant }) =>
        adjust(client, product.tu_id, { variant, location: 'WH', quantity: 2 }),
      ),
    ]);
    assert.deepEqual(outcomes(answers), { '200': 54 });
    await assertStockTrue(apps);
    const isActive = (await ok(client.get('/catalog/stock/locations'))).data[0].is_active;
    assert.equal((await stockOf(client, product.tu_id)).availability.quantity, isActive ? 12 : 0);
  });

  it('of its product’s or variant’s SKU: levels get the new one, movements keep the old one', async () => {
    const { client } = await apps.newBrand();
    const simple = await newSimple(client, 'OLD');
    const { product, variants } = await newStockedParent(client, 'OLDV', 1);
    const variant = variants[0].tu_id;
    for (const code of ['A', 'B', 'C', 'D', 'E', 'F']) await newLocation(client, code);
    const answers = await Promise.all([
      ...['A', 'B', 'C', 'D', 'E', 'F'].flatMap((location, index) => [
        adjust(client, simple.tu_id, { location, quantity: 1 }),
        adjust(client, product.tu_id, { variant, location, quantity: 1 }),
        client.patch(`/catalog/products/${simple.tu_id}`, { sku: `NEW-${index}` }),
        client.patch(`/catalog/variants/${variant}`, { sku: `NEWV-${index}` }),
      ]),
    ]);
    assert.deepEqual(outcomes(answers), { '200': 24 });
    await assertStockTrue(apps);
    const { sku } = await ok(client.get(`/catalog/products/${simple.tu_id}`));
    const levels = await ok(client.get(`/catalog/stock/levels?sku=${sku}`));
    assert.equal(levels.meta.total, 6);
    for (const movement of await ledgerOf(client, simple.tu_id)) assert.match(movement.sku, /^(OLD|NEW-\d)$/);
  });
});

describe('many writers over several products', () => {
  it('run adjustments, location and variant switches, renames, deletions and reads without any deadlock', async () => {
    const { client } = await apps.newBrand({ settings: { stale_after_hours: 5 } });
    for (const code of ['A', 'B', 'C']) await newLocation(client, code);
    const simple: { tu_id: string }[] = [];
    for (let index = 0; index < 5; index += 1) simple.push(await newSimple(client));
    const parents: Awaited<ReturnType<typeof newStockedParent>>[] = [];
    for (const sku of ['P1', 'P2', 'P3']) parents.push(await newStockedParent(client, sku, 4));
    const before = await retries();
    const pick = <T>(list: readonly T[], n: number): T => list[n % list.length] as T;
    const work = times(400, (n) => async () => {
      const { product, variants } = pick(parents, n);
      const variant = pick(variants, n >> 2).tu_id;
      switch (n % 8) {
        case 0:
          return client.patch(`/catalog/stock/locations/${pick(['A', 'B', 'C'], n >> 3)}`, {
            is_active: n % 16 === 0,
          });
        case 1:
          return client.patch(`/catalog/variants/${variant}`, { is_active: n % 16 === 1 });
        case 2:
          return client.patch(`/catalog/variants/${variant}`, { sku: `RENAMED-${n}` });
        case 3:
          return client.patch(`/catalog/products/${pick(simple, n >> 3).tu_id}`, { sku: `S-RENAMED-${n}` });
        case 4:
          return client.get(`/catalog/products/${product.tu_id}/stock`);
        case 5:
          return adjust(client, pick(simple, n >> 3).tu_id, {
            location: pick(['A', 'B', 'C', null], n >> 4),
            quantity: n,
          });
        default:
          return n === 399
            ? client.delete(`/catalog/variants/${variant}`)
            : adjust(client, product.tu_id, {
                variant,
                location: pick(['A', 'B', 'C', null], n >> 3),
                quantity: n % 50,
              });
      }
    });
    // 50 at a time: all at once would test how long a request may wait for a connection on a busy machine.
    const answers = [];
    for (let start = 0; start < work.length; start += 50)
      answers.push(...(await Promise.all(work.slice(start, start + 50).map((one) => one()))));
    for (const { status, text } of answers)
      assert.ok([200, 204].includes(status) || text.includes('"variant"'), text);
    assert.equal(await retries(), before);
    await assertStockTrue(apps);
  });
});
