// nightly: forms in a browser whose reads fail, come late or need a new sign-in
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { registerCanary } from '../../server/test/support/canaries.ts';
import { testAdminToken } from '../../server/test/support/test-apps.ts';
import { act, program, startConsole } from './support/console-kit.ts';

const minuteMs = 60_000;
const isAway = (problem: string) => /ERR_|503|401/.test(problem);

/** Each outcome of the background reads of the session and of the brand. */
const fates = {
  failing: (page: Page, url: RegExp) =>
    page.route(url, (route) =>
      route.request().method() === 'GET' ? route.fulfill({ status: 503 }) : route.fallback(),
    ),
  late: (page: Page, url: RegExp) =>
    page.route(url, (route) => (route.request().method() === 'GET' ? undefined : route.fallback())),
  unauthenticated: (page: Page, url: RegExp) =>
    page.route(url, (route) =>
      route.request().method() === 'GET'
        ? route.fulfill({ status: 401, json: { message: 'ended', code: 'unauthenticated' } })
        : route.fallback(),
    ),
} as const;

// [D303]
describe('a page of the console whose reads are not answered', { skip: program === null }, async () => {
  if (program === null) return;
  const { server, open } = await startConsole();
  const { admin, clock } = server;
  const { json: brand } = await admin.post('/brands', { name: 'Unreached' });
  const base = `/brands/${brand.id}`;
  await admin.put(`${base}/users`, {
    items: ['failing', 'late', 'unauthenticated'].map((tu_id) => ({ tu_id })),
  });
  const reads = new RegExp(`/console/session$|/internal/v1/brands/${brand.id}$`);
  const read = (page: Page) => page.evaluate(`dispatchEvent(new Event('visibilitychange'))`);
  const dialog = (page: Page) => page.getByRole('dialog', { name: 'Your session has ended' });

  /** Waits for what the page says about its reads, lets them work again, and waits until it says nothing. */
  async function recover(page: Page, fate: keyof typeof fates): Promise<void> {
    if (fate === 'failing') await page.getByText(/^Not reached since \d\d:\d\d UTC/).waitFor();
    if (fate === 'unauthenticated') await dialog(page).waitFor();
    await page.unroute(reads);
    if (fate === 'unauthenticated') {
      await dialog(page).getByLabel('Administrator token').fill(testAdminToken);
      await dialog(page).getByRole('button', { name: 'Sign in' }).click();
      await dialog(page).waitFor({ state: 'hidden' });
    }
    if (fate === 'failing') await page.getByText(/^Not reached since/).waitFor({ state: 'hidden' });
  }

  for (const fate of Object.keys(fates) as (keyof typeof fates)[]) {
    it(`keeps typed text, ${fate}`, async () => {
      const opened = await open(`${base}/settings`, { isExpected: isAway });
      const { page } = opened;
      await page.clock.install();
      await page.reload();
      await page.getByLabel('Low stock threshold').fill('77');
      await fates[fate](page, reads);
      await page.clock.fastForward(11 * minuteMs);
      await page.mouse.move(300, 300);
      await page.clock.runFor(3000);
      if (fate !== 'late') page.clock.runFor(8000).catch(() => {});
      await recover(page, fate);
      assert.equal(await page.getByLabel('Low stock threshold').inputValue(), '77');
      await opened.close();
    });

    it(`shows a new key and a token once, ${fate}`, async () => {
      for (const [path, kind] of [
        [`${base}/keys/new`, 'key'],
        ['/administrators/new', 'administrator'],
      ] as const) {
        const opened = await open(path, { isExpected: isAway });
        const { page } = opened;
        await page.getByLabel('Name').fill(`${kind} ${fate}`);
        if (kind === 'key') await page.getByLabel('catalog.products:read').check();
        await fates[fate](page, reads);
        await page.getByRole('button', { name: /^Create the/ }).click();
        const secret = page.locator('.secret code');
        await secret.waitFor();
        const shown = (await secret.innerText()).trim();
        registerCanary(shown);
        await recover(page, fate);
        assert.equal((await secret.innerText()).trim(), shown);
        await opened.close();
      }
    });

    it(`keeps the receipt of an erasure, ${fate}`, async () => {
      const opened = await open(`${base}/learners/${fate}`, { isExpected: isAway });
      const { page } = opened;
      await act(page, 'Erase');
      await page.getByLabel(/to confirm$/).fill(fate);
      await page.getByRole('alertdialog').getByRole('button', { name: 'Erase' }).click();
      await page.getByRole('heading', { level: 1, name: fate }).waitFor();
      const saved = page.getByRole('link', { name: 'Save' });
      await saved.waitFor();
      await fates[fate](page, reads);
      await read(page);
      await saved.waitFor();
      await opened.close();
    });
  }

  it('asks for the token above typed text after 61 minutes of rest', async () => {
    const opened = await open(`${base}/settings`, { isExpected: isAway });
    const { page } = opened;
    await page.clock.install();
    await page.reload();
    await page.getByLabel('Low stock threshold').fill('78');
    clock.advance(61 * minuteMs);
    await page.clock.fastForward(61 * minuteMs);
    await page.mouse.move(320, 320);
    await dialog(page).waitFor();
    await opened.assertAccessible();
    await recover(page, 'unauthenticated');
    assert.equal(await page.getByLabel('Low stock threshold').inputValue(), '78');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The settings are saved.').waitFor();
    assert.equal((await admin.get(base)).json.settings.low_stock_threshold, 78);
    await opened.close();
  });
});
