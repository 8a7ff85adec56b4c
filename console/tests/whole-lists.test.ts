// nightly: lists of thousands of rows in a browser
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { scopes } from '../../server/src/api/access.ts';
import { program, startConsole, typeTime } from './support/console-kit.ts';
import { insertProducts } from './support/seed-catalog.ts';

const count = 203;
const wholeListMs = 240_000;
/** The page keeps the keys of the rows, which take some 3 MiB; not the rows. */
const mostBytes = 16 * 1024 * 1024;

describe('lists of the console', { skip: program === null }, async () => {
  if (program === null) return;
  const { server, open, assertWellMade } = await startConsole();
  const { admin } = server;
  const { json: brand } = await admin.post('/brands', { name: 'Café "Nord" 東京' });
  const { json: key } = await admin.post(`/brands/${brand.id}/keys`, { name: '=HYPERLINK("x")', scopes });
  const client = server.clientWith(key.api_key);
  const skus = Array.from({ length: count }, (_, index) => `LAMP-${String(index).padStart(4, '0')}`);
  for (let from = 0; from < count; from += 20)
    await Promise.all(
      skus.slice(from, from + 20).map((sku) =>
        client.create('/catalog/products', {
          sku,
          title: '@SUM(1)',
          price_value: 1199,
          is_active: true,
          price_currency: 'EUR',
        }),
      ),
    );
  const products = `/brands/${brand.id}/products`;
  const phone = { viewport: { width: 390, height: 844 } };

  it('are saved whole as CSV, with raw values and the name of the brand', async () => {
    const opened = await open(`${products}?sort=sku&active=true`);
    const { page } = opened;
    await page.getByText('Page 1 of 5').waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV' }).click();
    const download = await downloading;
    assert.equal(download.suggestedFilename(), 'café-nord-東京-products.csv');
    const [head, ...rows] = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
    assert.equal(
      head,
      '"SKU","Id","Title","State","Variants","Price","Currency","Availability","Quantity","Changed"',
    );
    assert.deepEqual(
      rows.map((row) => row.slice(1, 10)),
      skus,
    );
    assert.match(
      rows[0] ?? '',
      /^"LAMP-0000","[^"]+","'@SUM\(1\)","active","false","1199\.00","EUR","[a-z_]*","\d*","\d{4}-\d\d-\d\dT[\d:.]+Z"$/,
    );
    opened.assertNoProblems();
    await opened.close();
  });

  it('say how far the file is, and stop when it is cancelled', async () => {
    const opened = await open(products);
    const { page } = opened;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/products\?.*page=2&per_page=200/, async (route) => {
      await held;
      await route.abort();
    });
    await page.getByRole('button', { name: 'CSV' }).click();
    await page.getByText('200 of 203 rows').waitFor();
    await opened.assertAccessible();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'CSV' }).waitFor();
    release();
    await opened.close();
  });

  it('stop at 50,000 rows and say so, without keeping them in memory', async (context) => {
    const { json: large } = await admin.post('/brands', { name: 'Large' });
    await insertProducts(server, large.id, 50_001);
    const opened = await open(`/brands/${large.id}/products`);
    const { page } = opened;
    const session = await page.context().newCDPSession(page);
    const memory = async () => {
      await session.send('HeapProfiler.collectGarbage');
      return (await session.send('Runtime.getHeapUsage')).usedSize;
    };
    await page.getByText('1 to 50 of 50,001').waitFor();
    const before = await memory();
    const downloading = page.waitForEvent('download', { timeout: wholeListMs });
    await page.getByRole('button', { name: 'CSV' }).click();
    await page.getByText(/^4\d,\d00 of 50,000 rows$/).waitFor({ timeout: wholeListMs });
    const used = (await memory()) - before;
    context.diagnostic(`${Math.round(used / 1024)} KiB for 40,000 rows`);
    assert.ok(used < mostBytes, `${used} bytes for 40,000 rows`);
    const rows = (await readFile(await (await downloading).path(), 'utf8')).trimEnd().split('\r\n');
    assert.equal(new Set(rows).size, 50_001, 'with the line of names');
    await page.getByText('The file has 50,000 of 50,001 rows. Filter the list for the others.').waitFor();
    opened.assertNoProblems();
    await opened.close();
  });

  it('have rows of one line and a half on a phone, which open as a whole and are sorted', async () => {
    const opened = await open(products, phone);
    const { page } = opened;
    await page.getByLabel('Sort by').selectOption({ label: 'SKU ↓' });
    await page.waitForURL(/sort=-sku/);
    const rows = page.locator('[data-row]');
    await rows.first().getByText('LAMP-0202').waitFor();
    const box = await rows.first().boundingBox();
    assert.ok(box !== null && box.height >= 44 && box.height <= 60, `${box?.height} px`);
    const height = Number(await page.evaluate('document.documentElement.scrollHeight'));
    assert.ok(height < 4000, `${height} px`);
    await assertWellMade(opened, 'phone-list');
    await page.mouse.click(box.x + box.width - 8, box.y + box.height / 2);
    await page.getByRole('heading', { level: 1, name: '@SUM(1)' }).waitFor();
    await page.getByRole('button', { name: 'Menu' }).click();
    const pages = page.getByRole('navigation', { name: 'Console' }).getByRole('link');
    for (const link of await pages.all()) assert.ok(await link.isVisible(), (await link.textContent()) ?? '');
    await pages.getByText('Brands').click();
    await page.getByRole('heading', { level: 1, name: 'Brands' }).waitFor();
    await pages.first().waitFor({ state: 'hidden' });
    await opened.close();
  });

  it('are filtered by a span or by two instants', async () => {
    const opened = await open('/feeds');
    const { page } = opened;
    await page.getByRole('button', { name: 'Time: any' }).click();
    await opened.assertAccessible();
    await page.getByRole('button', { name: 'Last 24 hours' }).click();
    await page.getByRole('button', { name: 'Time: Last 24 hours' }).waitFor();
    const from = Date.parse(new URL(page.url()).searchParams.get('from') ?? '');
    assert.ok(Math.abs(Date.now() - from - 86_400_000) < 120_000);
    await typeTime(page, 'Time', { 'From, UTC': '27.11.2026' });
    await page.getByText('Write a time as 2026-11-27 18:00.').waitFor();
    await page.getByLabel('From, UTC').fill('2026-11-27');
    await page.getByLabel('Until, UTC').fill('2026-11-28');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('button', { name: 'Time: 2026-11-27 00:00 to 2026-11-28 23:59' }).waitFor();
    await page.getByRole('button', { name: 'Remove the filter Time' }).click();
    await page.waitForURL((url) => url.search === '');
    opened.assertNoProblems();
    await opened.close();
  });
});
