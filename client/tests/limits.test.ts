// nightly: waits for the minutes of the service's limits
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { startSdkService } from './sdk-service.ts';

// The limit of writes at a quarter of the real time: windows always take a minute. `pacing.test.ts` has the default limit
// of 60 in virtual time.
const { apps, newBrand } = await startSdkService({ limits: { catalog_key_writes: 240, catalog_brand: 600 } });
after(() => apps.clientApp.close());

describe('a sync of 1,000 writes', () => {
  it('meets no 429, whether its writes come all at once or one after the other', async () => {
    const statuses = new Map<number | null, number>();
    const { brandport } = await newBrand({
      hooks: { onResponse: ({ status }) => void statuses.set(status, (statuses.get(status) ?? 0) + 1) },
    });
    const { products } = brandport.catalog;
    const startedAt = performance.now();
    const all = Array.from({ length: 750 }, (_, index) => products.create({ sku: `A${index}` }));
    for (let index = 0; index < 250; index += 1) await products.create({ sku: `B${index}` });
    await Promise.all(all);
    const minutes = (performance.now() - startedAt) / 60_000;
    assert.deepEqual([...statuses], [[201, 1_000]]);
    assert.equal((await products.list().first()).meta.total, 1_000);
    // Four full windows have to pass.
    assert.ok(minutes >= 4 && minutes < 6, `${minutes} minutes`);
  });
});
