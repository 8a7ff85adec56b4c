// processes: plans whole catalogs, field by field
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { startCliService } from './cli-service.ts';
import { catalogFiles, changedFiles } from './sync-files.ts';
import { SyncFolder } from './sync-kit.ts';

const { apps, newCliBrand } = await startCliService({ runsJobs: true });
after(() => apps.clientApp.close());
const folder = new SyncFolder();

describe('brandport sync --dry-run shows [D275]', () => {
  it('each field of stored products and variants that changes, with both values', async () => {
    const { cli, brandport } = await newCliBrand();
    await folder.sync(brandport, catalogFiles(folder));
    const { stdout } = await cli(['sync', '--dry-run', ...changedFiles(folder)]);
    const blocks = stdout.split(/^(?=[~+↑] \S+)/m);
    assert.match(blocks.splice(-4).join(''), /^↑ .+\n\+ create 1 {2}~ patch 6 /s);
    assert.deepEqual(blocks.sort(), [
      '+ BAG  Bag\n',
      `~ CAP
    is_active: false → true
    CAP/red sku: "CAP/red" → "CAP/rouge"
    CAP/red price: 13 → 14
    CAP/blue barcode: "732" → "739"
`,
      `~ MUG
    is_active: true → false
    title:sv: "Mugg" → "Kopp"
`,
      `~ TEE
    title: "T-shirt" → "Shirt"
    price_value: 19.5 → 21
    TEE-red-S barcode: null → "999"
`,
    ]);
  });

  it('selections, new variants and archives', async () => {
    const { cli, brandport } = await newCliBrand();
    const { axes, products, variants } = brandport.catalog;
    await axes.create({ code: 'Size', values: [{ value: 'S' }, { value: 'M' }, { value: 'L' }] });
    const tee = await products.create({ sku: 'TEE' });
    await products.replaceAxes(tee.tu_id, { axes: [{ code: 'Size', values: ['S'] }] });
    await variants.create(tee.tu_id, { sku: 'TEE-S', axis_values: { Size: 'S' } });
    await products.create({ sku: 'OLD', is_active: true });
    const files = [
      folder.file('selection.csv', ['sku,axis:Size', 'TEE,S|M|L']),
      folder.file('new-variant.csv', ['product_sku,sku,axis:Size', 'TEE,TEE_M,M']),
    ];
    const archive = ['--archive-missing', '--max-archive', '100%'];
    const { stdout } = await cli(['sync', '--dry-run', ...files, ...archive]);
    assert.match(
      stdout,
      /^~ TEE\n {4}axis:Size: "S" → "L\|M\|S"\n {4}TEE_M axis_values: null → "Size: M"\n- OLD\n {4}is_active: true → false\n\+/,
    );
    const { changes } = JSON.parse((await cli(['sync', '--dry-run', ...files, '--json'])).stdout);
    assert.equal(changes.length, 1);
    assert.deepEqual(changes[0].fields[1], {
      variant: 'TEE_M',
      field: 'axis_values',
      from: null,
      to: 'Size: M',
    });
    const all = folder.file('all.csv', ['sku,axis:Size,variants', 'TEE,S|M|L,all']);
    assert.match((await cli(['sync', '--dry-run', all])).stdout, /^ {4}variants: 1 → 3$/m);
  });

  it('no archives while a file or row was left out of which no product is known', async () => {
    const { cli, brandport } = await newCliBrand();
    for (const sku of ['KEPT', 'B-1', 'B-2'])
      await brandport.catalog.products.create({ sku, is_active: true });
    const all = ['--archive-missing', '--max-archive', '100%', '--skip-problems', '--yes'];
    const a = folder.file('a.csv', ['sku,title', 'KEPT,New']);
    const active = async () =>
      (await brandport.catalog.products.list({ is_active: true }).toArray()).map(({ sku }) => sku).sort();
    for (const rows of [
      ['Artikel,Bezeichnung', 'B-1,One', 'B-2,Two'],
      ['sku,title', ',One', 'B-2,Two'],
      ['product_sku,sku,axis:Size', ',B-1-S,S'],
    ]) {
      const { code, stderr } = await cli(['sync', a, folder.file('b.csv', rows), ...all]);
      assert.match(
        stderr,
        /products? .*missing, and rows whose product is not known were left out: nothing is archived/,
      );
      assert.equal(code, 5, stderr);
      assert.deepEqual(await active(), ['B-1', 'B-2', 'KEPT']);
    }
    await cli(['sync', a, folder.file('b.csv', ['sku,title', 'B-2,x', 'B-9,']), ...all]);
    assert.ok(!(await active()).includes('B-1'));
  });

  it('the first 20 products and 10 fields of each, and the part of a long value that differs', async () => {
    const { cli, brandport } = await newCliBrand();
    const long = 'long '.repeat(40);
    const skus = Array.from({ length: 30 }, (_, n) => `P${n}`);
    for (const sku of skus)
      await brandport.catalog.products.create({ sku, title: `${long}\u001b[2J1`, price_value: 1 });
    const tags = 'da de es et fi fr hu it nb nl pl'.split(' ');
    const head = ['sku', 'title', ...tags.map((tag) => `title:${tag}`)].join(',');
    const path = folder.file('long.csv', [
      head,
      ...skus.map((sku) => [sku, `${long}\u001b[2J2`, ...tags].join(',')),
    ]);
    const without = await cli(['sync', '--dry-run', path]);
    assert.equal(without.stdout.match(/^~ P/gm)?.length, 20);
    assert.match(without.stdout, /^… and 10 more; --json lists all\n~ patch 30 /m);
    assert.equal(
      without.stdout.match(/^ {4}title: "?…[a-z ]{1,20}\\u001b\[2J1" → …[a-z ]+\\u001b\[2J2"$/gm)?.length,
      20,
    );
    assert.equal(without.stdout.match(/^ {4}… and 2 more$/gm)?.length, 20);
    const planned = await cli(['sync', '--dry-run', path, '--json']);
    const { changes } = JSON.parse(planned.stdout);
    assert.deepEqual([changes.length, changes[0].fields.length], [30, 12]);
  });
});

// [catalog-130] [catalog-131] [catalog-132]
describe('brandport sync tells before it sends', () => {
  it('which bounds of the service a product would exceed, with what is stored', async () => {
    const { cli, brandport } = await newCliBrand();
    const tags = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, i) => `x-${String(from + i).padStart(3, '0')}`);
    const versions = Object.fromEntries(tags(0, 60).map((tag) => [tag, { title: tag }]));
    await brandport.catalog.products.create({ sku: 'TEE', versions });
    const more = tags(60, 101);
    const values = Array.from({ length: 1_001 }, (_, i) => `v${i}`);
    const files = [
      folder.file('more.csv', [`sku,${more.map((tag) => `title:${tag}`)}`, `TEE,${more}`]),
      folder.file('many.csv', ['sku,axis:a,axis:b', `CAP,${values.slice(0, 1_000).join('|')},w`]),
    ];
    const { code, stdout, stderr } = await cli(['sync', '--dry-run', '--create-axes', ...files]);
    assert.notEqual(code, 0);
    const told = stdout + stderr;
    assert.match(told, /versions must have at most 100 entries, not 101/);
    assert.match(told, /must have at most 1000 values in all, not 1001/);
    assert.equal((await brandport.catalog.axes.list().toArray()).length, 0);
  });

  it('that an axis and the library have too many values', async () => {
    const { cli, brandport } = await newCliBrand();
    const values = Array.from({ length: 20_000 }, (_, i) => ({ value: `v${i}` }));
    for (const code of ['a', 'b']) await brandport.catalog.axes.create({ code, values });
    await brandport.catalog.axes.create({ code: 'c', values: values.slice(0, 9_999) });
    const file = folder.file('axes.csv', ['axis,value', 'a,new', 'c,new']);
    const { code, stdout, stderr } = await cli(['sync', '--dry-run', file]);
    assert.notEqual(code, 0);
    assert.match(stdout + stderr, /the axis "a" would have 20001 values; an axis has at most 20000/);
    assert.match(stdout + stderr, /the axes would have 50001 values in all; a brand has at most 50000/);
  });
});
