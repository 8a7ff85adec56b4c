import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { startCliService } from './cli-service.ts';
import { SyncFolder } from './sync-kit.ts';

const { apps, newCliBrand } = await startCliService({ runsJobs: true });
after(() => apps.clientApp.close());
const folder = new SyncFolder();
const map = (name: string, value: object | string) => folder.file(name, [value]);

describe('a map of sync', () => {
  it('has the options about files; one of the command line wins, name by name', async () => {
    const { cli } = await newCliBrand();
    const file = folder.file('prices.csv', [
      'Handle;Name;Preis;Vendor',
      'cap;Cap;12,50;Acme',
      'mug;Mug;8,25;Acme',
    ]);
    const kept = map('prices-map.json', {
      column: { sku: 'Handle', title: 'Vendor', price_value: 'Preis' },
      delimiter: ';',
      decimal: ',',
      ignore: ['*'],
    });
    const { code, stdout, stderr } = await cli(['sync', '--map', kept, file, '--dry-run']);
    assert.deepEqual([code, stdout.split('\n')[0]], [0, '+ cap  Acme'], stderr);
    const other = await cli(['sync', '--map', kept, file, '--dry-run', '--column', 'title=Name']);
    assert.equal(other.stdout.split('\n')[0], '+ cap  Cap', other.stderr);
    const dot = await cli(['sync', '--map', kept, file, '--dry-run', '--decimal', '.']);
    assert.match(dot.stderr, /"12,50" must be a number; --decimal , reads it/);
  });

  it('is written by sync columns, which shows how files are read, and reads them alike', async () => {
    const { cli, json } = await newCliBrand();
    const file = folder.file('own.csv', ['Handle;Title;Vendor', 'cap;Cap;Acme']);
    const saved = join(folder.path, 'own-map.json');
    const options = ['--column', 'sku=Handle', '--delimiter', ';'];
    const listed = await json('sync', 'columns', file, ...options, '--save', saved);
    assert.deepEqual(
      listed.map(({ name, column }: { name: string; column: string | null }) => [name, column]),
      [
        ['Handle', 'sku'],
        ['Title', 'title'],
        ['Vendor', null],
      ],
    );
    assert.deepEqual(JSON.parse(readFileSync(saved, 'utf8')), {
      delimiter: ';',
      column: { sku: 'Handle' },
      ignore: ['Vendor'],
    });
    assert.equal((await cli(['sync', '--map', saved, file, '--dry-run'])).code, 0);
    const shop = folder.file('shop.csv', ['Handle,Title,Vendor,Variant Price', 'cap,Cap,Acme,12']);
    const shopMap = join(folder.path, 'shop-map.json');
    const from = ['--from', 'shopify', '--location', 'hall', '--currency', 'SEK'];
    const shopColumns = await json('sync', 'columns', ...from, shop, '--save', shopMap);
    assert.equal(shopColumns.filter(({ column }: { column: string | null }) => column === null).length, 1);
    assert.deepEqual(JSON.parse(readFileSync(shopMap, 'utf8')), {
      from: 'shopify',
      currency: 'SEK',
      location: 'hall',
    });
    const { stdout } = await cli(['sync', '--map', shopMap, shop, '--dry-run']);
    assert.match(stdout, /^\+ cap {2}Cap$/m);
    const lines = folder.file('own.jsonl', [{ sku: 'A', titel: 'x' }]);
    const [, titel] = await json('sync', 'columns', lines);
    assert.deepEqual([titel.name, titel.column], ['titel', null]);
  });

  for (const [content, message] of [
    ['{', /map\.json is not a JSON object of options/],
    ['[]', /map\.json is not a JSON object of options/],
    ['{"colum": {"sku": "A"}}', /map\.json: "colum" is not an option of a map; did you mean "column"\?/],
    ['{"yes": true}', /map\.json: "yes" is not an option of a map: from, /],
    ['{"decimal": ";"}', /map\.json: "decimal": It is \. or a comma\./],
    ['{"delimiter": 5}', /map\.json: "delimiter": It is not a string\./],
    ['{"column": {"skuu": "A"}}', /map\.json: "column": It is not a column and its name/],
    ['{"column": "sku=A"}', /map\.json: "column": It is not an object/],
    ['{"from": "prestashop"}', /map\.json: "from": It is none of shopify, /],
    ['{"ignore": "A"}', /map\.json: "ignore": It is not a list/],
    ['{"language": {"de": "!"}, "from": "magento"}', /map\.json: "language": It is not a store view/],
    ['{"title": "name"}', /--title is for --from akeneo/],
  ] as const)
    it(`that is wrong is refused with its file and key: ${content}`, async () => {
      const { cli } = await newCliBrand();
      const file = folder.file('any.csv', ['sku', 'A']);
      const { code, stderr } = await cli(['sync', '--map', map('map.json', content), file, '--dry-run']);
      assert.equal(code, 2, stderr);
      assert.match(stderr, message);
    });

  it('that is missing is refused', async () => {
    const { cli } = await newCliBrand();
    const { code, stderr } = await cli(['sync', '--map', '/nowhere.json', 'x.csv', '--dry-run']);
    assert.deepEqual([code, /\/nowhere\.json does not exist/.test(stderr)], [2, true], stderr);
  });
});
