import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { startCliService } from './cli-service.ts';
import { SyncFolder } from './sync-kit.ts';

const { apps, newCliBrand } = await startCliService();
after(() => apps.clientApp.close());
const folder = new SyncFolder();

/** Values at the edge of what the service accepts, by column of a product. */
const ofProducts: Readonly<Record<string, readonly unknown[]>> = {
  sku: [' A', 'a\u0085', 'x'.repeat(191), '😀'.repeat(192), 'a\u0000', '\udc00', ''],
  title: ['x'.repeat(255), 'x'.repeat(256), '\ud800', ' ', '', null],
  short_description: ['', 'x'.repeat(5_001), null],
  price_value: [999_999_999_999, 99_999_999_999.9999, -1, 1.23456, 0],
  price_currency: ['ABC', 'EUR', 'eur', 'XTS'],
  default_language: ['en_US', 'en-US', 'x'],
  tax_class: ['x'.repeat(65), 'a\u0000b'],
};

/** Values of a line of a feed. */
const ofLines: Readonly<Record<string, readonly unknown[]>> = {
  sku: [' A', 'A\u00a0', 'a\ud800'],
  location_code: ['par is', 'x'.repeat(65), ''],
  quantity: [-1, 1.5, 2_147_483_648, 0],
  updated_at: [
    ...['2026-02-30T10:00:00Z', '2026-02-28T10:00Z', '2026-02-28T10:00:00+0100', '2026-02-28T10:00:00'],
    new Date(Date.now() + 25 * 3_600_000).toISOString(),
    new Date(Date.now() + 23 * 3_600_000).toISOString(),
  ],
};

describe('what the command line refuses', () => {
  it('the service refuses, and nothing else: products and their texts in languages', async () => {
    const { cli, apiKey } = await newCliBrand();
    const client = apps.clientWith(apiKey);
    const rows = Object.entries(ofProducts).flatMap(([column, all]) =>
      all.map((value) => ({ row: { sku: 'A', [column]: value }, body: { sku: 'A', [column]: value } })),
    );
    for (const tag of ['sv', 'en_US', 'x-y', 'a\u0000'])
      rows.push({
        row: { sku: 'A', [`title:${tag}`]: 'T' },
        body: { sku: 'A', versions: { [tag]: { title: 'T' } } },
      });
    for (const { row, body } of rows) {
      const { status } = await client.post('/catalog/products', body, {
        'idempotency-key': crypto.randomUUID(),
      });
      const { code, stderr } = await cli(['sync', '--dry-run', folder.file('one.jsonl', [row])]);
      assert.equal(code === 3, status === 422, `${status} ${JSON.stringify(row)} ${stderr}`);
      if (code === 3) assert.match(stderr, /one\.jsonl:1: \S*(sku|title|description|price|language|tax)/);
    }
  });

  it('the service refuses, and nothing else: lines of feeds', async () => {
    const { cli, apiKey } = await newCliBrand();
    const client = apps.clientWith(apiKey);
    for (const [column, all] of Object.entries(ofLines))
      for (const value of all) {
        const line = { sku: 'A', location_code: 'hall', quantity: 1, [column]: value };
        const feed = { source: 'erp', mode: 'snapshot', lines: [line] };
        const { status } = await client.post('/catalog/stock/feeds', feed, {
          'idempotency-key': crypto.randomUUID(),
        });
        const path = folder.file('line.jsonl', [line]);
        const { code, stdout } = await cli(['feeds', 'lint', '--offline', path]);
        assert.equal(code === 3, status === 422, `${status} ${JSON.stringify(line)} ${stdout}`);
        if (code === 3) assert.ok(stdout.includes(`line.jsonl:1: ${column} `), stdout);
      }
  });

  it('is named by line and column, also when only the service refuses it', async ({ mock }) => {
    const { cli, brandport } = await newCliBrand();
    await brandport.catalog.locations.create({ external_code: 'hall' });
    for (const sku of ['A\nB', 'C']) await brandport.catalog.products.create({ sku });
    const path = folder.file('stock.csv', [
      'sku,location_code,quantity,updated_at',
      '"A\nB",hall,1,',
      `C,hall,2,${new Date(Date.now() + 25 * 3_600_000).toISOString()}`,
    ]);
    // The clock of this machine is ahead of that of the database.
    const { now } = Date;
    mock.method(Date, 'now', () => now() + 2 * 3_600_000);
    const message = 'stock.csv:4: updated_at must be at most 24 hours ahead of the server’s time';
    for (const [args, code] of [
      [['feeds', 'send', path], 3],
      [['sync', path, '--yes'], 5],
    ] as const) {
      const sent = await cli(args);
      assert.equal(sent.code, code, sent.stderr);
      assert.ok(sent.stderr.includes(message), sent.stderr);
    }
  });
});
