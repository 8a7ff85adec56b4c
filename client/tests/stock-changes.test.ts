// processes, alone: kills pollers again and again during writes
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { passingFaults } from '../../server/test/support/sandbox-faults.ts';
import { waitFor } from '../../server/test/support/wait-for.ts';
import {
  type Brandport,
  type ChangeState,
  fileState,
  isBrandportError,
  memoryState,
  type StockLevelListed,
} from '../src/index.ts';
import { startFaultProxy } from './fault-proxy.ts';
import { followUnderKills } from './killed-follower.ts';
import { startSdkService } from './sdk-service.ts';

const { apps, clientUrl, newBrand } = await startSdkService();
after(() => apps.clientApp.close());
const dir = mkdtempSync(join(tmpdir(), 'brandport-stock-changes-'));
after(() => rmSync(dir, { recursive: true, force: true }));

/** Creates products with a level each, in parallel, and returns their ids. */
async function createStocked({ catalog }: Brandport, count: number): Promise<string[]> {
  const created = Array.from({ length: count }, async (_, index) => {
    const { tu_id: tuId } = await catalog.products.create({ sku: `S${index}` });
    await catalog.stock.adjust(tuId, { quantity: 0 });
    return tuId;
  });
  return Promise.all(created);
}

async function read({ catalog }: Brandport, state: ChangeState): Promise<StockLevelListed[]> {
  const batches = await Array.fromAsync(catalog.stock.changes({ state, follow: false }));
  assert.ok(batches.every(({ items }) => items.length > 0 && items.length <= 200));
  return batches.flatMap(({ items }) => items);
}

const quantities = (levels: readonly StockLevelListed[]) =>
  new Map(levels.map(({ product_tu_id: tuId, quantity }) => [tuId, quantity]));

describe('the changes of stock', () => {
  it('begin with every level, come once each in their order, and the next run continues', async () => {
    const { brandport } = await newBrand();
    const ids = await createStocked(brandport, 210);
    const state = memoryState();
    assert.deepEqual(
      (await read(brandport, state)).map(({ product_tu_id: tuId }) => tuId).sort(),
      ids.toSorted(),
    );
    assert.deepEqual(await read(brandport, state), []);
    const { products, stock } = brandport.catalog;
    const [first = '', second = '', third = ''] = ids;
    await stock.adjust(first, { quantity: 1 });
    await stock.adjust(second, { quantity: 2 });
    await products.update(third, { sku: 'RENAMED' });
    await stock.adjust(first, { quantity: 3 });
    assert.deepEqual(
      (await read(brandport, state)).map(({ sku, quantity }) => [sku, quantity]),
      [
        ['S1', 2],
        ['RENAMED', 0],
        ['S0', 3],
      ],
    );
  });

  it('move the place past changes without levels, so that it does not grow too old', async () => {
    const { brandport, brandId } = await newBrand();
    const state = memoryState();
    const { locations, stock } = brandport.catalog;
    const [tuId = ''] = await createStocked(brandport, 1);
    const { external_code: code } = await locations.create({ external_code: 'WH' });
    await stock.adjust(tuId, { location: code, quantity: 1 });
    await read(brandport, state);
    const before = await state.load();
    for (const isActive of [false, true]) await locations.update(code, { is_active: isActive });
    assert.deepEqual(await read(brandport, state), []);
    assert.notDeepEqual(await state.load(), before);
    await apps.sql('delete from stock_changes where brand_id = $1', [brandId]);
    assert.deepEqual(await read(brandport, state), []);
  });

  it('do not advance past a batch whose handling failed, and need a state of their kind', async () => {
    const { brandport } = await newBrand();
    const ids = await createStocked(brandport, 3);
    const state = fileState(join(dir, 'failing'));
    const { stock, products } = brandport.catalog;
    const failing = async () => {
      for await (const _batch of stock.changes({ state, follow: false }))
        throw new Error('the warehouse is full');
    };
    await assert.rejects(failing, /full/);
    assert.equal(await state.load(), null);
    assert.deepEqual([...quantities(await read(brandport, state)).keys()].sort(), ids.toSorted());
    await assert.rejects(products.changes({ state }).next(), /other changes/);
    const ofProducts = fileState(join(dir, 'products'));
    await Array.fromAsync(products.changes({ state: ofProducts, follow: false }));
    await assert.rejects(stock.changes({ state: ofProducts }).next(), /other changes/);
  });

  it('reject a place that the service no longer knows, and leave it', async () => {
    const { brandport, brandId } = await newBrand();
    const [tuId = ''] = await createStocked(brandport, 1);
    const state = fileState(join(dir, 'old'));
    await read(brandport, state);
    const kept = await state.load();
    await brandport.catalog.stock.adjust(tuId, { quantity: 1 });
    await apps.sql('delete from stock_changes where brand_id = $1', [brandId]);
    await assert.rejects(read(brandport, state), (error) => {
      assert.ok(isBrandportError(error, 'validation_failed'));
      return /Read all levels again/.test(JSON.stringify(error.errors));
    });
    assert.deepEqual(await state.load(), kept);
  });

  for (const fault of passingFaults)
    it(`survive a fault of every second request: ${fault}`, async () => {
      const { brandport, connect, meet } = await newBrand();
      const ids = await createStocked(brandport, 5);
      meet({ every: 2, fault });
      const through = connect();
      const state = memoryState();
      assert.equal((await read(through, state)).length, 5);
      await brandport.catalog.stock.adjust(ids[2] ?? '', { quantity: 7 });
      assert.deepEqual([...quantities(await read(through, state))], [[ids[2], 7]]);
      assert.deepEqual(await read(through, state), []);
    });

  it('ask with the tag of the last answer while nothing changes', async () => {
    const { brandport, connect } = await newBrand();
    await createStocked(brandport, 1);
    const proxy = await startFaultProxy(clientUrl, () => null);
    const stopping = new AbortController();
    const following = Array.fromAsync(
      connect({ baseUrl: proxy.url }).catalog.stock.changes({
        state: memoryState(),
        intervalMs: 5,
        signal: stopping.signal,
      }),
    );
    await waitFor(
      'polls with a tag',
      () => proxy.seen.filter((one) => one.headers['if-none-match']).length > 3,
    );
    stopping.abort(new Error('stopped'));
    await assert.rejects(following, /stopped/);
  });

  it('lose nothing when the process is killed again and again during writes', async () => {
    const { brandport, apiKey } = await newBrand();
    const ids = await createStocked(brandport, 60);
    const { stock } = brandport.catalog;
    const copied = await followUnderKills<StockLevelListed>(
      { url: clientUrl, apiKey, dir, of: 'stock' },
      async (round) => {
        for (const tuId of ids.slice(round * 5, round * 5 + 20))
          await stock.adjust(tuId, { quantity: round });
      },
      (levels) => {
        const latest = quantities(levels);
        return ids.every((tuId) => latest.has(tuId)) && latest.get(ids[39] ?? '') === 4;
      },
    );
    assert.deepEqual([...quantities(copied)].sort(), [...quantities(await stock.levels().toArray())].sort());
  });
});
