// processes: reads a list to its end with every page failing in turn
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { isBrandportError, type ResumeFrom } from '../src/index.ts';
import { RepeatDetector } from '../src/pages.ts';
import { startSdkService } from './sdk-service.ts';

const { apps, newBrand } = await startSdkService();
after(() => apps.clientApp.close());

describe('a list with page numbers', () => {
  it('is read to its end, whichever page fails, and continues at that page', async () => {
    const { brandport, connect, meet } = await newBrand();
    const skus = ['A', 'B', 'C', 'D', 'E'];
    for (const sku of skus) await brandport.catalog.products.create({ sku });
    const query = { sort: 'sku', per_page: 2 };
    for (const fault of ['drop', 'truncate', 'status=503; retry-after=0'])
      for (let failing = 2; failing <= 4; failing += 1) {
        meet({ every: failing, fault });
        const rows = await brandport.catalog.products.list(query).toArray();
        assert.deepEqual(
          rows.map(({ sku }) => sku),
          skus,
        );
      }
    meet({ every: 2, fault: 'status=503' });
    const failing = connect({ maxRetries: 0 });
    let resumeFrom: ResumeFrom | null = null;
    await assert.rejects(failing.catalog.products.list(query).toArray(), (error) => {
      assert.ok(isBrandportError(error));
      resumeFrom = error.resumeFrom;
      return true;
    });
    assert.deepEqual(resumeFrom, { page: 2 });
    meet();
    const rest = await failing.catalog.products.list(query, { resumeFrom }).toArray();
    assert.deepEqual(
      rest.map(({ sku }) => sku),
      ['C', 'D', 'E'],
    );
  });

  it('has pages with totals, and begins where the query says', async () => {
    const { brandport } = await newBrand();
    const { products } = brandport.catalog;
    assert.deepEqual(await products.list().toArray(), []);
    for (const sku of ['A', 'B', 'C']) await products.create({ sku });
    const pages = await Array.fromAsync(products.list({ per_page: 2 }).pages());
    assert.deepEqual(
      pages.map(({ data, meta, resumeFrom }) => [data.length, meta.total, resumeFrom]),
      [
        [2, 3, { page: 1 }],
        [1, 3, { page: 2 }],
      ],
    );
    assert.equal((await products.list({ per_page: 2, page: 2 }).toArray()).length, 1);
    assert.deepEqual((await products.list({ page: 9 }).first()).data, []);
  });
});

describe('the detector of repeated cursors', () => {
  it('finds every circle, and nothing in a sequence without one', () => {
    for (const lead of [0, 1, 5, 30])
      for (const length of [1, 2, 3, 7, 50]) {
        const detector = new RepeatDetector();
        const valueAt = (step: number) => String(step < lead ? step : lead + ((step - lead) % length));
        const found = Array.from({ length: 4 * (lead + length) + 4 }, (_, step) => valueAt(step)).findIndex(
          (value) => detector.isRepeated(value),
        );
        assert.ok(found > 0, `lead ${lead}, length ${length}`);
      }
    const detector = new RepeatDetector();
    for (let step = 0; step < 10_000; step += 1) assert.equal(detector.isRepeated(String(step)), false);
  });
});
