// nightly: looks at every guide in a browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildPages } from '../../../../scripts/built-pages/build-pages.ts';
import { findChromium, startChromium } from '../../../../test/support/browser/chromium.ts';
import { assertWellMadeInEveryLook } from '../../../../test/support/browser/every-look.ts';
import { phone } from '../../../../test/support/browser/watched-page.ts';
import { listenOn } from '../../../../test/support/raw-connection.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { waitFor } from '../../../../test/support/wait-for.ts';

const program = findChromium();

describe('the guides in a browser', { skip: program === null }, async () => {
  if (program === null) return;
  await buildPages();
  const apps = await createTestApps();
  const client = `http://127.0.0.1:${await listenOn(apps.clientApp)}`;
  const internal = `http://127.0.0.1:${await listenOn(apps.internalApp)}/internal`;
  const browser = await startChromium({ program });

  // All pages come from one template: these have every kind of content.
  const pages = [
    `${client}/docs/guides/`,
    `${client}/docs/guides/push-products`,
    `${client}/docs/guides/errors/rate_limited`,
    `${client}/docs/search?q=stock`,
    `${client}/docs/search?q=xyzzyplugh`,
    `${internal}/docs/guides/operators/internal-surface`,
  ];
  for (const url of pages)
    it(`${new URL(url).pathname} is well made in every look`, async () => {
      const opened = await browser.open(url);
      await assertWellMadeInEveryLook(opened, {
        url,
        whenReady: (page) => page.locator('main h1').waitFor(),
      });
      await opened.close();
    });

  it('let the keyboard skip to the content and scroll wide code', async () => {
    const opened = await browser.open(`${client}/docs/guides/push-products`, { viewport: phone });
    const { page } = opened;
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate('document.activeElement.className'), 'skip');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate('location.hash'), '#main');
    const wide = page.locator('pre').first();
    await wide.focus();
    await page.keyboard.press('ArrowRight');
    // Not by `waitForFunction`, which evaluates its text within the page: its policy forbids that.
    await waitFor(
      'the code to scroll',
      async () => Number(await page.evaluate('document.activeElement.scrollLeft')) > 0,
    );
    opened.assertNoProblems();
    await opened.close();
  });

  it('copy the code of a block, and search with the keyboard', async () => {
    const opened = await browser.open(`${client}/docs/guides/quick-start`);
    const { page } = opened;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const block = page.locator('.code').nth(1);
    await block.getByRole('button').click();
    await block.getByText('Copied').waitFor();
    assert.equal(
      await page.evaluate('navigator.clipboard.readText()'),
      await block.locator('code').innerText(),
    );
    await page.getByLabel('Search the documentation').fill('webhook');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/search?q=webhook');
    await page.locator('.results a').first().click();
    await page.waitForURL('**/docs/guides/webhooks*');
    assert.match(await page.locator('main').innerText(), /There are none/);
    opened.assertNoProblems();
    await opened.close();
  });
});
