import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { after, describe, it } from 'node:test';
import { noCounts } from '../src/sync/plan/plan-counts.ts';
import { describeDuration, describePlan } from '../src/sync/plan/plan-summary.ts';
import { startCliService } from './cli-service.ts';
import { SyncFolder } from './sync-kit.ts';

const { apps, newCliBrand } = await startCliService({ runsJobs: true });
after(() => apps.clientApp.close());
const folder = new SyncFolder();

describe('the summary of a plan', () => {
  it('is one line of what will happen', () => {
    const counts = {
      ...noCounts(),
      create: 120,
      patch: 31,
      generate: 4,
      generatedVariants: 1_200,
      same: 9_849,
    };
    assert.equal(
      describePlan({ ...counts, feeds: 1, feedLines: 48_000, problems: 3 }),
      '+ create 120  ~ patch 31  * generate 4 products (1,200 variants)  = 9,849 same  ↑ 1 feed of 48,000 lines  ! 3 problems',
    );
    assert.equal(describePlan(noCounts()), '= 0 same');
  });

  it('has the time that the limits allow: whole windows, by the slower of reads and writes', () => {
    const time = (writes: number, reads = 0) =>
      describeDuration({ ...noCounts(), writes, reads }, { writes: 60, reads: 300 });
    assert.equal(time(0), 'nothing to do');
    assert.equal(time(60, 300), 'less than a minute: writes 60/min');
    const unlimited = (writes: number, limit = Number.POSITIVE_INFINITY) =>
      describeDuration({ ...noCounts(), writes }, { writes: limit, reads: limit });
    assert.equal(unlimited(100_000), 'about 17 min: no limits, at 100 writes a second');
    assert.equal(unlimited(100_000, 1_000_000), 'about 17 min: writes 1,000,000/min, at 100 writes a second');
    assert.equal(unlimited(100), 'less than a minute: no limits');
    assert.equal(time(61), 'about 1 min: writes 60/min');
    assert.equal(time(200), 'about 3 min: writes 60/min');
    assert.equal(time(1, 1_501), 'about 5 min: writes 60/min');
    assert.equal(time(100_000), 'about 27.8 h: writes 60/min');
  });
});

describe('brandport sync plan', () => {
  it('lists problems by line, leaves their rows out, and exits with 3', async () => {
    const { cli, brandport } = await newCliBrand();
    await brandport.catalog.locations.create({ external_code: 'hall' });
    const products = folder.file('problems.csv', [
      'sku,title,title:sv,price_value,is_active,axis:size',
      'GOOD,Good,Bra,1,yes,',
      'GOOD,Twice,,1,yes,',
      ',No SKU,,1,,',
      'CHEAP,Cheap,,1.23456,,',
      'MAYBE,Maybe,,1,perhaps,',
      'SIZES,Sizes,,1,,S|S',
      'AXIS,Axis,,1,,S|M',
    ]);
    const variants = folder.file('orphans.csv', ['product_sku,sku,axis:size', 'NOBODY,NOBODY-S,S']);
    const stock = folder.file('levels.csv', [
      'sku,location_code,quantity',
      'GOOD,hall,1',
      'GOOD,attic,1',
      'NONE,hall,1',
      'GOOD,hall,2',
    ]);
    const path = join(folder.path, 'problems.jsonl');
    const { code, stdout, stderr } = await cli(['sync', 'plan', products, variants, stock, '--out', path]);
    assert.equal(code, 3);
    assert.equal(
      stdout,
      '+ create 1  = 0 same  ↑ 1 feed of 1 line  ! 10 problems\nless than a minute: no limits\n',
    );
    assert.deepEqual(
      stderr
        .trim()
        .split('\n')
        .map((line) => line.replace(`${folder.path}/`, ''))
        .sort(),
      [
        'problem: levels.csv:3: the location attic is neither stored nor in the input',
        'problem: levels.csv:4: the SKU NONE is not known',
        'problem: levels.csv:5: GOOD at hall occurs twice in the input',
        'problem: orphans.csv:2: the product NOBODY is neither stored nor in the input',
        'problem: problems.csv:3: GOOD occurs twice in the input',
        'problem: problems.csv:4: sku is missing',
        'problem: problems.csv:5: price_value "1.23456" is not a number such as 19.5',
        'problem: problems.csv:6: is_active "perhaps" is neither true nor false',
        'problem: problems.csv:7: the axis "size" has a value twice',
        'problem: problems.csv:8: the axis "size" is neither stored nor in the input',
      ].sort(),
    );
    const refused = await cli(['sync', 'apply', path]);
    assert.equal(refused.code, 3);
    assert.match(refused.stderr, /has 10 problems/);
    assert.equal((await cli(['sync', 'apply', path, '--skip-problems'])).code, 0);
    assert.deepEqual(
      (await brandport.catalog.products.list().toArray()).map(({ sku }) => sku),
      ['GOOD'],
    );
  });

  it('counts a problem that repeats, and shows those behind it', async () => {
    const { cli } = await newCliBrand();
    const rows = Array.from({ length: 1_500 }, (_, n) => `P${n},x,y`);
    const path = folder.file('repeated.csv', ['sku,weight,width', ...rows, 'LAST,,', 'LAST,,']);
    const { code, stderr } = await cli(['sync', 'plan', path]);
    assert.equal(code, 3);
    const lines = stderr.replaceAll(`${folder.path}/`, '').trim().split('\n');
    const again = '(1500 times, also at repeated.csv:3, repeated.csv:4, repeated.csv:5, …)';
    assert.deepEqual(lines, [
      `problem: repeated.csv:2: the column "weight" is not known; --ignore leaves it alone ${again}`,
      `problem: repeated.csv:2: the column "width" is not known; --ignore leaves it alone ${again}`,
      'problem: repeated.csv:1503: LAST occurs twice in the input',
    ]);
    const { counts, problems } = JSON.parse((await cli(['sync', 'plan', path, '--json'])).stdout);
    assert.equal(counts.problems, 3_001);
    assert.deepEqual(
      problems.map((one: { count?: number; also_at?: string[] }) => [one.count, one.also_at?.length]),
      [
        [1_500, 20],
        [1_500, 20],
        [undefined, undefined],
      ],
    );
    const many = folder.file('many.csv', ['sku,price_value', ...rows.map((_, n) => `P${n},${n}x`)]);
    assert.match((await cli(['sync', 'plan', many])).stderr, /^problem: and 1480 more; --json lists/m);
  });

  it('refuses misspelt columns, unless they are ignored, and files that are not well-formed', async () => {
    const { cli } = await newCliBrand();
    const misspelt = folder.file('misspelt.csv', ['sku,titel', 'A,Title']);
    const { code, stderr } = await cli(['sync', 'plan', misspelt]);
    assert.equal(code, 3);
    assert.match(stderr, /misspelt.csv:2: the column "titel" is not known/);
    assert.equal((await cli(['sync', 'plan', misspelt, '--ignore', 'titel'])).code, 0);
    const semicolons = folder.file('semicolons.csv', ['sku;title', 'A;Title']);
    assert.match(
      (await cli(['sync', 'plan', semicolons])).stderr,
      /one column, "sku;title". Set the delimiter/,
    );
    assert.equal((await cli(['sync', 'plan', semicolons, '--delimiter', ';'])).code, 0);
    for (const [name, lines] of [
      ['short.csv', ['sku,title', 'A']],
      ['twice.csv', ['sku,sku', 'A,B']],
      ['other.csv', ['name,colour', 'A,B']],
      ['list.jsonl', ['["A"]']],
      ['cut.jsonl', ['{"sku":"A"}', '{"sku":']],
    ] as const)
      assert.equal((await cli(['sync', 'plan', folder.file(name, lines)])).code, 3, name);
    assert.equal((await cli(['sync', 'plan', join(folder.path, 'missing.csv')])).code, 3);
  });

  it('reads JSONL from standard input, with kinds mixed, and exits with 6 for changes if it is asked to', async () => {
    const { cli, brandport } = await newCliBrand();
    const rows = [
      { axis: 'size', value: 'S' },
      { axis: 'size', value: 'M' },
      { sku: 'TEE', versions: { en: { title: 'T' }, sv: { title: 'Tröja' } }, axes: { size: ['S', 'M'] } },
      { product_sku: 'TEE', sku: 'TEE-S', axis_values: { size: 'S' }, barcode: '7' },
      { external_code: 'hall' },
      { sku: 'TEE-S', location_code: 'hall', quantity: 3, reserved: 1 },
    ];
    const input = rows.map((row) => JSON.stringify(row)).join('\n');
    const path = join(folder.path, 'mixed.jsonl');
    const plan = (...more: string[]) =>
      cli(['sync', 'plan', 'jsonl:-', '--detailed-exitcode', ...more], { input });
    assert.equal((await plan('--out', path)).code, 6);
    assert.ok(!existsSync(`${path}.new`));
    const applied = await cli(['sync', 'apply', path, '--json']);
    assert.equal(applied.code, 0);
    const { written, feed, is_complete: isComplete } = JSON.parse(applied.stdout);
    assert.deepEqual([written, feed, isComplete], [6, { received: 1, applied: 1 }, true]);
    const again = await plan('--json');
    assert.equal(again.code, 0);
    assert.equal(JSON.parse(again.stdout).is_empty, true);
    // JSON has null, which clears.
    const [tee] = await brandport.catalog.products.list().toArray();
    const cleared = JSON.stringify({
      product_sku: 'TEE',
      sku: 'TEE-S',
      axis_values: { size: 'S' },
      barcode: null,
    });
    await cli(['sync', 'plan', 'jsonl:-', '--out', path], { input: cleared });
    assert.equal((await cli(['sync', 'apply', path, '--journal', `${path}.2`])).code, 0);
    const [variant] = await brandport.catalog.variants.list(tee?.tu_id ?? '').toArray();
    assert.equal(variant?.barcode, null);
  });

  it('exits with 4 for a key without the scope, and writes no plan', async () => {
    const { brandId, env, cli } = await newCliBrand();
    const { apiKey } = await apps.newKey(brandId, ['catalog.stock:read']);
    const path = join(folder.path, 'refused.jsonl');
    const file = folder.file('one.csv', ['sku', 'ONE']);
    const { code } = await cli(['sync', 'plan', file, '--out', path], {
      env: { ...env, BRANDPORT_API_KEY: apiKey },
    });
    assert.deepEqual([code, existsSync(path), existsSync(`${path}.new`)], [4, false, false]);
  });
});

describe('brandport sync apply', () => {
  it('continues after a journal line that was cut, and refuses a plan that is incomplete, changed or for another brand', async () => {
    const { cli } = await newCliBrand();
    const path = join(folder.path, 'three.jsonl');
    await cli(['sync', 'plan', folder.file('three.csv', ['sku', 'A', 'B', 'C']), '--out', path]);
    assert.equal((await cli(['sync', 'apply', path])).code, 0);
    const journal = readFileSync(`${path}.journal`, 'utf8');
    const [head = '', first = ''] = journal.split('\n');
    writeFileSync(`${path}.journal`, `${head}\n${first}\n{"group":1,"do`);
    const { code, stdout } = await cli(['sync', 'apply', path]);
    assert.equal(code, 0);
    // The keys of the other two replay their responses.
    assert.equal(stdout, '2 written, 1 done before\n');
    assert.equal((await cli(['sync', 'apply', path])).stdout, '0 written, 3 done before\n');

    const other = await newCliBrand();
    assert.match((await other.cli(['sync', 'apply', path])).stderr, /is a plan for the brand \d+/);
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace('"sku":"A"', '"sku":"Z"'));
    assert.match((await cli(['sync', 'apply', path])).stderr, /is the journal of another plan/);
    writeFileSync(path, text.slice(0, text.lastIndexOf('{"kind":"end"')));
    assert.match((await cli(['sync', 'apply', path])).stderr, /has no last line/);
    assert.equal((await cli(['sync', 'apply', join(folder.path, 'none.jsonl')])).code, 3);
  });

  it('refuses a second process, and replaces the lock of one that was killed', async () => {
    const { cli } = await newCliBrand();
    const path = join(folder.path, 'locked.jsonl');
    await cli(['sync', 'plan', folder.file('locked.csv', ['sku', 'A']), '--out', path]);
    writeFileSync(`${path}.journal.lock`, String(process.ppid));
    const { code, stderr } = await cli(['sync', 'apply', path]);
    assert.equal(code, 3);
    assert.match(stderr, /The process \d+ applies this plan/);
    writeFileSync(`${path}.journal.lock`, '999999999');
    assert.equal((await cli(['sync', 'apply', path])).code, 0);
    assert.ok(!existsSync(`${path}.journal.lock`));
  });

  it('exits with 5 for a write that the service refuses, and does the others', async () => {
    const { cli, brandport } = await newCliBrand();
    const path = join(folder.path, 'refused-write.jsonl');
    const file = folder.file('refused-write.csv', ['sku,price_currency', 'A,EUR', 'B,XXQ']);
    await cli(['sync', 'plan', file, '--out', path]);
    const { code, stdout, stderr } = await cli(['sync', 'apply', path]);
    assert.equal(code, 5);
    assert.equal(stdout, '1 written, 1 failed\n');
    assert.match(stderr, /problem: B: validation_failed: price_currency/);
    assert.deepEqual(
      (await brandport.catalog.products.list().toArray()).map(({ sku }) => sku),
      ['A'],
    );
  });
});
