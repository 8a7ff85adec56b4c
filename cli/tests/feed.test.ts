// processes: sends files, and waits for their feeds
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { after, describe, it } from 'node:test';
import { type CliBrand, startCliService } from './cli-service.ts';
import { SyncFolder } from './sync-kit.ts';

const { apps, newCliBrand } = await startCliService({ runsJobs: true });
after(() => apps.clientApp.close());

/** Creates a brand with two products, one with variants, and a location. */
async function stockedBrand() {
  const brand = await newCliBrand();
  const folder = new SyncFolder();
  const { products, variants, axes, locations } = brand.brandport.catalog;
  for (const sku of ['MUG', 'PEN']) await products.create({ sku });
  await axes.create({ code: 'size', values: [{ value: 'S' }] });
  const tee = await products.create({ sku: 'TEE' });
  await products.replaceAxes(tee.tu_id, { axes: [{ code: 'size', values: ['S'] }] });
  await variants.generate(tee.tu_id);
  await locations.create({ external_code: 'hall' });
  return { ...brand, folder, home: folder.path };
}

async function quantities({ brandport }: CliBrand): Promise<Record<string, number>> {
  const levels = await brandport.catalog.stock.levels().toArray();
  return Object.fromEntries(levels.map(({ sku, quantity }) => [sku, quantity]));
}

describe('brandport feeds lint [D150]', () => {
  it('finds what the service would refuse and what is probably wrong, and exits with 3', async () => {
    const { cli, folder, home, brandport } = await stockedBrand();
    const [product] = (await brandport.catalog.products.list({ sku: 'MUG' }).first()).data;
    await brandport.catalog.stock.adjust(product?.tu_id ?? '', { quantity: 4, location: null });
    const path = folder.file('wrong.csv', [
      'sku,location_code,quantity,reserved,updated_at,colour',
      'MUG,hall,1,2,,',
      'MUG,hall,3,,,',
      'PEN,hall,-1,,,',
      'NONE,hall,1,,,',
      'PEN,attic,1,,,',
      'TEE,hall,1,,,',
      'TEE-S,hall,1,,2999-01-01T00:00:00Z,',
      'PEN,hall,5,,yesterday,',
      'MUG,__default__,0,,,',
    ]);
    const { code, stdout } = await cli(['feeds', 'lint', path, '--json'], { home });
    assert.equal(code, 3);
    const { lines, problems } = JSON.parse(stdout) as { lines: number; problems: Record<string, string>[] };
    assert.equal(lines, 9);
    const texts = problems.map(
      ({ severity, at = '', message }) => `${severity} ${at.replace(path, '')} ${message}`,
    );
    assert.deepEqual(
      [...texts].sort(),
      [
        'error  1 of 1 levels with stock become 0: MUG at __default__',
        'error :3 MUG at hall is also on line 2',
        'error :4 quantity -1 must be at least 0',
        'error :5 the SKU NONE is not known',
        'error :6 the location attic is not known',
        'error :7 TEE has variants: name the SKUs of its variants',
        'error :8 updated_at "2999-01-01T00:00:00Z" must be at most 24 hours ahead of the server’s time',
        'error :9 updated_at "yesterday" must be a date-time with an offset, such as 2026-03-01T08:30:00Z',
        'warning  the column "colour" is not one of a feed, and is ignored',
        'warning :2 reserved 2 is more than the quantity 1',
      ].sort(),
    );
  });

  it('accepts a file that the service accepts, and compares its size with the last one of its source', async () => {
    const { cli, folder, home } = await stockedBrand();
    const rows = Array.from({ length: 20 }, (_, n) => `${n % 2 === 0 ? 'MUG' : 'PEN'},L${n},1`);
    const path = folder.file('stock.csv', ['sku,location_code,quantity', 'MUG,hall,1', 'TEE-S,hall,2']);
    assert.equal((await cli(['feeds', 'lint', path], { home })).stdout, '2 lines, 0 errors, 0 warnings\n');
    const large = folder.file('large.csv', ['sku,location_code,quantity', ...rows, 'MUG,hall,1']);
    await cli(['feeds', 'send', large, '--source', 'erp'], { home });
    const { code, stdout } = await cli(['feeds', 'lint', path, '--source', 'erp'], { home });
    assert.equal(code, 3);
    assert.match(stdout, /it has 2 lines, 90 % fewer than the last one of its source \(21, /);
    assert.equal((await cli(['feeds', 'lint', path], { home })).code, 0);
  });

  it('names a line without a quantity, as send and sync do', async () => {
    const { cli, folder, home } = await stockedBrand();
    const csv = folder.file('half.csv', ['sku,location_code,quantity', 'MUG,hall,1', 'MUG,hall,']);
    const json = folder.file('half.jsonl', [
      { sku: 'MUG', location_code: 'hall', quantity: 1 },
      { sku: 'MUG', location_code: 'hall' },
    ]);
    for (const args of [
      ['feeds', 'lint', csv],
      ['feeds', 'send', csv, '--source', 'erp'],
      ['sync', '--dry-run', csv],
      ['feeds', 'lint', json],
      ['feeds', 'send', json, '--source', 'erp'],
    ]) {
      const { code, stdout, stderr } = await cli(args, { home });
      assert.equal(code, 3, `${args.join(' ')}: ${stdout}${stderr}`);
      assert.match(`${stdout}${stderr}`, /half\.(csv:3|jsonl:2): quantity is required/);
    }
  });

  it('names a line dated more than 24 hours ahead, as send and sync do', async () => {
    const { cli, folder, home } = await stockedBrand();
    const far = '9999-12-31T00:00:00Z';
    const path = folder.file('far.csv', ['sku,location_code,quantity,updated_at', `MUG,hall,1,${far}`]);
    const message = `far.csv:2: updated_at "${far}" must be at most 24 hours ahead`;
    for (const args of [
      ['feeds', 'lint', path],
      ['feeds', 'send', path, '--source', 'erp'],
      ['sync', '--dry-run', path],
    ]) {
      const { code, stdout, stderr } = await cli(args, { home });
      assert.equal(code, 3, `${args.join(' ')}: ${stdout}${stderr}`);
      assert.ok(`${stdout}${stderr}`.includes(message), `${args.join(' ')}: ${stdout}${stderr}`);
    }
  });

  it('works without the service, against an export', async () => {
    const folder = new SyncFolder();
    const { cli } = await newCliBrand();
    const exported = folder.file('export.jsonl', [
      { sku: 'MUG' },
      { sku: 'TEE', variants: [{ sku: 'TEE-S' }] },
    ]);
    const path = folder.file('stock.csv', ['article;amount', 'MUG;1', 'TEE-S;2', 'TEE;3', 'NEW;4']);
    const args = [
      '--delimiter',
      ';',
      '--location',
      'hall',
      '--column',
      'sku=article',
      '--column',
      'quantity=amount',
    ];
    const none = { BRANDPORT_URL: '', BRANDPORT_API_KEY: '' };
    const offline = await cli(['feeds', 'lint', path, '--offline', ...args, '--against', exported], {
      env: none,
    });
    assert.equal(offline.code, 3);
    assert.match(offline.stdout, /:4: TEE has variants/);
    assert.match(offline.stdout, /:5: the SKU NEW is not known/);
    assert.match(offline.stdout, /^4 lines, 2 errors, 0 warnings$/m);
    const broken = folder.file('broken.csv', ['article,amount', 'MUG,1']);
    const missing = await cli(['feeds', 'lint', broken, '--offline'], { env: none });
    assert.deepEqual([missing.code, missing.stdout], [3, '']);
    assert.match(
      missing.stderr,
      /the columns sku, quantity, location_code are missing\. .+ it has article, amount/,
    );
  });
});

describe('brandport feeds', () => {
  it('sends lines again as the file was read, without the options of the first time', async () => {
    const { cli, folder, home, brandport } = await stockedBrand();
    const path = folder.file('erp.csv', ['article;quantity', 'MUG;1', 'PENN;2']);
    const options = ['--column', 'sku=article', '--delimiter', ';', '--location', 'hall'];
    assert.equal((await cli(['feeds', 'send', path, ...options, '--wait'], { home })).code, 5);
    await brandport.catalog.products.create({ sku: 'PENN' });
    const again = await cli(['feeds', 'resend', path, '--wait', '--json'], { home });
    assert.equal(again.code, 0, again.stderr);
    assert.deepEqual(JSON.parse(again.stdout).totals, { received: 1, applied: 1 });
  });

  it('examines a file with a key that can only send feeds, and says what it does not compare', async () => {
    const { cli, folder, home, brandId } = await stockedBrand();
    const { apiKey } = await apps.newKey(brandId, ['catalog.stock:ingest']);
    const path = folder.file('stock.csv', ['sku,location_code,quantity', 'MUG,hall,1', 'NONE,hall,2']);
    const lint = await cli(['feeds', 'lint', path], { home, env: { BRANDPORT_API_KEY: apiKey } });
    assert.deepEqual([lint.code, lint.stdout], [0, '2 lines, 0 errors, 0 warnings\n']);
    assert.match(
      lint.stderr,
      /^note: the key lacks catalog\.products:read and catalog\.stock:read: SKUs, .* not compared/,
    );
  });

  it('sends a file, reports failed lines, and sends only those again, as often as it takes', async () => {
    const brand = await stockedBrand();
    const { cli, folder, home, brandport } = brand;
    const rows = ['sku,location_code,quantity', 'MUG,hall,1', 'PENN,hall,2', 'MUG,attic,3', 'TEE-S,hall,4'];
    const path = folder.file('stock.csv', rows);
    const sent = await cli(['feeds', 'send', path, '--source', 'erp', '--wait', '--json'], { home });
    assert.equal(sent.code, 5);
    assert.deepEqual(JSON.parse(sent.stdout).totals, {
      received: 4,
      applied: 2,
      unknown_sku: 1,
      unknown_location: 1,
    });
    const report = await cli(['feeds', 'report', path, '--json'], { home });
    const failed = report.stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      failed.map(({ line, at, sku, result }) => [line, at, sku, result]),
      [
        [2, `${path}:3`, 'PENN', 'unknown_sku'],
        [3, `${path}:4`, 'MUG', 'unknown_location'],
      ],
    );
    const [id] = JSON.parse(sent.stdout).feed_ids;
    assert.match((await cli(['feeds', 'report', id], { home })).stdout, /^2\tPENN\t.*\n3\tMUG\t/);

    assert.deepEqual(
      failed.map(({ original }) => original),
      [
        { sku: 'PENN', location_code: 'hall', quantity: 2 },
        { sku: 'MUG', location_code: 'attic', quantity: 3 },
      ],
    );

    writeFileSync(path, `${rows.join('\n').replace('PENN', 'PEN')}\n`);
    // A corrected line is not what was sent.
    const later = await cli(['feeds', 'report', path, '--json'], { home });
    assert.deepEqual(
      later.stdout.split('\n', 2).map((line) => JSON.parse(line).original?.sku ?? null),
      [null, 'MUG'],
    );
    const first = await cli(['feeds', 'resend', path, '--wait', '--json'], { home });
    assert.equal(first.code, 5);
    assert.deepEqual(JSON.parse(first.stdout).totals, { received: 2, applied: 1, unknown_location: 1 });
    await brandport.catalog.locations.create({ external_code: 'attic' });
    const second = await cli(['feeds', 'resend', path, '--wait', '--json'], { home });
    assert.equal(second.code, 0);
    assert.deepEqual(JSON.parse(second.stdout).totals, { received: 1, applied: 1 });
    assert.match((await cli(['feeds', 'resend', path], { home })).stderr, /nothing to send/);
    assert.deepEqual(
      (await brandport.catalog.stock.levels({ location: 'attic' }).toArray()).map(({ quantity }) => quantity),
      [3],
    );
    const [feed] = JSON.parse(sent.stdout).feed_ids;
    assert.equal((await cli(['feeds', 'wait', feed, '--json'], { home })).code, 5);

    const other = folder.file('other.csv', ['sku,location_code,quantity', 'NONE,hall,1']);
    assert.match((await cli(['feeds', 'resend', other], { home })).stderr, /was not sent from here/);
    await cli(['feeds', 'send', other], { home });
    folder.file('other.csv', ['sku,location_code,quantity', 'PEN,hall,9', 'NONE,hall,1']);
    const grown = await cli(['feeds', 'resend', other], { home });
    assert.equal(grown.code, 3);
    assert.match(grown.stderr, /has 2 lines, and 1 were sent/);
  });

  it('keeps the time of the first receipt, however often a line is sent again', async () => {
    const brand = await stockedBrand();
    const { cli, folder, home, brandport } = brand;
    const path = folder.file('late.csv', ['sku,location_code,quantity', 'LATER,hall,5']);
    assert.equal((await cli(['feeds', 'send', path, '--wait'], { home })).code, 5);
    const later = await brandport.catalog.products.create({ sku: 'LATER' });
    await brandport.catalog.stock.adjust(later.tu_id, { quantity: 9, location: 'hall' });
    folder.file('late.csv', ['sku,location_code,quantity', 'WRONG,hall,5']);
    assert.equal((await cli(['feeds', 'resend', path, '--wait'], { home })).code, 5);
    folder.file('late.csv', ['sku,location_code,quantity', 'LATER,hall,5']);
    const last = await cli(['feeds', 'resend', path, '--wait', '--json'], { home });
    assert.deepEqual(JSON.parse(last.stdout).totals, { received: 1, stale: 1 });
    assert.equal((await quantities(brand))['LATER'], 9);
  });

  it('sends a file once, and a new export with the same content again', async () => {
    const brand = await stockedBrand();
    const { cli, folder, home, brandport } = brand;
    const path = folder.file('same.csv', ['sku,location_code,quantity', 'MUG,hall,1']);
    const ids = async () =>
      JSON.parse((await cli(['feeds', 'send', path, '--json'], { home })).stdout).feed_ids[0];
    const one = await ids();
    assert.equal(await ids(), one);
    await cli(['feeds', 'wait', path], { home });
    const [mug] = (await brandport.catalog.products.list({ sku: 'MUG' }).first()).data;
    await brandport.catalog.stock.adjust(mug?.tu_id ?? '', { quantity: 5, location: 'hall' });
    utimesSync(path, new Date(), new Date(Date.now() + 60_000));
    assert.notEqual(await ids(), one);
    assert.equal((await cli(['feeds', 'wait', path], { home })).code, 0);
    assert.equal((await quantities(brand))['MUG'], 1);
  });

  it('reads a named pipe once, and a signal ends the wait for its writer', async () => {
    const brand = await stockedBrand();
    const { cli, folder, home } = brand;
    const pipe = folder.file('pipe', []);
    rmSync(pipe);
    execFileSync('mkfifo', [pipe]);
    const sending = cli(['feeds', 'send', pipe, '--wait'], { home });
    await writeFile(pipe, 'sku,location_code,quantity\nMUG,hall,8\nNONE,hall,1\n');
    const { code, stderr } = await sending;
    assert.equal(code, 5, stderr);
    assert.match(stderr, /^problem: NONE at hall: unknown_sku/m);
    assert.deepEqual(await quantities(brand), { MUG: 8 });
    const stop = new AbortController();
    const waiting = cli(['feeds', 'send', pipe], { home, signal: stop.signal });
    setTimeout(() => stop.abort(new Error('SIGTERM')), 200);
    assert.equal((await waiting).code, 130);
  });

  it('reads standard input, and sends nothing of a file with a bad row', async () => {
    const brand = await stockedBrand();
    const { cli, home } = brand;
    const good = '{"sku":"MUG","location_code":"hall","quantity":6}\n';
    const sent = await cli(['feeds', 'send', 'jsonl:-', '--batch', 'night', '--wait'], { home, input: good });
    assert.deepEqual([sent.code, await quantities(brand)], [0, { MUG: 6 }]);
    const bad = await cli(['feeds', 'send', '-'], {
      home,
      input: 'sku,location_code,quantity\nMUG,hall,7\nMUG,hall,x\n',
    });
    assert.equal(bad.code, 3);
    assert.match(bad.stderr, /standard input:3: quantity "x" must be an integer/);
    assert.deepEqual(await quantities(brand), { MUG: 6 });
    assert.equal(
      (await cli(['feeds', 'send', '-'], { home, input: 'sku,location_code,quantity\n' })).code,
      3,
    );
  });
});
