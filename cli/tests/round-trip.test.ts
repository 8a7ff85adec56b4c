// processes: exports whole catalogs and plans them
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { type CliBrand, newHome, startCliService } from './cli-service.ts';
import { catalogOf } from './sync-kit.ts';

const { apps, newCliBrand } = await startCliService();
after(() => apps.clientApp.close());

/** Creates products with all that the service accepts and that files may lose: white space, quotes, limits, orders. */
async function brandWithUglyProducts(): Promise<CliBrand> {
  const brand = await newCliBrand();
  const { axes, products, variants } = brand.brandport.catalog;
  await axes.create({ code: 'color', values: [{ value: 'red' }, { value: '1' }, { value: 'true' }] });
  await axes.create({ code: '7', values: [{ value: 'S' }, { value: '..M' }] });
  const tee = await products.create({
    sku: 'TEE, "blå"',
    title: ' T-shirt\u00a0',
    short_description: 'one,\r\n"two"\rthree\nfour\u2028five\u0085',
    price_value: 0.0001,
    is_active: true,
    default_language: 'sv',
    tax_class: ' 7 ',
    versions: { SV: { title: '=1+1', short_description: '' }, 'de-CH': { title: '  ' }, fr: {} },
  });
  await products.replaceAxes(tee.tu_id, {
    axes: [
      { code: 'color', values: ['red', '1'] },
      { code: '7', values: ['S'] },
    ],
  });
  await variants.create(tee.tu_id, {
    sku: 'TEE;1',
    axis_values: { color: 'red', 7: 'S' },
    barcode: ' 0012 ',
    price: { value: 0 },
  });
  await variants.create(tee.tu_id, { sku: '-2', axis_values: { color: '1', 7: 'S' }, is_active: true });
  const reversed = await products.create({
    sku: 'REVERSED',
    title: '😀'.repeat(255),
    price_value: 99_999_999_999.9999,
    price_currency: 'SEK',
  });
  await products.replaceAxes(reversed.tu_id, {
    axes: [
      { code: '7', values: ['S', '..M'] },
      { code: 'color', values: ['true'] },
    ],
  });
  await products.create({
    sku: 'BLANK',
    title: '\t',
    short_description: '\n',
    versions: { sv: { title: 'Å' } },
  });
  return brand;
}

async function exported(brand: CliBrand, ...args: string[]): Promise<{ path: string; stderr: string }> {
  const path = join(newHome(), args.includes('csv') ? 'export.csv' : 'export.jsonl');
  const { code, stderr } = await brand.cli(['products', 'export', ...args, '--out', path]);
  assert.equal(code, 0, stderr);
  return { path, stderr };
}

describe('an export [D275]', () => {
  for (const [args, same] of [
    [['--format', 'csv'], 3],
    [['--format', 'csv', '--details'], 3],
    [['--format', 'csv', '--variants'], 2],
    [['--format', 'jsonl'], 3],
    [['--format', 'jsonl', '--details'], 5],
    [['--format', 'jsonl', '--variants'], 2],
    [['--format', 'csv', '--sku', 'none'], 0],
  ] as const)
    it(`plans nothing, unchanged: ${args.join(' ')}`, async () => {
      const brand = await brandWithUglyProducts();
      const { path } = await exported(brand, ...args);
      const { code, stdout, stderr } = await brand.cli(['sync', '--dry-run', path]);
      assert.equal(stdout, `= ${same} same\nnothing to do\n`, stderr);
      assert.equal(code, 0);
      assert.doesNotMatch(stderr, /problem/);
    });

  it('of CSV leaves out axes whose order the columns cannot have, and says so; JSON lines have them', async () => {
    const brand = await brandWithUglyProducts();
    const csv = await exported(brand, '--format', 'csv', '--details');
    assert.match(csv.stderr, /note: 1 products have axes in another order than the columns/);
    const [head] = readFileSync(csv.path, 'utf8').split('\n');
    assert.match(head ?? '', /,axis:color,axis:7,title:sv$/);
    const lines = await exported(brand, '--details');
    assert.doesNotMatch(lines.stderr, /note/);
    assert.match(readFileSync(lines.path, 'utf8'), /"axis:7":"S\|\.\.M","axis:color":"true"/);
  });

  it('plans what was edited, and nothing else', async () => {
    const brand = await brandWithUglyProducts();
    const { path } = await exported(brand, '--format', 'csv', '--details');
    const text = readFileSync(path, 'utf8');
    assert.notEqual(text.replace('0.0001', '5'), text);
    writeFileSync(path, text.replace('0.0001', '5'));
    const { stdout } = await brand.cli(['sync', '--dry-run', path]);
    assert.match(stdout, /~ patch 1 {2}= 2 same\n/);
  });

  it('creates the same catalog in another brand', async () => {
    const source = await newCliBrand();
    const { axes, products, variants } = source.brandport.catalog;
    await axes.create({ code: 'size', values: [{ value: 'S' }, { value: 'M' }] });
    const tee = await products.create({
      sku: 'TEE',
      versions: { sv: { title: 'Tröja, "röd"' } },
      price_value: 9,
    });
    await products.replaceAxes(tee.tu_id, { axes: [{ code: 'size', values: ['S', 'M'] }] });
    await variants.create(tee.tu_id, { sku: 'T/S', axis_values: { size: 'S' }, price: { value: 8 } });
    const { path } = await exported(source, '--details');
    const target = await newCliBrand();
    assert.equal((await target.cli(['sync', path, '--create-axes', '--yes'])).code, 0);
    assert.deepEqual(await catalogOf(target.brandport), await catalogOf(source.brandport));
  });

  it('tells feeds lint which products have variants', async () => {
    const brand = await brandWithUglyProducts();
    const { path } = await exported(brand, '--details');
    const stock = join(newHome(), 'stock.csv');
    writeFileSync(stock, 'sku,location_code,quantity\n"TEE, ""blå""",hall,1\nTEE;1,hall,1\n');
    const { stdout } = await brand.cli(['feeds', 'lint', stock, '--offline', '--against', path]);
    assert.match(stdout, /stock.csv:2: TEE, "blå" has variants/);
    assert.match(stdout, /^2 lines, 1 error, /m);
  });
});
