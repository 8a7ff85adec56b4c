import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { type CliBrand, newHome, startCliService } from './cli-service.ts';

const { apps, newCliBrand } = await startCliService({ runsJobs: true });
after(() => apps.clientApp.close());

/** Titles as others write them: wide characters, an escape sequence, a bidirectional override. */
const hostileTitle = 'Mütze 帽子\u001b[2J\u202e';

async function brandWithProducts(): Promise<CliBrand> {
  const brand = await newCliBrand();
  const { axes, products, variants, locations } = brand.brandport.catalog;
  await axes.create({ code: 'color', values: [{ value: 'red' }] });
  const tee = await products.create({ sku: 'TEE', title: 'T-shirt', is_active: true });
  await products.replaceAxes(tee.tu_id, { axes: [{ code: 'color', values: ['red'] }] });
  await variants.generate(tee.tu_id, { activate: true });
  await products.create({ sku: 'CAP', title: hostileTitle });
  await locations.create({ external_code: 'hall' });
  return brand;
}

describe('brandport products', () => {
  it('lists products with filters, as the service shows them', async () => {
    const brand = await brandWithProducts();
    const rows = await brand.json('products', 'list', '--sort', 'sku');
    assert.deepEqual(
      rows.map(({ sku, title }: Record<string, unknown>) => [sku, title]),
      [
        ['CAP', hostileTitle],
        ['TEE', 'T-shirt'],
      ],
    );
    assert.deepEqual((await brand.json('products', 'list', '--active')).length, 1);
    assert.deepEqual(await brand.json('products', 'list', '--archived', '--sku', 'TEE'), []);
    const { stdout } = await brand.cli(['products', 'list', '--limit', '1', '--quiet']);
    assert.match(stdout, /^[\w-]+\n$/);
  });

  it('lets no control character of a title reach the terminal', async () => {
    const brand = await brandWithProducts();
    for (const args of [['list'], ['list', '--json'], ['get', 'CAP'], ['export']]) {
      const { stdout } = await brand.cli(['products', ...args]);
      assert.match(stdout, /Mütze 帽子\\u001b\[2J\\u202e/);
    }
  });

  it('lines up columns of wide characters', async () => {
    const brand = await brandWithProducts();
    const { stdout } = await brand.cli(['products', 'list', '--sort', 'sku', '--sku', 'CAP']);
    const [head = '', row = ''] = stdout.split('\n');
    // Each of the two wide characters takes the room of two.
    assert.equal(row.indexOf(' EUR') - ' 0'.length + 2 + 1, head.indexOf('price'));
  });

  it('shows one by its SKU and by its tu_id', async () => {
    const brand = await brandWithProducts();
    const bySku = await brand.json('products', 'get', 'TEE');
    assert.deepEqual(await brand.json('products', 'get', bySku.tu_id), bySku);
    assert.equal(bySku.variants.length, 1);
    for (const name of ['none', '../stock', 'ä b']) {
      const { code, stderr } = await brand.cli(['products', 'get', name]);
      assert.deepEqual([code, stderr], [1, `error: There is no product with the SKU or tu_id '${name}'.\n`]);
    }
  });

  it('exports JSON lines and CSV, to a file that appears when it is complete', async () => {
    const brand = await brandWithProducts();
    const lines = (await brand.cli(['products', 'export', '--details', '--out', '-'])).stdout
      .trimEnd()
      .split('\n');
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).sku),
      ['TEE', 'TEE-red', 'CAP'],
    );
    const dir = newHome();
    const file = join(dir, 'products.csv');
    writeFileSync(file, 'old');
    assert.equal((await brand.cli(['products', 'export', '--format', 'csv', '--out', file])).stdout, '');
    const [head, tee] = readFileSync(file, 'utf8').split('\n');
    assert.match(head ?? '', /^sku,title,/);
    assert.match(tee ?? '', /^TEE,T-shirt,/);
    assert.deepEqual(readdirSync(dir), ['products.csv']);
  });

  it('leaves the old file if the export fails', async () => {
    const brand = await brandWithProducts();
    const dir = newHome();
    const file = join(dir, 'products.jsonl');
    writeFileSync(file, 'old');
    const interrupt = AbortSignal.abort();
    const { code } = await brand.cli(['products', 'export', '--out', file], { signal: interrupt });
    assert.equal(code, 130);
    assert.equal(readFileSync(file, 'utf8'), 'old');
    assert.deepEqual(readdirSync(dir), ['products.jsonl']);
    const missing = join(dir, 'none', 'x');
    assert.equal((await brand.cli(['products', 'export', '--out', missing])).code, 1);
    assert.ok(!existsSync(missing));
  });
});

describe('brandport stock', () => {
  it('sets and lists levels of products and variants', async () => {
    const brand = await brandWithProducts();
    const cap = await brand.json('stock', 'set', 'CAP', '7', '--location', 'hall', '--note', 'count');
    assert.deepEqual([cap.sku, cap.quantity, cap.location], ['CAP', 7, 'hall']);
    const { variants, tu_id } = await brand.json('products', 'get', 'TEE');
    const sku = variants[0].sku;
    const unknown = await brand.cli(['stock', 'set', sku, '3']);
    assert.deepEqual([unknown.code, /add --product <tu_id>/.test(unknown.stderr)], [1, true]);
    assert.equal((await brand.json('stock', 'set', sku, '3', '--product', tu_id)).quantity, 3);
    // The level says whose stock it is.
    assert.equal((await brand.json('stock', 'set', sku, '4')).quantity, 4);
    const nothing = await brand.cli(['stock', 'get', 'NOPE']);
    assert.deepEqual([nothing.code, nothing.stdout], [1, '']);
    assert.match(nothing.stderr, /^error: No product and no stock has the SKU 'NOPE'\./);
    const levels = await brand.json('stock', 'get');
    assert.deepEqual(
      levels.map(({ sku: one, quantity }: Record<string, unknown>) => [one, quantity]),
      [
        ['CAP', 7],
        [sku, 4],
      ],
    );
    assert.equal((await brand.json('stock', 'get', 'CAP', '--location', 'none')).length, 0);
  });

  it('changes nothing if another quantity is stored', async () => {
    const brand = await brandWithProducts();
    await brand.json('stock', 'set', 'CAP', '7', '--expect', '0');
    const { code, stderr } = await brand.cli(['stock', 'set', 'CAP', '9', '--expect', '6']);
    assert.equal(code, 1);
    assert.match(stderr, /^CAP has 7, not 6\. .*\nerror: .* \(stock_version_conflict\)\n.*\n {2}request /m);
    assert.match(stderr, /^Writing as the environment .*\.$/m);
    assert.equal((await brand.json('stock', 'get', 'CAP'))[0].quantity, 7);
  });

  for (const quantity of ['-1', '1.5', 'x', '', '99999999999'])
    it(`refuses the quantity '${quantity}'`, async () => {
      const { cli } = await newCliBrand();
      assert.equal((await cli(['stock', 'set', 'CAP', '--', quantity])).code, 2);
    });

  it('explains a quantity with its key, and the failed lines of a feed', async () => {
    const brand = await brandWithProducts();
    const option = ['--brand', String(brand.brandId)];
    await brand.json('stock', 'set', 'CAP', '7', '--location', 'hall');
    const line = (sku: string, quantity: number) => ({ sku, quantity, location_code: 'hall' });
    const feed = await brand.brandport.feeds.submit({
      source: 'erp',
      batchId: 'b1',
      lines: [line('CAP', 9), line('NONE', 1)],
    });
    await feed.wait({ deadlineMs: 60_000 });
    const explained = await brand.json('stock', 'explain', 'CAP', '--location', 'hall', ...option);
    assert.equal(explained.quantity_at, 9);
    assert.deepEqual(
      explained.entries.map(({ kind, key_id }: Record<string, unknown>) => [kind, key_id]),
      [
        ['feed_line', brand.keyId],
        ['adjustment', brand.keyId],
      ],
    );
    const { stdout } = await brand.cli(['stock', 'explain', 'CAP', '--location', 'hall', ...option]);
    assert.match(stdout, /^CAP: 9, now 9\n\nat +before +after /);
    for (const quantity of [30, 31, 32]) {
      const stale = { ...line('CAP', quantity), updated_at: '2020-01-01T00:00:00Z' };
      const late = await brand.brandport.feeds.submit({
        source: 'erp',
        batchId: `late-${quantity}`,
        lines: [stale],
      });
      await late.wait({ deadlineMs: 60_000 });
    }
    const explain = ['stock', 'explain', 'CAP', '--location', 'hall', ...option];
    const short = (await brand.cli([...explain, '--limit', '2'])).stdout;
    assert.deepEqual(short.match(/(?<= late-)3\d/g), ['32', '31', '30'], 'all refused lines are listed');
    const feeds = await brand.json('feeds', 'list', ...option);
    const feed_id = feeds.at(-1).feed_id;
    const failed = await brand.json('feeds', 'failed', feed_id, ...option);
    assert.deepEqual(
      failed.map(({ sku, result }: Record<string, unknown>) => [sku, result]),
      [['NONE', 'unknown_sku']],
    );
    const csv = (await brand.cli(['feeds', 'failed', feed_id, ...option, '--format', 'csv'])).stdout;
    assert.match(
      csv,
      /^line,sku,location_code,quantity,reserved,updated_at,result,message\n1,NONE,hall,1,,\S+,unknown_sku,/,
    );
  });
});
