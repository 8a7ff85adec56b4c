import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import { startFaultProxy } from '../../client/tests/fault-proxy.ts';
import { startSdkService } from '../../client/tests/sdk-service.ts';
import { applyPlan } from '../src/sync/apply/apply-plan.ts';
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
    assert.deepEqual(planned.problems, []);
    assert.equal(
      planned.summary,
      '# library 4  + create 3  + 2 variants  * generate 1 product (4 variants)  = 0 same  ↑ 1 feed of 4 lines',
    );
    assert.deepEqual(applied.failed, []);
    assert.equal(applied.written, planned.counts.writes);
    assert.deepEqual(applied.feed, { received: 4, applied: 4 });
    assert.equal(proxy.seen.filter(({ method }) => method !== 'GET').length, planned.counts.writes);

    proxy.seen.length = 0;
    const again = await folder.sync(brandport, files);
    assert.equal(again.planned.summary, '= 9 same');
    assert.ok(again.planned.isEmpty);
    const { written, skipped } = await applyPlan({ brandport, plan: planned.out ?? '' });
    assert.deepEqual([written, skipped], [0, planned.counts.writes]);
    assert.deepEqual(
      proxy.seen.filter(({ method }) => method !== 'GET'),
      [],
    );
  });

  it('takes U+2028 in a string for a character, in CSV, JSONL and the plan', async () => {
    const { brandport } = await newBrand();
    const lines = folder.file('u2028.csv', ['sku,title', 'L1,one\u2028two']);
    const json = folder.file('u2029.jsonl', [{ sku: 'L2', title: 'three\u2029four' }]);
    const { planned, applied } = await folder.sync(brandport, [lines, json]);
    assert.deepEqual([planned.problems, applied.failed, applied.written], [[], [], 2]);
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
    assert.deepEqual((await folder.plan(brandport, [axes, products, whole])).problems, []);
    const { applied } = await folder.sync(brandport, [axes, products, whole]);
    assert.deepEqual(applied.failed, []);
    const half = folder.file('own-half.csv', ['product_sku,sku,axis:size', 'P,P-2,S']);
    const { problems } = await folder.plan(brandport, [half]);
    assert.match(JSON.stringify(problems), /it has no value of the axis \\"(constructor|__proto__)\\"/);
  });

  it('ends in the same catalog through every kind of fault', async () => {
    const plain = await newBrand();
    await folder.sync(plain.brandport, files);
    const expected = await catalogOf(plain.brandport);
    const brand = await newBrand();
    const faults = [
      'drop',
      'drop-after-commit',
      'truncate',
      'status=429; retry-after=0',
      'status=503; retry-after=0',
      'html-502',
    ];
    brand.meet(...faults.map((fault, index) => ({ fault, every: 9 + 2 * index })));
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
    assert.equal(planned.summary, '~ patch 1  = 1 same');
    const changed = await products.get(mug.tu_id);
    assert.deepEqual(changed.versions, {
      en: { title: 'Mug' },
      SV: { title: 'Kopp', short_description: 'Vit' },
    });
    assert.equal(changed.tax_class, 'reduced');
    assert.equal((await products.get(same.tu_id)).updated_at, same.updated_at);
  });

  it('refuses a product that has changed since the plan, unless it is forced, and writes the others', async () => {
    const { brandport } = await newBrand();
    const { products } = brandport.catalog;
    const [one, two] = [await products.create({ sku: 'ONE' }), await products.create({ sku: 'TWO' })];
    const path = folder.file('both.csv', ['sku,title', 'ONE,Wanted', 'TWO,Wanted']);
    const { out } = await folder.plan(brandport, [path]);
    await products.update(one.tu_id, { title: 'By somebody else' });
    const plan = out ?? '';
    const first = await applyPlan({ brandport, plan });
    assert.deepEqual(
      first.refused.map(({ at }) => at),
      ['ONE'],
    );
    assert.deepEqual([first.written, first.isComplete], [1, false]);
    assert.equal((await products.get(one.tu_id)).title, 'By somebody else');
    assert.equal((await products.get(two.tu_id)).title, 'Wanted');
    const forced = await applyPlan({ brandport, plan, force: ['ONE'] });
    assert.deepEqual([forced.written, forced.skipped, forced.isComplete], [1, 1, true]);
    assert.equal((await products.get(one.tu_id)).title, 'Wanted');
  });

  it('does not create again what an effect without a line in the journal has created, after its key is forgotten', async () => {
    const { brandport, brandId, connect } = await newBrand();
    const path = folder.file('forgotten.csv', ['sku,title,title:sv', 'OLD,Old,Gammal', 'NEW,New,Ny']);
    const { out } = await folder.plan(brandport, [path]);
    const plan = out ?? '';
    await applyPlan({ brandport, plan });
    const before = await brandport.catalog.products.list().toArray();
    // The journal lost its lines, the plan is 25 hours old, and the service has dropped the keys.
    rmSync(`${plan}.journal`);
    await apps.sql('delete from idempotency_records where brand_id = $1', [brandId]);
    const planned = readFileSync(plan, 'utf8');
    writeFileSync(
      plan,
      planned.replace(
        /"planned_at":"[^"]+"/,
        `"planned_at":"${new Date(Date.now() - 25 * 3_600_000).toISOString()}"`,
      ),
    );
    const proxy = await startFaultProxy(clientUrl, () => null);
    const again = await applyPlan({ brandport: connect({ baseUrl: proxy.url }), plan });
    assert.deepEqual([again.failed, again.refused], [[], []]);
    assert.ok(proxy.seen.every(({ method }) => method === 'GET'));
    assert.deepEqual(await brandport.catalog.products.list().toArray(), before);
  });

  it('leaves stock alone that was adjusted after the plan', async () => {
    const { brandport } = await newBrand();
    const { products, stock, locations } = brandport.catalog;
    await locations.create({ external_code: 'hall' });
    const [kept, set] = [await products.create({ sku: 'KEPT' }), await products.create({ sku: 'SET' })];
    const path = folder.file('late.csv', ['sku,location_code,quantity', 'KEPT,hall,3', 'SET,hall,4']);
    const { out } = await folder.plan(brandport, [path]);
    apps.clock.advance(2_000);
    await stock.adjust(kept.tu_id, { location: 'hall', quantity: 9 });
    const { feed, failed, isComplete } = await applyPlan({ brandport, plan: out ?? '' });
    assert.deepEqual(feed, { received: 2, applied: 1, stale: 1 });
    assert.deepEqual(
      failed.map(({ at }) => at),
      ['KEPT at hall'],
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
      planned.summary,
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
    assert.equal(next.planned.summary, '# library 1  ~ patch 1  * generate 1 product (2 variants)  = 6 same');
    assert.ok((await folder.plan(brandport, [parent, extended])).isEmpty);
  });

  it('are read again only when their product has changed, if there is a cache [D149]', async () => {
    const brand = await newBrand();
    await folder.sync(brand.brandport, files);
    const proxy = await startFaultProxy(clientUrl, () => null);
    const brandport = brand.connect({ baseUrl: proxy.url });
    const cache = `${folder.path}/cache.jsonl`;
    const details = async () => {
      proxy.seen.length = 0;
      assert.ok((await folder.plan(brandport, files, { cache })).isEmpty);
      return proxy.seen.filter(({ url }) => /products\/[\w-]+$/.test(url)).length;
    };
    assert.deepEqual([await details(), await details()], [2, 0]);
    const tee = (await brandport.catalog.products.list({ sku: 'TEE' }).first()).data[0]?.tu_id ?? '';
    await brandport.catalog.products.update(tee, { tax_class: 'reduced' });
    assert.deepEqual([await details(), await details()], [1, 0]);
    writeFileSync(cache, '{"tu_id":"torn');
    assert.equal(await details(), 2);
  });
});

describe('an archive of missing products', () => {
  it('needs the option twice, and never exceeds its share', async () => {
    const { brandport } = await newBrand();
    const { products } = brandport.catalog;
    for (let n = 0; n < 20; n += 1) await products.create({ sku: `P${n}`, is_active: true });
    const rows = (count: number) =>
      folder.file('few.csv', ['sku', ...Array.from({ length: count }, (_, n) => `P${n}`)]);
    const isActive = async () => (await products.list({ is_active: true }).toArray()).length;

    const without = await folder.plan(brandport, [rows(19)]);
    assert.deepEqual([without.counts.missing, without.counts.archive], [1, 0]);
    const { out } = await folder.plan(brandport, [rows(19)], { archiveMissing: true });
    const left = await applyPlan({ brandport, plan: out ?? '' });
    assert.deepEqual([left.archivesLeftOut, left.written, await isActive()], [1, 0, 20]);
    await assert.rejects(
      applyPlan({ brandport, plan: out ?? '', archiveMissing: true, maxArchive: 0.01 }),
      /more than allowed/,
    );
    const done = await applyPlan({ brandport, plan: out ?? '', archiveMissing: true });
    assert.deepEqual([done.archivesLeftOut, done.written, await isActive()], [0, 1, 19]);

    const many = await folder.plan(brandport, [rows(10)], { archiveMissing: true });
    assert.equal(many.counts.archive, 0);
    assert.match(
      many.problems[0]?.message ?? '',
      /^9 products are missing, 47.4 % of the active ones; at most 5 %/,
    );
  });

  it('spares a product whose row has a problem', async () => {
    const { brandport } = await newBrand();
    await brandport.catalog.products.create({ sku: 'BAD', is_active: true });
    const path = folder.file('bad.csv', ['sku,price_value', 'BAD,cheap']);
    const { counts } = await folder.plan(brandport, [path], { archiveMissing: true, maxArchive: 1 });
    assert.deepEqual([counts.archive, counts.missing, counts.problems], [0, 0, 1]);
  });
});
