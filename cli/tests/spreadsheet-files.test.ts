// processes: reads a file in several encodings across the parts in which it is read
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { startCliService } from './cli-service.ts';
import { SyncFolder } from './sync-kit.ts';

const { newCliBrand } = await startCliService();
const folder = new SyncFolder();
const { cli } = await newCliBrand();

function written(name: string, content: string | Uint8Array): string {
  const path = join(folder.path, name);
  writeFileSync(path, content);
  return path;
}

async function planned(content: string | Uint8Array, ...args: string[]) {
  return cli(['sync', written('file.csv', content), '--dry-run', ...args]);
}

describe('what spreadsheets leave in a file', () => {
  it('is not read: columns without a name, rows without a value, and cells beyond the names', async () => {
    const rows = 'sku,title,,\r\nA,One,,\r\n,,,\r\n , ,\t,\r\nB,Two,x,,,\r\n,,,\r\n';
    const { code, stdout, stderr } = await planned(rows);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^\+ A {2}One\n\+ B {2}Two\n\+ create 2 /);
    const feed = 'sku,location_code,quantity,,\nA,main,3,,\n,,,,\n';
    const linted = await cli(['feeds', 'lint', written('feed.csv', feed), '--offline']);
    assert.match(linted.stdout, /^1 line, 0 errors, 0 warnings$/m);
  });

  it('keeps the lines of messages, and refuses values beyond the names', async () => {
    const { code, stderr } = await planned('sep=;\r\n;\r\nsku;price_value\r\n;\r\nA;x\r\n');
    assert.equal(code, 3);
    assert.match(stderr, /file\.csv:5: price_value "x" must be a number/);
    assert.match((await planned('sku,title\nA,One,Two\n')).stderr, /file\.csv:2: it has 3 values/);
    assert.match((await planned(',,\n')).stderr, /file\.csv: it is empty/);
  });

  it('states its delimiter in a first line, which an option overrules', async () => {
    for (const [line, delimiter] of [
      ['sep=;', ';'],
      ['\uFEFFSEP=|', '|'],
      ['sep=\t', '\t'],
    ]) {
      const { stdout, stderr } = await planned(`${line}\r\nsku${delimiter}title\r\nA${delimiter}One\r\n`);
      assert.match(stdout, /^\+ A {2}One$/m, stderr);
    }
    assert.match((await planned('sep=;\nsku,title\nA,One\n', '--delimiter', ',')).stdout, /^\+ A {2}One$/m);
  });

  it('names the delimiter that was seen, which can be given', async () => {
    for (const [character, option, given] of [
      [';', "';'", [';']],
      ['|', "'|'", ['|']],
      ['\t', 'tab', ['tab', '\\t', '\t']],
    ] as const) {
      const rows = `sku${character}title\nA${character}One\n`;
      const refused = await planned(rows);
      assert.equal(refused.code, 3);
      assert.ok(refused.stderr.includes(`. Add --delimiter ${option}.`), refused.stderr);
      for (const delimiter of given)
        assert.match((await planned(rows, '--delimiter', delimiter)).stdout, /^\+ A {2}One$/m);
      const feed = written('feed.csv', `sku${character}location_code${character}quantity\n`);
      const sent = await cli(['feeds', 'send', feed]);
      assert.ok(sent.stderr.includes(`. Add --delimiter ${option}.`), sent.stderr);
    }
    assert.ok((await planned('sku,title\n', '--delimiter', ';')).stderr.includes("Add --delimiter ','."));
    assert.equal((await planned('sku,title\n', '--delimiter', ';;')).code, 2);
    assert.equal((await planned('sku,title\n', '--delimiter', '"')).code, 2);
  });
});

describe('SKUs that a spreadsheet has changed', () => {
  it('are named before the list, which is cut, and in JSON', async () => {
    const brand = await newCliBrand();
    await brand.brandport.catalog.products.create({ sku: '00123' });
    const many = Array.from({ length: 40 }, (_, n) => `P${n}`);
    const rows = [
      'sku,is_active',
      ...[...many, '5.70123E+12', '#N/A', '#REF!', '123', '0077', '77', '500'].map((sku) => `${sku},true`),
    ];
    const args = ['sync', folder.file('skus.csv', rows), '--dry-run'];
    const { stdout, stderr } = await brand.cli(args);
    const warnings = stderr.split('\n').filter((line) => line.startsWith('warning: '));
    assert.deepEqual(
      warnings.map((line) => line.replace(/^.*skus\.csv:/, '')),
      [
        '42: the SKU "5.70123E+12" looks like a number that a spreadsheet has shortened',
        '43: the SKU "#N/A" is an error of a spreadsheet',
        '44: the SKU "#REF!" is an error of a spreadsheet',
        '45: the SKU "123" is created next to "00123": did a spreadsheet remove zeros?',
        '47: the SKU "77" is created next to "0077": did a spreadsheet remove zeros?',
      ],
    );
    assert.doesNotMatch(stdout, /5\.70123E/);
    const json = JSON.parse((await brand.cli([...args, '--json'])).stdout);
    assert.equal(json.warnings.length, 5);
  });
});

describe('a file that is not in UTF-8', () => {
  it('is refused with its encoding, the line and how to save it', async () => {
    const latin = Buffer.from('sku,title\nA,One\nB,Größe\n', 'latin1');
    assert.match(
      (await planned(latin)).stderr,
      /file\.csv:3: it is not in UTF-8, but probably in Windows-1252\. Save the file as "CSV UTF-8"\./,
    );
    const text = 'sku,title\nA,Größe\n';
    const marked = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
    for (const bytes of [marked, Buffer.from(text, 'utf16le'), Buffer.from(marked).swap16()]) {
      const { code, stderr } = await planned(bytes);
      assert.equal(code, 3);
      assert.match(stderr, /file\.csv: it is in UTF-16\. Save the file as "CSV UTF-8"\./);
    }
    const { stdout } = await planned(Buffer.from(`\uFEFF${text}`));
    assert.match(stdout, /^\+ A {2}Größe$/m);
    assert.match((await planned(Buffer.from(text).subarray(0, -3))).stderr, /ends inside of a character/);
  });

  it('is read whole across the parts of a large file', async () => {
    const rows = Array.from({ length: 30_000 }, (_, n) => `SKU-${n},Größe ${n} 👕`);
    const { stdout, stderr } = await planned(`sku,title\n${rows.join('\n')}\n`);
    assert.match(stdout, /\+ create 30,000 /, stderr);
    const broken = Buffer.concat([
      Buffer.from(`sku,title\n${rows.join('\n')}\n`),
      Buffer.from('X,\xe9\n', 'latin1'),
    ]);
    assert.match((await planned(broken)).stderr, /file\.csv:30002: it is not in UTF-8/);
  });
});
