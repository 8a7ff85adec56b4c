import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { counterAt } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { ok, outcomes } from '../../tests/new-axes.ts';
import {
  adjust,
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
