// processes: starts a browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { waitFor } from '../../server/test/support/wait-for.ts';
import { program, startConsole } from './support/console-kit.ts';
import { insertProducts, seedCatalog } from './support/seed-catalog.ts';

const hourMs = 3_600_000;

describe('products in the console', { skip: program === null }, async () => {
  if (program === null) return;
  const { server, open, inspect } = await startConsole();
  const settings = { low_stock_threshold: 5, stale_after_hours: 24 };
  const shop = await seedCatalog(server, 'Shop', settings);
  const base = `/brands/${shop.brandId}`;
  await shop.addLocations(['BERLIN', 'PARIS', 'CLOSED']);
  const tee = await shop.addParent('TEE', 3, 3);
  const teeVariant = (color: number, size: number) => `TEE-color-${color}-size-${size}`;
  const variantId = (color: number, size: number) => tee.variants.get(teeVariant(color, size)) ?? '';
  const at = (sku: string, location_code: string, quantity: number, more: object = {}) => ({
    sku,
    location_code,
    quantity,
    ...more,
  });
  const old = { updated_at: new Date(Date.now() - 30 * hourMs).toISOString() };
  await shop.feed('night', [
    at(teeVariant(0, 0), 'BERLIN', 40, { reserved: 4 }),
    at(teeVariant(0, 0), 'PARIS', 7),
    at(teeVariant(0, 1), 'BERLIN', 5, { reserved: 2 }),
    at(teeVariant(0, 2), 'BERLIN', 0),
    at(teeVariant(1, 0), 'CLOSED', 9),
    at(teeVariant(1, 1), 'PARIS', 12, old),
    at(teeVariant(2, 2), 'PARIS', 8),
  ]);
  await shop.delete(`/variants/${variantId(2, 2)}`);
  await shop.change('/stock/locations/CLOSED', { is_active: false });
  await shop.change(`/variants/${variantId(2, 1)}`, { is_active: false });
  const mug = await shop.write('/products', {
    sku: 'MUG',
    title: 'Große Tasse',
    short_description: 'For large coffees',
    versions: { ar: { title: 'كوب' }, fr: { title: 'Tasse' } },
  });
  await shop.write('/products', { sku: 'BIRDS', title: 'Feeds for birds' });
  await shop.feed('mugs', [at('MUG', 'BERLIN', 3)]);

  const row = (page: Page, name: string | RegExp) => page.getByRole('row', { name });

  it('leads from a part of a SKU to a variant, through its row to the explanation of a quantity, and back', async () => {
    const opened = await open(base);
    const { page } = opened;
    await page.getByRole('heading', { name: 'Shop' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('p');
    await row(page, /TEE.*Title of TEE/).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('TEE-color-0');
    await page.keyboard.press('Enter');
    await row(page, /TEE-color-0-size-2 .*variant.* active .*0$/).waitFor();
    assert.ok(page.url().endsWith(`${base}/products?sku=TEE-color-0`), page.url());
    await page.keyboard.type('-size-0');
    await page.keyboard.press('Enter');
    const cell = (name: string) => page.getByRole('link', { name, exact: true });
    await cell(`${teeVariant(0, 0)}, BERLIN: 40, 4 reserved, 36 available`).waitFor();
    assert.ok(page.url().includes(`${base}/products/${tee.id}?variant=${variantId(0, 0)}`), page.url());
    await page.keyboard.press('j');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('k');
    await page.keyboard.press('ArrowDown');
    await page.getByText('no level').waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.getByText('5, 2 reserved, 3 available').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('0 → 5').waitFor();
    assert.ok(page.url().endsWith(`/explain?sku=${teeVariant(0, 1)}&location=BERLIN`), page.url());
    await page.goBack();
    const name = `${teeVariant(0, 1)}, BERLIN: 5, 2 reserved, 3 available, low`;
    await cell(name).waitFor();
    assert.equal(await page.evaluate('document.activeElement.ariaLabel'), name);
    opened.assertNoProblems();
    await opened.close();
  });

  it('finds a variant, a feed and an Idempotency-Key in the search of everything', async () => {
    const { json: feeds } = await server.admin.get(`${base}/feeds`);
    const [{ feed_id: feedId }] = feeds.data;
    const opened = await open('/');
    const { page } = opened;
    const find = async (text: string, option: RegExp) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search' }).fill(text);
      const options = page.getByRole('option');
      await options.filter({ hasText: option }).waitFor();
      const texts = await options.allInnerTexts();
      for (let index = texts.findIndex((each) => option.test(each)); index > 0; index -= 1)
        await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
    };
    await page.getByRole('navigation', { name: 'Console' }).waitFor();
    await find(feedId, /Feed /);
    await page.waitForURL(`**/console${base}/feeds/${feedId}`);
    await find(teeVariant(0, 2), /Variant/);
    await page.waitForURL(`**${base}/products/${tee.id}?variant=${variantId(0, 2)}`);
    await page.getByText('out of stock').first().waitFor();
    await find(teeVariant(2, 2), /Deleted variant/);
    await page.getByText('The variant of this address was deleted.').waitFor();
    opened.assertNoProblems();
    await opened.close();
  });

  it('moves nothing that the search of everything shows when an answer comes late', async () => {
    const { page, close } = await open(base);
    await page.route('**/search?*', (route) => sleep(1000).then(() => route.continue()));
    const options = page.getByRole('option');
    await page.getByRole('button', { name: /^Search/ }).click();
    for (const [text, first, last] of [
      ['MUG', /Product/, /Explain its stock/],
      ['Feeds', /Page of the brand/, /Product BIRDS/],
    ] as const) {
      const searched = page.waitForResponse('**/search?*');
      await page.getByRole('combobox', { name: 'Search' }).fill(text);
      await options.filter({ hasText: first }).first().waitFor();
      const shown = await options.allInnerTexts();
      await searched;
      await options.filter({ hasText: last }).waitFor();
      assert.deepEqual((await options.allInnerTexts()).slice(0, shown.length), shown);
    }
    await close();
  });

  it('names the rule of each availability, marks stale stock, and knows inactive and deleted variants', async () => {
    const opened = await open(`${base}/products/${tee.id}`);
    const { page } = opened;
    await page.getByText('58 > threshold 5').waitFor();
    const texts = [
      [teeVariant(0, 0), 'in stock 43 > threshold 5'],
      [teeVariant(0, 1), 'low stock 3 ≤ threshold 5'],
      [teeVariant(0, 2), 'out of stock nothing available'],
      [teeVariant(1, 0), 'out of stock no active location'],
      [teeVariant(1, 1), 'stale 30 h old > limit 24 h'],
      [teeVariant(1, 2), 'no stock level'],
    ] as const;
    for (const [sku, rule] of texts) assert.match(await row(page, sku).innerText(), new RegExp(rule));
    assert.match(await row(page, teeVariant(2, 1)).innerText(), /inactive/);
    assert.equal(await row(page, teeVariant(2, 2)).count(), 0);
    assert.equal(await row(page, teeVariant(1, 1)).locator('[data-tone="warn"]').count(), 2);
    const closed = page.getByRole('columnheader', { name: 'CLOSED' });
    assert.equal(await closed.getAttribute('title'), 'CLOSED, inactive: not counted');
    opened.assertNoProblems();
    await opened.close();

    const searched = await open(`${base}/products?sku=${teeVariant(2, 2)}`);
    await row(searched.page, /deleted variant, keeps its SKU/).waitFor();
    await searched.page.keyboard.press('j');
    await searched.page.keyboard.press('Enter');
    await searched.page.getByText('The variant of this address was deleted.').waitFor();
    searched.assertNoProblems();
    await searched.close();
  });

  it('shows a product without variants, one without stock, and says what does not exist', async () => {
    const opened = await open(`${base}/products/${mug['tu_id']}`, {
      isExpected: (problem) => /404|503/.test(problem),
    });
    const { page } = opened;
    await row(page, /MUG.*low stock 3 ≤ threshold 5/).waitFor();
    await page.getByText('For large coffees').waitFor();
    await page.getByText('كوب').waitFor();
    await page.getByText('inactive (archived)').waitFor();
    const { tu_id: bare } = await shop.write('/products', { sku: 'BARE' });
    await page.goto(page.url().replace(String(mug['tu_id']), String(bare)));
    await page.getByText('This product has no stock level').waitFor();
    await page.goto(page.url().replace(String(bare), 'never-seen'));
    await page.getByText('The brand has no such product').waitFor();
    await page.route('**/catalog/products?*', (route) =>
      route.fulfill({ status: 503, json: { message: 'Down.' } }),
    );
    await page.getByRole('link', { name: 'All products' }).press('Enter');
    await page.getByRole('alert').getByText('Down.').waitFor();
    await page.unroute('**/catalog/products?*');
    await page.getByRole('button', { name: 'Try again' }).press('Enter');
    await row(page, /BARE/).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('tee');
    await page.keyboard.press('Enter');
    await page.getByText('No SKU begins like this').waitFor();
    opened.assertNoProblems();
    await opened.close();
  });

  it('finds products by a part of their title, with price, state and quantity, and explains a parent and an unknown SKU', async () => {
    const opened = await open(`${base}/products?title=TASSE`);
    const { page } = opened;
    await page.getByRole('heading', { name: 'Products whose title contains “TASSE”' }).waitFor();
    await row(page, /MUG Große Tasse product .*active .*3$/).waitFor();
    await opened.assertAccessible();
    await page.goto(`${server.internalUrl}/console${base}/explain?sku=TEE`);
    await page.getByText(/^TEE has \d+ variants: stock is kept under their SKUs$/).waitFor();
    await page.getByRole('link', { name: teeVariant(0, 0), exact: true }).press('Enter');
    await page.getByRole('link', { name: 'BERLIN' }).waitFor();
    await page.goto(`${server.internalUrl}/console${base}/explain?sku=MUGS`);
    await page.getByText('The brand has no SKU "MUGS"').waitFor();
    await page.getByText('Did you mean').waitFor();
    await page.getByRole('link', { name: 'MUG', exact: true }).waitFor();
    await page.goto(`${server.internalUrl}/console${base}/explain?sku=BARE`);
    await page.getByText('BARE has no level at any location yet').waitFor();
    opened.assertNoProblems();
    await opened.close();
  });

  it('keeps few rows of 500 variants at 50 locations in the document, and counts 10,000 products exactly', async () => {
    const large = await seedCatalog(server, 'Large');
    const empty = await open(`/brands/${large.brandId}/products`);
    await empty.page.getByText('No product yet').waitFor();
    empty.assertNoProblems();
    await empty.close();
    await insertProducts(server, large.brandId, 10_000);
    const codes = Array.from({ length: 50 }, (_, index) => `STORE-${String(index).padStart(2, '0')}`);
    await large.addLocations(codes);
    const grid = await large.addParent('GRID', 25, 20);
    const skus = [...grid.variants.keys()];
    await large.feed(
      'all',
      skus.flatMap((sku, line) => codes.map((code, column) => at(sku, code, line * 100 + column))),
    );

    const opened = await open(`/brands/${large.brandId}/products?sort=sku`);
    const { page } = opened;
    await page.getByText('1 to 50 of 10,001', { exact: true }).waitFor();
    await page.keyboard.press(']');
    await page.getByText('51 to 100 of 10,001', { exact: true }).waitFor();
    await page.goto(`${page.url().replace('page=2', 'page=201')}&variants=false`);
    await page.getByText('10,000').first().waitFor();
    await page.getByText('Page 200 of 200').or(page.getByText('Page 201 of 200')).waitFor();
    await page.goto(page.url().replace(/products\?.*/, `products/${grid.id}`));
    const table = page.getByRole('grid', { name: 'Quantity by variant and location' });
    await table.waitFor();
    assert.equal(await table.getAttribute('aria-rowcount'), '501');
    assert.equal(await table.getAttribute('aria-colcount'), '53');
    await page.keyboard.press('j');
    await page.keyboard.press('Control+End');
    const active = async () => page.evaluate('document.activeElement.ariaLabel');
    const last = grid.variants.size - 1;
    // A cell that is scrolled to comes into the document with the next frame.
    const isActive = (label: RegExp) =>
      waitFor(`the cell ${label}`, async () => label.test(String(await active())));
    await isActive(new RegExp(`^${skus[last]}, STORE-49: 49,949, 0 reserved, 49,949 available$`));
    await page.keyboard.press('PageUp');
    await page.keyboard.press('Home');
    await page.keyboard.press('k');
    await isActive(/, STORE-00: \d+,\d00, /);
    await page.evaluate('document.querySelector(".matrix-frame").scrollTo(0, 0)');
    await page.getByRole('rowheader', { name: /GRID-color-0-size-0/ }).waitFor();
    await page.keyboard.press('ArrowUp');
    // Keys go on from the cell that has left the document.
    await isActive(/, STORE-00: /);
    const counts = await page.evaluate(
      '[document.querySelectorAll(".matrix tr").length, document.querySelectorAll("[data-cell]").length]',
    );
    const [lines = 0, cells = 0] = counts as number[];
    assert.ok(lines > 10 && lines < 60, `${lines} of 500 rows are in the document`);
    assert.ok(cells < 1000, `${cells} of 25,000 cells are in the document`);
    opened.assertNoProblems();
    await opened.close();
  });

  it('has a focused quantity that is well made in every look', async () => {
    await inspect(`${base}/products/${tee.id}?variant=${variantId(0, 1)}`, 'product', (page) =>
      page.locator('[data-cell]:focus').waitFor(),
    );
  });
});
