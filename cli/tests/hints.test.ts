import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startCliService } from './cli-service.ts';
import { SyncFolder } from './sync-kit.ts';

const { newCliBrand } = await startCliService({ runsJobs: true });
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
});
