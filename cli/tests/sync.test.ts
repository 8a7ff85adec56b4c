// processes: syncs whole catalogs, in 20 seconds
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import { startFaultProxy } from '../../client/tests/fault-proxy.ts';
import { startSdkService } from '../../client/tests/sdk-service.ts';
import { passingFaults } from '../../server/test/support/sandbox-faults.ts';
import { applyPlan } from '../src/sync/apply-plan.ts';
import { describePlan } from '../src/sync/plan/plan-types.ts';
import { catalogFiles } from './sync-files.ts';
import { catalogOf, SyncFolder } from './sync-kit.ts';

const { apps, clientUrl, newBrand } = await startSdkService({ runsJobs: true });
after(() => apps.clientApp.close());
const folder = new SyncFolder();
const files = catalogFiles(folder);

describe('a sync [D148]', () => {
  it('creates the whole catalog, and the second run writes nothing', async () => {
    const brand = await newBrand();
    const proxy = await startFaultProxy(clientUrl, () => null);
    const brandport = brand.connect({ baseUrl: proxy.url });
    const { planned, applied } = await folder.sync(brandport, files);
    assert.deepEqual(planned.problems.kept, []);
    assert.equal(
      describePlan(planned.counts),
      '# library 4  + create 3  + 2 variants  * generate 1 product (4 variants)  = 0 same  ↑ 1 feed of 4 lines',
    );
    assert.deepEqual(applied.failed, []);
    assert.equal(applied.written, planned.counts.writes);
    assert.deepEqual(applied.feed, { received: 4, applied: 4 });
    assert.equal(proxy.seen.filter(({ method }) => method !== 'GET').length, planned.counts.writes);

    proxy.seen.length = 0;
    const again = await folder.sync(brandport, files);
    assert.equal(describePlan(again.planned.counts), '= 9 same');
    assert.equal(again.applied.written, 0);
    assert.deepEqual(
      proxy.seen.filter(({ method }) => method !== 'GET'),
      [],
    );
  });

  it('takes U+2028 in a string for a character, in CSV and JSONL', async () => {
    const { brandport } = await newBrand();
    const lines = folder.file('u2028.csv', ['sku,title', 'L1,one\u2028two']);
    const json = folder.file('u2029.jsonl', [{ sku: 'L2', title: 'three\u2029four' }]);
    const { planned, applied } = await folder.sync(brandport, [lines, json]);
    assert.deepEqual([planned.problems.kept, applied.failed, applied.written], [[], [], 2]);
    const titles: unknown[] = [];
    for await (const { title } of brandport.catalog.products.list({ sort: 'sku' })) titles.push(title);
    assert.deepEqual(titles, ['one\u2028two', 'three\u2029four']);
  });

  it('knows an axis by its name alone, also one that objects of JavaScript have', async () => {
    const { brandport } = await newBrand();
    const axes = folder.file('own-axes.csv', ['axis,value', 'constructor,a', '__proto__,b', 'size,S']);
    const products = folder.file('own-products.csv', [
      'sku,axis:constructor,axis:__proto__,axis:size',
      'P,a,b,S',
    ]);
    const whole = folder.file('own-variants.csv', [
      'product_sku,sku,axis:constructor,axis:__proto__,axis:size',
      'P,P-1,a,b,S',
    ]);
    assert.deepEqual((await folder.plan(brandport, [axes, products, whole])).problems.kept, []);
    const { applied } = await folder.sync(brandport, [axes, products, whole]);
    assert.deepEqual(applied.failed, []);
    const half = folder.file('own-half.csv', ['product_sku,sku,axis:size', 'P,P-2,S']);
    const { problems } = await folder.plan(brandport, [half]);
    assert.match(JSON.stringify(problems.kept), /it has no value of the axis \\"(constructor|__proto__)\\"/);
  });

  it('ends in the same catalog through every kind of fault', async () => {
    const plain = await newBrand();
    await folder.sync(plain.brandport, files);
    const expected = await catalogOf(plain.brandport);
    const brand = await newBrand();
    brand.meet(...passingFaults.map((fault, index) => ({ fault, every: 9 + 2 * index })));
    const brandport = brand.connect({ maxRetries: 9 });
    const { applied } = await folder.sync(brandport, files);
    brand.meet();
    assert.deepEqual([applied.failed, applied.refused], [[], []]);
    assert.deepEqual(await catalogOf(brand.brandport), expected);
    const [movements] = await apps.sql(
      'select count(*)::int as count from stock_movements where brand_id = $1',
      [brand.brandId],
    );
    assert.equal(movements?.['count'], 3);
  });

  it('changes only what differs, and keeps languages and fields that no row names', async () => {
    const { brandport } = await newBrand();
    const { products } = brandport.catalog;
    const mug = await products.create({
      sku: 'MUG',
      versions: { en: { title: 'Mug' }, SV: { title: 'Mugg', short_description: 'Vit' } },
      tax_class: 'reduced',
      price_value: 8,
    });
    const same = await products.create({ sku: 'SAME', title: 'Same', price_value: 1 });
    const path = folder.file('changed.csv', ['sku,title:sv,price_value', 'MUG,Kopp,8.0', 'SAME,,1']);
    const { planned } = await folder.sync(brandport, [path]);
    assert.equal(describePlan(planned.counts), '~ patch 1  = 1 same');
    const changed = await products.get(mug.tu_id);
    assert.deepEqual(changed.versions, {
      en: { title: 'Mug' },
      SV: { title: 'Kopp', short_description: 'Vit' },
    });
    assert.equal(changed.tax_class, 'reduced');
    assert.equal((await products.get(same.tu_id)).updated_at, same.updated_at);
  });

  it('refuses a product that has changed since it was compared, writes the others, and compares again', async () => {
    const { brandport } = await newBrand();
    const { products } = brandport.catalog;
    const [one, two] = [await products.create({ sku: 'ONE' }), await products.create({ sku: 'TWO' })];
    const path = folder.file('both.csv', ['sku,title', 'ONE,Wanted', 'TWO,Wanted']);
    const plan = await folder.plan(brandport, [path]);
    await products.update(one.tu_id, { title: 'By somebody else' });
    const first = await applyPlan(plan, { brandport });
    assert.deepEqual(
      first.refused.map(({ at }) => at),
      [`${path}:2`],
    );
    assert.deepEqual([first.written, first.isComplete], [1, false]);
    assert.equal((await products.get(one.tu_id)).title, 'By somebody else');
    assert.equal((await products.get(two.tu_id)).title, 'Wanted');
    const { applied } = await folder.sync(brandport, [path]);
    assert.deepEqual([applied.written, applied.isComplete], [1, true]);
    assert.equal((await products.get(one.tu_id)).title, 'Wanted');
  });

  it('writes once when two runs carry out the same comparison at once', async () => {
    const { brandport, brandId } = await newBrand();
    const catalog = files.slice(0, 4);
    const plans = [await folder.plan(brandport, catalog), await folder.plan(brandport, catalog)];
    const results = await Promise.all(plans.map((plan) => applyPlan(plan, { brandport })));
    assert.deepEqual(
      results.flatMap(({ failed, refused }) => [...failed, ...refused]),
      [],
    );
    assert.equal(describePlan((await folder.plan(brandport, catalog)).counts), '= 5 same');
    const [created] = await apps.sql('select count(*)::int as count from products where brand_id = $1', [
      brandId,
    ]);
    assert.equal(created?.['count'], 3);
  });

  it('creates a product again whose SKU another one had a moment ago', async () => {
    const { brandport } = await newBrand();
    const { products } = brandport.catalog;
    const path = folder.file('renamed.csv', ['sku,title', 'NAME,One']);
    await folder.sync(brandport, [path]);
    const [first] = (await products.list({ sku: 'NAME' }).first()).data;
    await products.update(first?.tu_id ?? '', { sku: 'OTHER' });
    const { applied } = await folder.sync(brandport, [path]);
    assert.deepEqual([applied.failed, applied.written], [[], 1]);
    const skus = (await products.list({ sort: 'sku' }).toArray()).map(({ sku }) => sku);
    assert.deepEqual(skus, ['NAME', 'OTHER']);
  });

  it('leaves stock alone that was adjusted after it was compared', async () => {
    const { brandport } = await newBrand();
    const { products, stock, locations } = brandport.catalog;
    await locations.create({ external_code: 'hall' });
    const [kept, set] = [await products.create({ sku: 'KEPT' }), await products.create({ sku: 'SET' })];
    const path = folder.file('late.csv', ['sku,location_code,quantity', 'KEPT,hall,3', 'SET,hall,4']);
    const plan = await folder.plan(brandport, [path]);
    apps.clock.advance(2_000);
    await stock.adjust(kept.tu_id, { location: 'hall', quantity: 9 });
    const { feed, failed, isComplete } = await applyPlan(plan, { brandport });
    assert.deepEqual(feed, { received: 2, applied: 1, stale: 1 });
    assert.deepEqual(
      failed.map(({ at }) => at),
      [`${path}:2`],
    );
    assert.equal(isComplete, false);
    const levels = await stock.levels().toArray();
    assert.deepEqual(
      levels.map(({ sku, quantity }) => [sku, quantity]),
      [
        ['KEPT', 9],
        ['SET', 4],
      ],
    );
    assert.ok(set.tu_id);
  });
});

describe('variants of a sync', () => {
  it('are generated when rows cover all combinations and name them alike, and changed one by one otherwise', async () => {
    const { brandport } = await newBrand();
    const rows = ['S', 'M', 'L'].flatMap((size) =>
      ['red', 'blue'].map(
        (color) => `POLO,POLO_${color}.${size},${color},${size},true,${size === 'L' ? '30' : ''}`,
      ),
    );
    const path = folder.file('polo.csv', [
      'product_sku,sku,axis:color,axis:size,is_active,price_value',
      ...rows,
    ]);
    const parent = folder.file('parent.csv', ['sku,price_value', 'POLO,25']);
    const { planned, applied } = await folder.sync(brandport, [parent, path], { createAxes: true });
    assert.equal(
      describePlan(planned.counts),
      '# library 2  + create 1  ~ patch 2  * generate 1 product (6 variants)  = 0 same',
    );
    assert.deepEqual([applied.failed, applied.isComplete], [[], true]);
    const [product] = await brandport.catalog.products.list().toArray();
    const variants = await brandport.catalog.variants.list(product?.tu_id ?? '').toArray();
    assert.deepEqual(
      variants.map(({ sku, price, is_active }) => [sku, price.value, price.inherited, is_active]).sort(),
      rows
        .map((row) => row.split(','))
        .map(([, sku, , , , price]) => [sku, price === '' ? 25 : 30, price === '', true])
        .sort(),
    );
    // A new size is one more generation; a barcode is one change.
    const more = ['red', 'blue'].map((color) => `POLO,POLO_${color}.XL,${color},XL,true,`);
    const extended = folder.file('polo.csv', [
      'product_sku,sku,axis:color,axis:size,is_active,price_value',
      ...rows,
      ...more,
    ]);
    const next = await folder.sync(brandport, [parent, extended], { createAxes: true });
    assert.equal(
      describePlan(next.planned.counts),
      '# library 1  ~ patch 1  * generate 1 product (2 variants)  = 6 same',
    );
    assert.equal((await folder.plan(brandport, [parent, extended])).counts.writes, 0);
  });

  it('are read again only when their product has changed [D149]', async () => {
    const brand = await newBrand();
    await folder.sync(brand.brandport, files);
    const proxy = await startFaultProxy(clientUrl, () => null);
    const brandport = brand.connect({ baseUrl: proxy.url });
    const path = `${folder.path}/memory.jsonl`;
    const details = async (given = files, memoryPath = path) => {
      proxy.seen.length = 0;
      const { counts } = await folder.plan(brandport, given, { memoryPath: () => memoryPath });
      assert.equal(counts.writes, 0);
      return proxy.seen.filter(({ url }) => /products\/[\w-]+$/.test(url)).length;
    };
    assert.deepEqual([await details(), await details()], [2, 0]);
    const tee = (await brandport.catalog.products.list({ sku: 'TEE' }).first()).data[0]?.tu_id ?? '';
    await brandport.catalog.products.update(tee, { tax_class: 'reduced' });
    assert.deepEqual([await details(), await details()], [1, 0]);
    // What another sync does not compare is kept.
    assert.deepEqual([await details(files.slice(0, 2)), await details()], [0, 0]);
    const text = readFileSync(path, 'utf8');
    for (const damaged of [
      '{"tu_id":"torn',
      text.slice(0, text.length / 2),
      text.replaceAll('"variants"', '"others"'),
      text.replaceAll('"axes":[', '"axes":['.replace('[', '{')),
      '\u0000'.repeat(100),
    ]) {
      writeFileSync(path, damaged);
      assert.ok((await details()) > 0, damaged.slice(0, 20));
      assert.equal(await details(), 0);
    }
    // Without a folder that can be written, nothing is remembered.
    const nowhere = `${path}/below/memory.jsonl`;
    assert.deepEqual([await details(files, nowhere), await details(files, nowhere)], [2, 2]);
  });
});

describe('an archive of missing products', () => {
  it('needs its option, and never exceeds its share', async () => {
    const { brandport } = await newBrand();
    const { products } = brandport.catalog;
    for (let n = 0; n < 20; n += 1) await products.create({ sku: `P${n}`, is_active: true });
    const rows = (count: number) =>
      folder.file('few.csv', ['sku', ...Array.from({ length: count }, (_, n) => `P${n}`)]);
    const isActive = async () => (await products.list({ is_active: true }).toArray()).length;

    const without = await folder.plan(brandport, [rows(19)]);
    assert.deepEqual([without.counts.missing, without.counts.archive], [1, 0]);
    const { applied } = await folder.sync(brandport, [rows(19)], { archiveMissing: true });
    assert.deepEqual([applied.written, await isActive()], [1, 19]);

    const many = await folder.plan(brandport, [rows(10)], { archiveMissing: true });
    assert.equal(many.counts.archive, 0);
    assert.match(
      many.problems.kept[0]?.message ?? '',
      /^9 products are missing, 47.4 % of the active ones; --max-archive allows 5 %/,
    );
  });

  it('spares a product whose row has a problem', async () => {
    const { brandport } = await newBrand();
    await brandport.catalog.products.create({ sku: 'BAD', is_active: true });
    const path = folder.file('bad.csv', ['sku,price_value', 'BAD,cheap']);
    const { counts } = await folder.plan(brandport, [path], { archiveMissing: true, maxArchive: 1 });
    assert.deepEqual([counts.archive, counts.missing, counts.problems], [0, 0, 1]);
    const variant = folder.file('bad-variant.csv', [
      'product_sku,sku,axis:size,barcode',
      'BAD,BAD-S,S,\u0000',
    ]);
    const ofVariant = await folder.plan(brandport, [variant], { archiveMissing: true, maxArchive: 1 });
    assert.deepEqual([ofVariant.counts.archive, ofVariant.counts.missing], [0, 0]);
  });
});
