// processes: plans files with thousands of faults
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { describeDuration, describePlan, noCounts } from '../src/sync/plan/plan-types.ts';
import { newHome, startCliService } from './cli-service.ts';
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

describe('brandport sync', () => {
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
    const files = [products, variants, stock];
    const { code, stdout, stderr } = await cli(['sync', '--dry-run', ...files]);
    assert.equal(code, 3);
    assert.equal(
      stdout,
      '+ GOOD  Good\n↑ GOOD at hall: none → 1\n+ create 1  = 0 same  ↑ 1 feed of 1 line  ! 10 problems\nless than a minute: no limits\n',
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
        'problem: problems.csv:4: sku is required',
        'problem: problems.csv:5: price_value 1.23456 must have at most 4 decimal places',
        'problem: problems.csv:6: is_active "perhaps" must be a boolean: true or false',
        'problem: problems.csv:7: the axis "size" has a value twice',
        'problem: problems.csv:8: the axis "size" is neither stored nor in the input; --create-axes creates it',
      ].sort(),
    );
    const refused = await cli(['sync', '--yes', ...files]);
    assert.deepEqual([refused.code, refused.stdout], [3, stdout]);
    assert.equal((await brandport.catalog.products.list().toArray()).length, 0);
    const skipped = await cli(['sync', '--yes', '--skip-problems', ...files]);
    // A nightly job sees by the code that rows were left out, also when nothing is left to write.
    assert.equal(skipped.code, 5, skipped.stderr);
    assert.match(skipped.stdout, /^2 written, feed: 1 line \(1 applied\)$/m);
    assert.equal((await cli(['sync', '--yes', '--skip-problems', ...files])).code, 5);
    assert.equal((await cli(['sync', '--dry-run', '--skip-problems', ...files])).code, 5);
    assert.deepEqual(
      (await brandport.catalog.products.list().toArray()).map(({ sku }) => sku),
      ['GOOD'],
    );
  });

  it('counts a problem that repeats, and shows those behind it', async () => {
    const { cli } = await newCliBrand();
    const rows = Array.from({ length: 1_500 }, (_, n) => `P${n},x,y,maybe`);
    const path = folder.file('repeated.csv', ['sku,weight,width,is_active', ...rows, 'LAST,,,', 'LAST,,,']);
    const { code, stderr } = await cli(['sync', '--dry-run', path]);
    assert.equal(code, 3);
    const lines = stderr.replaceAll(`${folder.path}/`, '').trim().split('\n');
    const again = '(1500 times, also at repeated.csv:3, repeated.csv:4, repeated.csv:5, …)';
    assert.deepEqual(lines, [
      `problem: repeated.csv:2: is_active "maybe" must be a boolean: true or false ${again}`,
      'problem: repeated.csv:2: the column "weight" is not known; --ignore leaves it alone',
      'problem: repeated.csv:2: the column "width" is not known; --ignore leaves it alone',
      'problem: repeated.csv:1503: LAST occurs twice in the input',
      'warning: 1 product will be created inactive: LAST. A column is_active with true creates active ones.',
    ]);
    const { counts, problems } = JSON.parse((await cli(['sync', '--dry-run', path, '--json'])).stdout);
    // An unknown column is one problem.
    assert.equal(counts.problems, 1_503);
    assert.deepEqual(
      problems.map((one: { count?: number; also_at?: string[] }) => [one.count, one.also_at?.length]),
      [
        [1_500, 20],
        [undefined, undefined],
        [undefined, undefined],
        [undefined, undefined],
      ],
    );
    const many = folder.file('many.csv', ['sku,price_value', ...rows.map((_, n) => `P${n},${n}x`)]);
    assert.match((await cli(['sync', '--dry-run', many])).stderr, /^problem: and 1480 more; --json lists/m);
  });

  it('refuses misspelt columns, unless they are ignored, and files that are not well-formed', async () => {
    const { cli } = await newCliBrand();
    const misspelt = folder.file('misspelt.csv', ['sku,titel', 'A,Title']);
    const { code, stderr } = await cli(['sync', '--dry-run', misspelt]);
    assert.equal(code, 3);
    assert.match(stderr, /misspelt.csv:2: the column "titel" is not known/);
    assert.equal((await cli(['sync', '--dry-run', misspelt, '--ignore', 'titel'])).code, 0);
    const semicolons = folder.file('semicolons.csv', ['sku;title', 'A;Title']);
    assert.match(
      (await cli(['sync', '--dry-run', semicolons])).stderr,
      /one column, "sku;title". Add --delimiter ';'/,
    );
    assert.equal((await cli(['sync', '--dry-run', semicolons, '--delimiter', ';'])).code, 0);
    for (const [name, lines] of [
      ['short.csv', ['sku,title', 'A']],
      ['twice.csv', ['sku,sku', 'A,B']],
      ['other.csv', ['Namen,Title', 'A,B']],
      ['list.jsonl', ['["A"]']],
      ['cut.jsonl', ['{"sku":"A"}', '{"sku":']],
    ] as const)
      assert.equal((await cli(['sync', '--dry-run', folder.file(name, lines)])).code, 3, name);
    assert.equal((await cli(['sync', '--dry-run', join(folder.path, 'missing.csv')])).code, 3);
    const other = await cli(['sync', '--dry-run', join(folder.path, 'other.csv')]);
    assert.match(other.stderr, /the columns Namen, Title are not those of/);
    assert.equal((await cli(['sync', '--dry-run', semicolons, '--delimiter', ';;'])).code, 2);
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
    const sync = (...more: string[]) => cli(['sync', 'jsonl:-', ...more], { input });
    assert.equal((await sync('--dry-run', '--detailed-exitcode')).code, 6);
    const applied = await sync('--yes', '--json');
    assert.equal(applied.code, 0);
    const { result, ...plan } = JSON.parse(applied.stdout);
    assert.deepEqual(
      [result.written, result.feed, result.is_complete],
      [6, { received: 1, applied: 1 }, true],
    );
    assert.deepEqual(plan.creates, [{ sku: 'TEE', title: 'T', variants: 1, is_active: false }]);
    const again = await sync('--dry-run', '--detailed-exitcode', '--json');
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
    assert.equal((await cli(['sync', 'jsonl:-', '--yes'], { input: cleared })).code, 0);
    const [variant] = await brandport.catalog.variants.list(tee?.tu_id ?? '').toArray();
    assert.equal(variant?.barcode, null);
  });

  it('asks before it writes, and needs an answer or an option', async () => {
    const { cli, brandport } = await newCliBrand();
    const file = folder.file('asked.csv', ['sku,title', 'ONE,One', 'TWO,']);
    const count = async () => (await brandport.catalog.products.list().toArray()).length;
    const nobody = await cli(['sync', file]);
    assert.deepEqual([nobody.code, nobody.stdout, await count()], [2, '', 0]);
    assert.match(nobody.stderr, /add --yes, or --dry-run/);
    const no = await cli(['sync', file], { typed: 'n\n' });
    assert.deepEqual([no.code, await count()], [1, 0]);
    assert.match(no.stdout, /^\+ ONE {2}One\n\+ TWO\n\+ create 2 /);
    assert.match(no.stderr, /Write this with 2 requests\? \[y\/N\]/);
    const yes = await cli(['sync', file], { typed: 'y\n' });
    assert.deepEqual([yes.code, await count()], [0, 2], yes.stderr);
    assert.match(yes.stdout, /^2 written$/m);
    // There is nothing to ask for.
    assert.match((await cli(['sync', file], { typed: '' })).stdout, /^= 2 same\nnothing to do\n$/);
    assert.match((await cli(['sync', 'plan', file, '--yes'])).stderr, /It is one command now/);
  });

  it('remembers products in the state folder of the user', async () => {
    const { cli, brandId } = await newCliBrand();
    const home = newHome();
    const file = folder.file('state.csv', ['sku', 'ONE']);
    await cli(['sync', file, '--yes'], { home });
    const names = () => readdirSync(join(home, '.local/state/brandport'));
    assert.match(names().join(), new RegExp(`^products-[0-9a-f]{12}-${brandId}\\.jsonl$`));
    const other = newHome();
    await cli(['sync', file, '--dry-run'], { home, env: { XDG_STATE_HOME: other } });
    assert.equal(readdirSync(join(other, 'brandport')).length, 1);
  });

  it('names the limits of the key, and the way out of a slow first load', async () => {
    const { cli, brandport } = await newCliBrand();
    const { key_id: keyId } = await brandport.catalog.status();
    assert.equal((await cli(['limits', 'set', '--key', keyId, '--catalog-writes', '5'])).code, 0);
    const rows = Array.from({ length: 70 }, (_, n) => `P${n}`);
    const { stdout, stderr } = await cli(['sync', '--dry-run', folder.file('load.csv', ['sku', ...rows])]);
    assert.match(stdout, /^about 13 min: writes 5\/min$/m);
    assert.match(stdout, /^… and 50 more; --json lists all$/m);
    assert.ok(stderr.includes(`brandport limits set --key ${keyId} --catalog-writes 600 --until`), stderr);
  });

  it('reads foreign columns: other names, any case, a decimal comma, and what is left alone', async () => {
    const { cli, brandport } = await newCliBrand();
    const file = folder.file('foreign.csv', [
      'Handle;TITLE;Variant Price;Vendor;Title:SV;Type;title',
      'cap;Cap;12,50;Acme;Keps;Hat;x',
    ]);
    const args = ['sync', file, '--delimiter', ';', '--decimal', ','];
    const columns = ['--column', 'sku=handle', '--column', 'price_value=Variant Price'];
    const twice = await cli([...args, ...columns, '--dry-run']);
    assert.match(twice.stderr, /foreign\.csv:1: the column "title" occurs twice/);
    const named = await cli([...args, ...columns, '--column', 'title=TITLE', '--ignore', '*', '--dry-run']);
    assert.match(named.stdout, /^\+ cap {2}Cap$/m);
    const file2 = folder.file('foreign2.csv', [
      'Handle;TITLE;Variant Price;Vendor;Title:SV',
      'cap;Cap;12,50;Acme;Keps',
    ]);
    args[1] = file2;
    assert.match(
      (await cli([...args, ...columns, '--dry-run'])).stderr,
      /the column "Vendor" is not known; --ignore/,
    );
    const { code, stderr } = await cli([...args, ...columns, '--ignore', '*', '--yes']);
    assert.equal(code, 0, stderr);
    const [cap] = await brandport.catalog.products.list().toArray();
    assert.deepEqual(
      [cap?.sku, cap?.title, cap?.price_value, cap?.versions],
      ['cap', 'Cap', 12.5, { SV: { title: 'Keps' } }],
    );
    const wrong = await cli(['sync', file2, '--delimiter', ';', ...columns, '--ignore', '*', '--dry-run']);
    assert.match(
      wrong.stderr,
      /foreign2\.csv:2: Variant Price \(price_value\) "12,50" must be a number; --decimal ,/,
    );
    // Another file has our name.
    const ours = folder.file('ours.csv', ['sku;title', 'own;Own']);
    const both = await cli([...args, ours, ...columns, '--ignore', '*', '--dry-run']);
    assert.match(both.stdout, /^\+ own {2}Own$/m);
    const empty = folder.file('empty.csv', ['Handle,Name']);
    assert.equal((await cli(['sync', empty, '--column', 'sku=Handle', '--dry-run'])).code, 0);
    const missing = await cli([...args, ...columns, '--column', 'barcode=EAN', '--ignore', '*', '--dry-run']);
    assert.match(missing.stderr, /problem: --column: no file has a column "EAN"/);
    assert.equal((await cli([...args, '--column', 'titel=TITLE', '--dry-run'])).code, 2);
  });

  it('clears texts by <null> in CSV and null in JSON lines, also those of a language', async () => {
    const { cli, brandport } = await newCliBrand();
    const { products } = brandport.catalog;
    const texts = { title: 'T', short_description: 'S' };
    const { tu_id: tuId } = await products.create({ sku: 'A', ...texts, versions: { de: texts, sv: texts } });
    const csv = folder.file('clear.csv', [
      'sku,short_description,title:DE,short_description:sv',
      'A,<null>,<null>,',
    ]);
    assert.equal((await cli(['sync', csv, '--yes'])).code, 0);
    const cleared = await products.get(tuId);
    assert.deepEqual(
      [cleared.short_description, cleared.versions],
      [null, { de: { short_description: 'S' }, sv: texts }],
    );
    const json = folder.file('clear.jsonl', [
      { sku: 'A', 'short_description:de': null, versions: { sv: null } },
    ]);
    const { stdout } = await cli(['sync', json, '--yes']);
    assert.match(stdout, /title:sv: "T" → null/);
    assert.deepEqual((await products.get(tuId)).versions, {});
    assert.match((await cli(['sync', json, '--yes'])).stdout, /^= 1 same$/m);
    const title = folder.file('title.csv', ['sku,title', 'A,<null>']);
    assert.match((await cli(['sync', title, '--dry-run'])).stderr, /title\.csv:2: title must be a string/);
  });

  it('exits with 4 for a key without the scope', async () => {
    const { brandId, env, cli } = await newCliBrand();
    const { apiKey } = await apps.newKey(brandId, ['catalog.stock:read']);
    const file = folder.file('one.csv', ['sku', 'ONE']);
    const { code } = await cli(['sync', '--dry-run', file], { env: { ...env, BRANDPORT_API_KEY: apiKey } });
    assert.equal(code, 4);
  });

  it('exits with 5 for a write that the service refuses, and does the others', async () => {
    const { cli, brandport } = await newCliBrand();
    const { axes, products, variants } = brandport.catalog;
    await axes.create({ code: 'size', values: [{ value: 'S' }] });
    const tee = await products.create({ sku: 'TEE' });
    await products.replaceAxes(tee.tu_id, { axes: [{ code: 'size', values: ['S'] }] });
    await variants.create(tee.tu_id, { sku: 'B', axis_values: { size: 'S' } });
    const file = folder.file('refused-write.csv', ['sku', 'A', 'B']);
    const { code, stdout, stderr } = await cli(['sync', '--yes', file]);
    assert.equal(code, 5);
    assert.match(stdout, /^1 written, 1 failed$/m);
    assert.match(stderr, /problem: \S+refused-write\.csv:3: B: duplicate_sku: /);
    assert.deepEqual(
      (await brandport.catalog.products.list().toArray()).map(({ sku }) => sku),
      ['A', 'TEE'],
    );
  });
});
