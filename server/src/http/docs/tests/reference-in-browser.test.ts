// nightly: a browser draws the references for a minute of processor time
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { buildPages } from '../../../../scripts/built-pages/build-pages.ts';
import { findViolations } from '../../../../test/support/browser/accessibility.ts';
import { findChromium, startChromium } from '../../../../test/support/browser/chromium.ts';
import { assertWellMadeInEveryLook } from '../../../../test/support/browser/every-look.ts';
import { openForm, sendForm } from '../../../../test/support/browser/try-operation.ts';
import { listenOn } from '../../../../test/support/raw-connection.ts';
import { createTestApps, testAdminToken } from '../../../../test/support/test-apps.ts';
import { waitFor } from '../../../../test/support/wait-for.ts';

const program = findChromium();
const desk = { width: 1280, height: 900 };
const phone = { width: 390, height: 844 };

describe('the reference in a browser', { skip: program === null }, async () => {
  if (program === null) return;
  await buildPages();
  const apps = await createTestApps();
  const { apiKey } = await apps.newBrand({ name: 'In a browser' });
  const clientPage = `http://127.0.0.1:${await listenOn(apps.clientApp)}/docs/`;
  const internalPage = `http://127.0.0.1:${await listenOn(apps.internalApp)}/internal/docs/`;
  const browser = await startChromium({ program });
  const token = (page: Page) => page.getByLabel('Bearer Token').first();

  for (const [name, url] of [
    ['client', clientPage],
    ['internal', internalPage],
  ] as const)
    it(`the ${name} reference is well made in every look`, async () => {
      const opened = await browser.open(url);
      const heading = (page: Page) => page.locator('.scalar-app').getByRole('heading', { level: 1 });
      await assertWellMadeInEveryLook(opened, { url, whenReady: (page) => heading(page).waitFor() });
      assert.equal(await opened.page.getByText('Proprietary').count(), 0, 'the licence is its first fact');
      await opened.close();
    });

  for (const [colorScheme, viewport] of [
    ['light', desk],
    ['dark', phone],
  ] as const)
    it(`shows its introduction before its script has run: ${colorScheme}, ${viewport.width} wide`, async () => {
      const opened = await browser.open('about:blank', { viewport, colorScheme });
      const { page } = opened;
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route('**/scalar.js*', async (route) => {
        await held;
        await route.continue();
      });
      await page.goto(clientPage, { waitUntil: 'commit' });
      await page.getByRole('heading', { level: 1, name: 'Brandport' }).waitFor();
      await page.getByText('Authorization: Bearer').first().waitFor();
      assert.equal(await page.locator('.scalar-app').count(), 0);
      assert.deepEqual(await findViolations(page), []);
      release();
      await page.locator('.scalar-app').getByRole('heading', { level: 1 }).waitFor();
      assert.equal(await page.locator('.introduction').count(), 0);
      await opened.close();
    });

  it('has no contrast too low on a phone in the dark, also far down', async () => {
    const opened = await browser.open(clientPage, { viewport: phone, colorScheme: 'dark' });
    const { page } = opened;
    for (const id of ['createProduct', 'submitStockFeed', 'listDailyMetrics']) {
      await page.evaluate(`location.hash = '#${id}'`);
      await page.locator(`[id$="/${id}"]`).first().waitFor();
      const faults = await findViolations(page);
      assert.deepEqual(
        faults.filter((fault) => fault.includes('contrast')),
        [],
        id,
      );
    }
    await opened.close();
  });

  it('sends requests of the client API with the token and a new key each, to where it came from', async () => {
    const opened = await browser.open(clientPage, { isExpected: (problem) => problem.includes('409') });
    const { page } = opened;
    await token(page).fill(apiKey);
    await openForm(page, 'createProduct');
    const first = await sendForm(page);
    assert.equal(first.url, new URL('/v1/client/catalog/products', clientPage).href);
    assert.deepEqual([first.status, first.json['sku']], [201, 'SCARF-001']);
    // With the same key, the first response would be replayed.
    const second = await sendForm(page);
    assert.deepEqual([second.status, second.json['code']], [409, 'duplicate_sku']);
    assert.notEqual(second.headers['idempotency-key'], first.headers['idempotency-key']);
    opened.assertNoProblems();
    await opened.close();
  });

  it('sends the optional parameters that are checked, typed or chosen; brings the response into view on a phone', async () => {
    const opened = await browser.open(clientPage, { viewport: phone });
    const { page } = opened;
    await token(page).fill(apiKey);
    await openForm(page, 'listProducts');
    assert.equal(new URL((await sendForm(page)).url).search, '');
    const response = page.locator('[role="dialog"] [aria-label="Response"]');
    await waitForView(response.locator('[aria-live="polite"]').getByText('200 OK').first(), 600);
    const row = (name: string) => page.locator(`[role="dialog"] tr[id="${name}"]`);
    const style =
      'getComputedStyle(document.querySelector("[role=dialog] #sku td:nth-child(3) [contenteditable]")';
    assert.equal(await page.evaluate(`${style}, '::before').content + ${style}).fontStyle`), '"e.g. "italic');
    await row('sku').locator('[contenteditable]').last().fill('MUG-1');
    await row('per_page').getByRole('checkbox').check();
    await row('is_active').getByRole('button', { name: 'true' }).click();
    await page.getByRole('menuitem', { name: 'false' }).click();
    await row('is_active').getByRole('button', { name: 'false' }).waitFor();
    assert.equal(new URL((await sendForm(page)).url).search, '?sku=MUG-1&is_active=false&per_page=50');
    assert.equal(await page.evaluate(`${style}).fontStyle`), 'normal');
    opened.assertNoProblems();
    await opened.close();
  });

  it('sends the key that was typed in, for a replay', async () => {
    const opened = await browser.open(clientPage);
    const { page } = opened;
    await token(page).fill(apiKey);
    await openForm(page, 'createStockLocation');
    const field = page.getByText('createStockLocation-2026-03-01-1', { exact: true }).last();
    await field.fill('typed');
    const sent = [await sendForm(page), await sendForm(page)];
    assert.deepEqual(
      sent.map(({ status, headers }) => [status, headers['idempotency-key']]),
      [
        [201, 'typed'],
        [201, 'typed'],
      ],
    );
    assert.deepEqual(sent[0]?.json, sent[1]?.json);
    await opened.close();
  });

  it('sends requests of the internal surface, with a key also where it is optional', async () => {
    const opened = await browser.open(internalPage);
    const { page } = opened;
    await token(page).fill(testAdminToken);
    await openForm(page, 'createBrand');
    const sent = [await sendForm(page), await sendForm(page)];
    assert.equal(sent[0]?.url, new URL('/internal/v1/brands', internalPage).href);
    assert.deepEqual(
      sent.map(({ status }) => status),
      [201, 201],
    );
    const ids = sent.map(({ json }) => json['id']);
    assert.notEqual(ids[0], ids[1]);
    opened.assertNoProblems();
    await opened.close();
  });

  it('forgets the token with the page, and stores nothing', async () => {
    const opened = await browser.open(clientPage);
    const { page } = opened;
    await token(page).fill(apiKey);
    await openForm(page, 'getCatalogStatus');
    assert.equal((await sendForm(page)).status, 200);
    const stored = `(async () => [{ ...localStorage }, { ...sessionStorage }, document.cookie,
      await indexedDB.databases(), await caches.keys()])()`;
    assert.deepEqual(await page.evaluate(stored), [{}, {}, '', [], []]);
    await page.reload();
    assert.equal(await token(page).inputValue(), '');
    opened.assertNoProblems();
    await opened.close();
  });

  // The links of error pages and guides.
  it('shows the operation that the address names, also while it is open', async () => {
    const opened = await browser.open(`${clientPage}#adjustStock`);
    const { page } = opened;
    const title = (id: string) => page.locator(`[id$="/${id}"]`).getByRole('heading').first();
    await waitForView(title('adjustStock'));
    await page.evaluate("location.hash = '#createProduct'");
    await waitForView(title('createProduct'));
    opened.assertNoProblems();
    await opened.close();
  });
});

async function waitForView(part: Locator, bottom = desk.height / 2): Promise<void> {
  await waitFor('a part of the page', async () => {
    const y = (await part.boundingBox())?.y ?? -1;
    return y > 0 && y < bottom;
  });
}
