// processes: follows the hints of every command, in 11 seconds
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startCliService } from './cli-service.ts';
import { SyncFolder } from './sync-kit.ts';

const { apps, newCliBrand } = await startCliService({ runsJobs: true });
const folder = new SyncFolder();
const { cli, brandport } = await newCliBrand();

describe('hints about numbers [D302], followed to the letter', () => {
  const price = async (text: string, ...args: string[]) => {
    const file = folder.file('price.csv', ['sku;title;price_value', `P;P;${text}`]);
    return cli(['sync', file, '--delimiter', ';', '--yes', ...args]);
  };
  const storedPrice = async () => {
    const [product] = await brandport.catalog.products.list({ sku: 'P' }).toArray();
    return product?.price_value;
  };

  for (const [text, args, hint, follow, expected] of [
    ['12,50', [], '--decimal , reads it', ['12,50', '--decimal', ','], 12.5],
    ['12.75', ['--decimal', ','], 'without --decimal , it is read', ['12.75'], 12.75],
    ['1,234', [], 'is it 1.234 or 1234? Write 1.2340 or 1234', ['1.2340'], 1.234],
    ['1.234', [], 'is it 1.234 or 1234? Write 1.2340 or 1234', ['1234'], 1234],
    [
      '1,234',
      ['--decimal', ','],
      'is it 1.234 or 1234? Write 1,2340 or 1234',
      ['1,2340', '--decimal', ','],
      1.234,
    ],
    ['1,234.50', [], 'write it without separators of thousands: 1234.50', ['1234.50'], 1234.5],
    ['1.234,50', ['--decimal', ','], 'of thousands: 1234,50', ['1234,50', '--decimal', ','], 1234.5],
    ["1'234'567", [], 'of thousands: 1234567', ['1234567'], 1_234_567],
    ['1 234', [], 'of thousands: 1234', ['1234'], 1234],
  ] as const)
    it(`of a price ${text} ${args.join(' ')}`, async () => {
      const refused = await price(text, ...args);
      assert.equal(refused.code, 3);
      assert.ok(refused.stderr.includes(hint), refused.stderr);
      const [again, ...more] = follow;
      const followed = await price(again, ...more);
      assert.equal(followed.code, 0, followed.stderr);
      assert.equal(await storedPrice(), expected);
    });

  for (const [text, hint, follow] of [
    ['"3,000"', 'must be an integer; write it without a separator: 3000', '3000'],
    ['3.000', 'must be an integer; write it without a separator: 3000, or 3 if it is that', '3000'],
    ['"1,234,567"', 'must be an integer; write it without a separator: 1234567', '1234567'],
    ["12'000", 'must be an integer; write it without a separator: 12000', '12000'],
    ['"5,0"', 'must be an integer; write it without decimal places: 5', '5'],
  ] as const)
    for (const args of [[], ['--decimal', ',']])
      it(`of a quantity ${text} ${args.join(' ')}`, async () => {
        await brandport.catalog.products.create({ sku: `Q-${text}-${args.length}` });
        const sku = `Q-${text}-${args.length}`.replaceAll('"', '""');
        const file = (quantity: string) =>
          folder.file('stock.csv', ['sku,location_code,quantity', `"${sku}",main,${quantity}`]);
        const known = await cli(['sync', folder.file('main.csv', ['external_code', 'main']), '--yes']);
        assert.equal(known.code, 0, known.stderr);
        const refused = await cli(['sync', file(text), '--yes', ...args]);
        assert.deepEqual([refused.code, refused.stderr.includes(hint)], [3, true], refused.stderr);
        const linted = await cli(['feeds', 'lint', file(text), '--offline']);
        assert.deepEqual([linted.code, linted.stdout.includes(hint)], [3, true], linted.stdout);
        const sent = await cli(['feeds', 'send', file(text)]);
        assert.deepEqual([sent.code, sent.stderr.includes(hint)], [3, true], sent.stderr);
        for (const { stdout, stderr } of [linted, sent]) assert.doesNotMatch(stdout + stderr, /--decimal/);
        const followed = await cli(['sync', file(follow), '--yes', ...args]);
        assert.equal(followed.code, 0, followed.stderr);
        const levels = await brandport.catalog.stock.levels().toArray();
        const level = levels.find((one) => one.sku === `Q-${text}-${args.length}`);
        assert.equal(level?.quantity, Number(follow));
      });
});

describe('the other hints of sync and feeds, followed to the letter', () => {
  it('of unknown columns, values, truth values and axes', async () => {
    const { cli: run } = await newCliBrand();
    const path = folder.file('words.csv', ['sku,titel,Vendor,is_active', 'A,A,Acme,ja']);
    const refused = await run(['sync', path, '--yes']);
    assert.match(refused.stderr, /the column "titel" is not known; did you mean "title"\?/);
    assert.match(refused.stderr, /the column "Vendor" is not known; --ignore leaves it alone/);
    assert.match(refused.stderr, /is_active "ja" must be a boolean: true or false/);
    const followed = folder.file('words-2.csv', ['sku,title,Vendor,is_active', 'A,A,Acme,true']);
    assert.equal((await run(['sync', followed, '--ignore', 'Vendor', '--yes'])).code, 0);
    const foreign = folder.file('foreign.csv', ['Handle', 'B']);
    assert.match((await run(['sync', foreign, '--yes'])).stderr, /--column sku=NAME says which column/);
    assert.equal((await run(['sync', foreign, '--column', 'sku=Handle', '--yes'])).code, 0);
    const axes = folder.file('axes.jsonl', [
      { sku: 'C' },
      { product_sku: 'C', sku: 'C-S', 'axis:size': 'S' },
    ]);
    assert.match((await run(['sync', axes, '--yes'])).stderr, /; --create-axes creates it/);
    assert.equal((await run(['sync', axes, '--create-axes', '--yes'])).code, 0);
  });

  it('of products that are created inactive', async () => {
    const { cli: run, brandport: own } = await newCliBrand();
    const path = folder.file('inactive.csv', ['sku', 'A', 'B', 'C', 'D']);
    assert.match(
      (await run(['sync', path, '--dry-run'])).stderr,
      /^warning: 4 products will be created inactive: A, B, C, …\. A column is_active with true creates active ones\.$/m,
    );
    const active = folder.file('active.csv', ['sku,is_active', 'A,true']);
    const followed = await run(['sync', active, '--yes']);
    assert.doesNotMatch(followed.stderr, /inactive/);
    assert.equal((await own.catalog.products.list({ is_active: true }).toArray()).length, 1);
    const draft = folder.file('draft.csv', ['Handle,Title,Published,Status', 'x,X,true,draft']);
    const shop = await run(['sync', '--from', 'shopify', draft, '--dry-run']);
    assert.match(shop.stderr, /^warning: 1 product will be created inactive: x\.$/m);
  });

  it('of a missing answer, a share to archive, and feeds', async () => {
    const { cli: run } = await newCliBrand();
    const path = folder.file('two.csv', ['sku,is_active', 'A,true', 'B,true']);
    assert.match((await run(['sync', path])).stderr, /add --yes, or --dry-run/);
    assert.equal((await run(['sync', path, '--dry-run'])).code, 0);
    assert.equal((await run(['sync', path, '--yes'])).code, 0);
    const one = folder.file('one.csv', ['sku,is_active', 'A,true']);
    const archive = ['sync', one, '--archive-missing', '--yes'];
    assert.match((await run(archive)).stderr, /50 % of the active ones; --max-archive allows 5 %/);
    assert.equal((await run([...archive, '--max-archive', '50%'])).code, 0);
  });

  it('of a first load that takes long', async () => {
    const { cli: run, brandport: own } = await newCliBrand();
    const { key_id: keyId } = await own.catalog.status();
    assert.equal((await run(['limits', 'set', '--key', keyId, '--catalog-writes', '5'])).code, 0);
    const rows = Array.from({ length: 70 }, (_, n) => `P${n}`);
    const load = ['sync', folder.file('load.csv', ['sku', ...rows])];
    const { stdout, stderr } = await run([...load, '--dry-run']);
    assert.match(stdout, /^about 13 min: writes 5\/min$/m);
    const [, hint = ''] = /can raise the limit of the key: brandport (limits set .+)$/m.exec(stderr) ?? [];
    const followed = await run(hint.replace('<time>', '2099-01-01T00:00:00Z').split(' '));
    assert.equal(followed.code, 0, followed.stderr);
    const again = await run([...load, '--dry-run']);
    assert.match(again.stdout, /^less than a minute: writes 600\/min$/m);
    assert.doesNotMatch(again.stderr, /limits set/);
    assert.equal((await run([...load, '--yes'])).code, 0);
  });

  it('of more than is shown, which --json lists', async () => {
    const { cli: run } = await newCliBrand();
    const rows = Array.from({ length: 30 }, (_, n) => [`N/A${n},${n}x`, `${n + 10},1`]).flat();
    const file = folder.file('many.csv', [
      'sku,price_value',
      ...rows.map((row) => row.replace('N/A', '1E+')),
    ]);
    const shown = await run(['sync', file, '--dry-run', '--skip-problems']);
    assert.match(shown.stderr, /^problem: and 10 more; --json lists up to 1,000\.$/m);
    assert.match(shown.stdout, /^… and 10 more; --json lists all$/m);
    const all = JSON.parse((await run(['sync', file, '--dry-run', '--skip-problems', '--json'])).stdout);
    assert.deepEqual([all.problems.length, all.creates.length], [30, 30]);
  });

  it('of the commands of earlier versions', async () => {
    const { cli: run } = await newCliBrand();
    const path = folder.file('old.csv', ['sku', 'A']);
    assert.match((await run(['sync', 'plan', path, '--yes'])).stderr, /sync <files\.\.\.> --dry-run shows/);
    assert.equal((await run(['sync', path, '--dry-run'])).code, 0);
  });

  it('of store views without a language', async () => {
    const { cli: run } = await newCliBrand();
    const rows = ['sku,store_view_code,product_type,name', 'A,,simple,Shirt', 'A,de,,Hemd'];
    const magento = ['sync', '--from', 'magento', folder.file('views.csv', rows), '--dry-run'];
    assert.match((await run(magento)).stderr, /the store view de, which --language de=TAG takes: 1/);
    assert.doesNotMatch((await run([...magento, '--language', 'de=de-DE'])).stderr, /store view/);
  });
});

describe('the hints of feeds, followed to the letter', () => {
  const stockOf = (sku: string) => folder.file('feed.csv', ['sku,location_code,quantity', `${sku},main,1`]);

  it('of a delimiter', async () => {
    const { cli: run, brandport: own } = await newCliBrand();
    await own.catalog.products.create({ sku: 'A' });
    const file = folder.file('semicolons.csv', ['sku;location_code;quantity', 'A;main;1']);
    for (const command of [
      ['feeds', 'lint', file, '--offline'],
      ['feeds', 'send', file],
    ]) {
      const refused = await run(command);
      assert.match(refused.stderr, /Add --delimiter ';'\.$/m);
      assert.equal((await run([...command, '--delimiter', ';'])).code, 0);
    }
  });

  it('of a key that may not compare: --against', async () => {
    const { cli: run, brandId, brandport: own } = await newCliBrand();
    await own.catalog.products.create({ sku: 'A' });
    const exported = folder.file('export.jsonl', []);
    assert.equal((await run(['products', 'export', '--out', exported])).code, 0);
    const { apiKey } = await apps.newKey(brandId, ['catalog.stock:ingest']);
    const env = { BRANDPORT_API_KEY: apiKey };
    const lint = async (sku: string, ...args: string[]) =>
      run(['feeds', 'lint', stockOf(sku), ...args], { env });
    assert.match((await lint('B')).stderr, /--against <export> compares SKUs\.$/m);
    assert.equal((await lint('B')).code, 0);
    const compared = await lint('B', '--against', exported);
    assert.deepEqual([compared.code, compared.stderr], [3, '']);
    assert.match(compared.stdout, /the SKU B is not known/);
    assert.equal((await lint('A', '--against', exported)).code, 0);
  });

  it('of SKUs that cannot be verified: --against', async () => {
    const { cli: run } = await newCliBrand();
    // The variants of 300 products are read, not of more.
    const rows = Array.from({ length: 301 }, (_, n) => [
      { sku: `P${n}` },
      { product_sku: `P${n}`, sku: `P${n}-S`, 'axis:size': 'S' },
    ]).flat();
    const synced = await run(['sync', folder.file('parents.jsonl', rows), '--create-axes', '--yes']);
    assert.equal(synced.code, 0, synced.stderr);
    await run(['sync', folder.file('main.csv', ['external_code', 'main']), '--yes']);
    const lint = ['feeds', 'lint', stockOf('P7-S')];
    assert.match((await run(lint)).stdout, /1 SKU could not be verified: name an export with --against/);
    const exported = folder.file('variants.jsonl', []);
    assert.equal((await run(['products', 'export', '--details', '--out', exported])).code, 0);
    const followed = await run([...lint, '--against', exported]);
    assert.deepEqual([followed.code, followed.stdout], [0, '1 line, 0 errors, 0 warnings\n']);
  });

  it('of a product that has variants, and of more failed lines than are shown', async () => {
    const { cli: run } = await newCliBrand();
    const rows = [
      { sku: 'P' },
      { product_sku: 'P', sku: 'P-S', 'axis:size': 'S' },
      { external_code: 'main' },
    ];
    assert.equal((await run(['sync', folder.file('one.jsonl', rows), '--create-axes', '--yes'])).code, 0);
    const refused = await run(['feeds', 'lint', stockOf('P')]);
    assert.match(refused.stdout, /P has variants: name the SKUs of its variants/);
    assert.equal((await run(['feeds', 'lint', stockOf('P-S')])).code, 0);
    const many = Array.from({ length: 25 }, (_, n) => `X${n},main,1`);
    const file = folder.file('unknown.csv', ['sku,location_code,quantity', ...many]);
    const sent = await run(['feeds', 'send', file, '--wait']);
    assert.match(sent.stderr, /^problem: and more; brandport feeds report lists all\.$/m);
    assert.equal((await run(['feeds', 'report', file, '--quiet'])).stdout.trim().split('\n').length, 25);
  });
});
