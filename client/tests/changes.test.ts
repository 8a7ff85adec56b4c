// nightly: kills pollers again and again during writes
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import {
  type Brandport,
  type ChangeBatch,
  fileState,
  memoryState,
  type ProductListItem,
} from '../src/index.ts';
import { followUnderKills } from './killed-follower.ts';
import { startSdkService } from './sdk-service.ts';

const { apps, clientUrl, newBrand } = await startSdkService();
after(() => apps.clientApp.close());
const dir = mkdtempSync(join(tmpdir(), 'brandport-changes-'));
after(() => rmSync(dir, { recursive: true, force: true }));

/** Creates products in parallel and returns their ids. */
async function createProducts(brandport: Brandport, count: number): Promise<string[]> {
  const created = Array.from({ length: count }, (_, index) =>
    brandport.catalog.products.create({ sku: `S${index}`, title: '0' }),
  );
  return (await Promise.all(created)).map(({ tu_id: tuId }) => tuId);
}

function idsOf(batches: readonly ChangeBatch<ProductListItem>[]): string[] {
  return batches.flatMap(({ items }) => items.map(({ tu_id: tuId }) => tuId));
}

describe('the changes of products', () => {
  it('come once each, in their order, and the next run continues', async () => {
    const { brandport } = await newBrand();
    const ids = await createProducts(brandport, 210);
    const state = memoryState();
    const run = () => Array.fromAsync(brandport.catalog.products.changes({ state, follow: false }));
    const batches = await run();
    assert.deepEqual(idsOf(batches).sort(), ids.toSorted());
    const times = batches.flatMap(({ items }) => items.map(({ updated_at: updatedAt }) => updatedAt));
    assert.deepEqual(times, times.toSorted());
    assert.deepEqual(await run(), []);
    const changed = ids.slice(0, 3);
    for (const tuId of changed) await brandport.catalog.products.update(tuId, { title: 'new' });
    assert.deepEqual(idsOf(await run()), changed);
  });

  it('says that another process has changed its file', async () => {
    const path = join(dir, 'shared');
    const [one, two] = [fileState(path), fileState(path)];
    assert.deepEqual([await one.load(), await two.load()], [null, null]);
    await one.save({ token: 'a' });
    await assert.rejects(two.save({ token: 'b' }), /shared was changed by another process\. Only one/);
    assert.deepEqual(await two.load(), { token: 'a' });
    await Promise.all(
      [two.save({ token: 'c' }), two.save({ token: 'd' })].map((save) => save.catch(() => {})),
    );
    assert.deepEqual(
      (await readdir(dir)).filter((name) => name.includes('.new')),
      [],
    );
  });

  it('do not advance past a batch whose handling failed', async () => {
    const { brandport } = await newBrand();
    const ids = await createProducts(brandport, 3);
    const state = fileState(join(dir, 'failing'));
    const failing = async () => {
      for await (const _batch of brandport.catalog.products.changes({ state, follow: false }))
        throw new Error('the warehouse is full');
    };
    await assert.rejects(failing, /full/);
    assert.equal(await state.load(), null);
    const batches = await Array.fromAsync(brandport.catalog.products.changes({ state, follow: false }));
    assert.deepEqual(idsOf(batches).sort(), ids.toSorted());
    assert.deepEqual(await state.load(), batches.at(-1)?.checkpoint);
    writeFileSync(join(dir, 'damaged'), '{"since":');
    const damaged = brandport.catalog.products.changes({ state: fileState(join(dir, 'damaged')) });
    await assert.rejects(damaged.next(), /Remove it to begin/);
  });

  it('come completely when more than a page of them has one time, while some change again', async () => {
    const { brandport, brandId } = await newBrand();
    const ids = await createProducts(brandport, 260);
    await apps.sql(
      `update products set updated_at = date_trunc('second', updated_at) - interval '1 hour' where brand_id = $1`,
      [brandId],
    );
    await apps.sql(
      `update products set updated_at = (select min(updated_at) from products where brand_id = $1) where brand_id = $1`,
      [brandId],
    );
    const seen: string[] = [];
    let batchNumber = 0;
    for await (const { items } of brandport.catalog.products.changes({
      state: memoryState(),
      follow: false,
    })) {
      seen.push(...items.map(({ tu_id: tuId }) => tuId));
      batchNumber += 1;
      // Products of the first page move to the end, so that all later pages shift.
      if (batchNumber === 1)
        for (const { tu_id: tuId } of items.slice(0, 20))
          await brandport.catalog.products.update(tuId, { title: '1' });
    }
    assert.deepEqual([...new Set(seen)].sort(), ids.toSorted());
    assert.equal(seen.length, ids.length + 20);
  });

  it('lose nothing when the process is killed again and again during writes', async () => {
    const { brandport, apiKey } = await newBrand();
    const ids = await createProducts(brandport, 60);
    const titles = (items: readonly ProductListItem[]) =>
      new Map(items.map(({ tu_id: tuId, title }) => [tuId, title]));
    const copied = await followUnderKills<ProductListItem>(
      { url: clientUrl, apiKey, dir, of: 'products' },
      async (round) => {
        for (const tuId of ids.slice(round * 5, round * 5 + 20))
          await brandport.catalog.products.update(tuId, { title: String(round) });
      },
      (items) => {
        const latest = titles(items);
        return ids.every((tuId) => latest.has(tuId)) && latest.get(ids[39] ?? '') === '4';
      },
    );
    assert.deepEqual(titles(copied), titles(await brandport.catalog.products.list().toArray()));
  });
});
