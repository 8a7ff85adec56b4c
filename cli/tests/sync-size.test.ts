// nightly: compares 20,000 products with 40,000 stock levels, in minutes
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { finished } from 'node:stream/promises';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { seedBrands } from '../../bench/src/data/seed-brand.ts';
import { startCliService } from './cli-service.ts';
import { SyncFolder } from './sync-kit.ts';

const { apps, newCliBrand } = await startCliService();
after(() => apps.clientApp.close());
const folder = new SyncFolder();
const bin = fileURLToPath(new URL('../bin/brandport.js', import.meta.url));
const products = 20_000;
const heapMegabytes = 192;
const withVariants = 100;

/** Writes the rows of a file, and waits for the disk. */
async function write(name: string, rows: Iterable<string>): Promise<string> {
  const path = join(folder.path, name);
  const stream = createWriteStream(path);
  for (const row of rows) if (!stream.write(`${row}\n`)) await once(stream, 'drain');
  stream.end();
  await finished(stream);
  return path;
}

function* productRows() {
  yield 'sku,title,title:de,short_description:de,price_value';
  for (let n = 1; n <= products; n += 1)
    yield `SKU-${String(n).padStart(7, '0')},Product number ${n},Produkt Nummer ${n},${'Lang. '.repeat(100)},${((n % 500) + 0.99).toFixed(2)}`;
}

function* levelRows(levels: readonly { sku: string; location: string; quantity: number }[]) {
  yield 'sku,location_code,quantity';
  for (const { sku, location, quantity } of levels) yield `${sku},${location},${quantity}`;
}

describe('a comparison of 20,000 products with long texts [D149]', () => {
  it(`needs less than ${heapMegabytes} MB of heap`, async () => {
    const { brandId, env } = await newCliBrand();
    const client = new pg.Client(apps.address);
    await client.connect();
    await seedBrands(client, [{ brandId, products, withVariants }]);
    const { rows } = await client.query<{ sku: string; location: string; quantity: number }>(
      `select l.sku, s.external_code as location, l.quantity from stock_levels l
       join stock_locations s on s.id = l.location_id and s.brand_id = l.brand_id where l.brand_id = $1`,
      [brandId],
    );
    await client.end();
    const files = [await write('products.csv', productRows()), await write('levels.csv', levelRows(rows))];
    const child = spawn(
      process.execPath,
      [`--max-old-space-size=${heapMegabytes}`, bin, 'sync', '--dry-run', ...files],
      {
        env: { PATH: process.env['PATH'], HOME: folder.path, ...env },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    const [code] = await once(child, 'close');
    assert.equal(code, 0);
    const summary = stdout.trimEnd().split('\n').at(-2);
    assert.equal(
      summary,
      `~ patch ${products.toLocaleString('en-US')}  = ${rows.length.toLocaleString('en-US')} same`,
    );
  });
});
