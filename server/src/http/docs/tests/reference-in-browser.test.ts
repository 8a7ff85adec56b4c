// processes: starts a browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findChromium, startChromium } from '../../../../test/support/browser/chromium.ts';
import { tryOperation } from '../../../../test/support/browser/try-operation.ts';
import { phone } from '../../../../test/support/browser/watched-page.ts';
import { listenOn } from '../../../../test/support/raw-connection.ts';
import { createTestApps, testAdminToken } from '../../../../test/support/test-apps.ts';

const program = findChromium();

describe('the reference in a browser', { skip: program === null }, async () => {
  if (program === null) return;
  const apps = await createTestApps();
  const { apiKey, brandId } = await apps.newBrand({ name: 'In a browser' });
  const listeners = [
    { name: 'client', url: `http://127.0.0.1:${await listenOn(apps.clientApp)}/docs/` },
    { name: 'internal', url: `http://127.0.0.1:${await listenOn(apps.internalApp)}/internal/docs/` },
  ] as const;
  const [{ url: clientPage }, { url: internalPage }] = listeners;
  const browser = await startChromium({ program });

  const desk = { width: 1280, height: 900 };
  // All sections come from the same templates: three with everything open have every kind of content.
  const openSections = `for (const section of [...document.querySelectorAll('.operation')].slice(0, 3))
    for (const details of section.querySelectorAll('details')) details.open = true;`;
  const openAll = `for (const one of document.querySelectorAll('details')) one.open = true;`;
  // Axe takes many seconds for the whole page; the colours of the night are those of three sections.
  const keepThree = `for (const one of [...document.querySelectorAll('.operation')].slice(3)) one.remove();`;

  for (const { name, url } of listeners)
    it(`the ${name} reference obeys its policy and is accessible, on a desk by day and on a phone by night`, async () => {
      const opened = await browser.open(url, { viewport: desk });
      const { page } = opened;
      await page.evaluate(openSections);
      await opened.assertAccessible();
      await page.evaluate(openAll);
      for (const viewport of [desk, phone]) {
        await page.setViewportSize(viewport);
        const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
        assert.equal(await page.evaluate(overflow), 0, 'scrolls sideways');
      }
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.evaluate(keepThree);
      await opened.assertAccessible();
      opened.assertNoProblems();
      await opened.close();
    });

  it('sends requests of the client API with the key, and shows the answers', async () => {
    const opened = await browser.open(clientPage);
    const { page } = opened;
    await page.getByLabel('Token for').fill(apiKey);
    const body = JSON.stringify({ sku: 'TRIED', title: 'Größe <b>&amp; "Form"' });
    const created = await tryOperation(page, 'createProduct', { Body: body });
    assert.match(created, /^201 Created in \d+ ms/);
    assert.ok(created.includes('"title": "Größe <b>&amp; \\"Form\\""'), created);
    const again = await tryOperation(page, 'createProduct', { Body: body.replace('TRIED', 'SECOND') });
    assert.match(again, /^201 /, 'each write has its own key');
    const list = await tryOperation(page, 'listProducts', { sku: 'TRIED' });
    assert.match(list, /^200 OK[\s\S]*"total": 1\b/);
    const [, id = ''] = created.match(/"tu_id": "([^"]+)"/) ?? [];
    const one = await tryOperation(page, 'getProduct', { tuId: id });
    assert.match(one, /^200 OK[\s\S]*"sku": "TRIED"/);
    opened.assertNoProblems();
    const missing = await tryOperation(page, 'getProduct', { tuId: 'a/b?c=d' });
    assert.match(missing, /^404 Not Found[\s\S]*"code": "not_found"/);
    await opened.close();
  });

  it('sends requests of the internal surface with the admin token, streams too', async () => {
    const opened = await browser.open(internalPage);
    const { page } = opened;
    await page.getByLabel('Token for').fill(testAdminToken);
    assert.match(await tryOperation(page, 'listBrands'), /^200 OK[\s\S]*"name": "In a browser"/);
    const form = page.locator('section[aria-labelledby="postLearningEvents"] .try');
    await form.locator('> summary').click();
    await form.getByLabel('Content type').selectOption('application/x-ndjson');
    assert.doesNotMatch(await form.getByLabel('Body').inputValue(), /"items"/);
    const taken = await tryOperation(page, 'postLearningEvents', { id: String(brandId) });
    assert.match(taken, /^200 OK[\s\S]*"rejected_count": 1/);
    opened.assertNoProblems();
    await opened.close();
  });

  it('filters the operations, forgets the token, and shows the address in the examples', async () => {
    const opened = await browser.open(clientPage);
    const { page } = opened;
    await page.getByLabel('Token for').fill(apiKey);
    await page.getByLabel('Filter operations').fill('list products');
    assert.deepEqual(await page.locator('nav li:visible').allInnerTexts(), ['List products\nGET']);
    const example = await page.locator('section[aria-labelledby="listProducts"] .curl').innerText();
    assert.ok(example.startsWith(`curl "${new URL('/v1/client/catalog/products', clientPage)}"`), example);
    await page.reload();
    assert.equal(await page.getByLabel('Token for').inputValue(), '');
    opened.assertNoProblems();
    await opened.close();
  });
});
