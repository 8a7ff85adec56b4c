// processes: starts a browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { registerCanary } from '../../server/test/support/canaries.ts';
import { testAdminToken } from '../../server/test/support/test-apps.ts';
import { waitFor } from '../../server/test/support/wait-for.ts';
import { program, startConsole } from './support/console-kit.ts';

describe('the keyboard and the places of the console', { skip: program === null }, async () => {
  if (program === null) return;
  const { server, open, openSignedOut } = await startConsole();
  const { admin } = server;
  const { json: brand } = await admin.post('/brands', { name: 'Sunrise' });
  const { json: other } = await admin.post('/brands', { name: 'Other' });
  const base = `/brands/${brand.id}`;
  const scopes = ['catalog.products:read'];
  const soon = new Date(Date.now() + 10 * 86_400_000).toISOString();
  const { json: key } = await admin.post(`${base}/keys`, { name: 'ERP', scopes, expires_at: soon });
  await server.clientWith(key.api_key).get('/catalog/products');
  await admin.put(`${base}/users`, { items: [{ tu_id: 'ann' }] });
  const event = { event_id: 'e', kind: 'view', user: 'ann', content: { type: 'episode', tu_id: 'c' } };
  await admin.post(`${base}/events`, { items: [{ ...event, occurred_at: new Date().toISOString() }] });
  await server.keyUsage.flush();
  const hasFocus = (page: Page, place: string) =>
    waitFor(`the focus on ${place}`, () => page.evaluate(`document.activeElement.matches('${place}')`));

  it('chooses the first match of a filter by Enter, once it is found', async () => {
    const opened = await open('/audit');
    const { page } = opened;
    const held = Promise.withResolvers<void>();
    await page.route(/brands\?.*q=Sunr/, (route) => held.promise.then(() => route.continue()));
    await page.getByRole('combobox', { name: /^Brand: / }).click();
    await page.getByRole('combobox', { name: 'Brand', exact: true }).fill('Sunr');
    await page.getByText('Nothing found').waitFor();
    held.resolve();
    await page.getByRole('option', { name: 'Sunrise' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/audit?brand=${brand.id}`);
    opened.assertNoProblems();
    await opened.close();
  });

  it('keeps what is typed while the search is loaded', async () => {
    const opened = await open(base);
    const { page } = opened;
    await page.getByRole('heading', { name: 'Stock' }).waitFor();
    const held = Promise.withResolvers<void>();
    await page.route(/assets\/palette-/, async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('gb sunrise');
    held.resolve();
    await page
      .getByRole('option', { name: /^Nothing|Sunrise/ })
      .or(page.getByText('Nothing found.'))
      .first()
      .waitFor();
    assert.equal(await page.getByRole('combobox', { name: 'Search' }).inputValue(), 'gb sunrise');
    assert.ok(page.url().endsWith(base), page.url());
    opened.assertNoProblems();
    await opened.close();
  });

  it('leads from the list of limits to those of a key, and from Home to what a brand has', async () => {
    const opened = await open(`${base}/limits`);
    const { page } = opened;
    await page.getByRole('link', { name: /^ERP/ }).first().click();
    const title = page.getByRole('heading', { name: 'Rate limits' });
    await title.waitFor();
    await waitFor('the heading in view', async () =>
      title.evaluate((node) => {
        const { top } = node.getBoundingClientRect();
        return top >= 0 && top < innerHeight;
      }),
    );
    // A page of its own, where the links of earlier versions lead as well.
    const settings = `${server.internalUrl}/console${base}/settings`;
    await page.goto(`${server.internalUrl}/console${base}/limits`);
    await page.getByRole('link', { name: 'Change them' }).click();
    await page.waitForURL(`${settings}#own-limits`);
    for (const section of ['settings', 'own-limits']) {
      await page.goto(`${server.internalUrl}/console${base}?hours=72#${section}`);
      await page.waitForURL(`${settings}#${section}`);
      await page.getByLabel('Low stock threshold').waitFor();
    }
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill('set');
    for (const [option, end] of [
      [/^Set limits/, '#own-limits'],
      [/^Settings/, ''],
    ] as const) {
      const found = page.getByRole('option', { name: option });
      await found.waitFor();
      await found.click();
      await page.waitForURL(`${settings}${end}`);
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search' }).fill('set');
    }
    await page.goto(`${server.internalUrl}/console/`);
    const link = page.getByRole('link', { name: 'Sunrise 1' });
    assert.equal(await link.getAttribute('href'), `/console${base}/keys?state=expiring`);
    opened.assertNoProblems();
    await opened.close();
  });

  it('keeps the focus in the content: after a row, a creation and the sign-in, and on the first wrong field', async () => {
    const opened = await open('/brands', { isExpected: (problem) => problem.includes('422') });
    const { page } = opened;
    await page.getByRole('link', { name: 'Sunrise' }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Stock' }).waitFor();
    await hasFocus(page, '#content');
    await page.evaluate(`history.pushState(null, '', '/console/brands/new')`);
    await page.getByRole('heading', { level: 1, name: 'New brand' }).waitFor();
    await page.getByLabel('Name').fill('Wrong');
    await page.getByLabel('Currency').fill('xx');
    await page.getByLabel('Language').fill('?');
    await page.getByRole('button', { name: 'Create the brand' }).click();
    await page.locator('[aria-invalid]').first().waitFor();
    await hasFocus(page, '[aria-invalid]');
    assert.equal(await page.getByLabel('Currency').evaluate((node) => node === document.activeElement), true);
    await page.goto(`${server.internalUrl}/console${base}/keys/new`);
    await page.getByLabel('Name').fill('Made');
    await page.getByLabel('catalog.products:read').check();
    await page.getByRole('button', { name: 'Create the key' }).press('Enter');
    registerCanary((await page.locator('.secret code').innerText()).trim());
    await hasFocus(page, '#content');
    opened.assertNoProblems();
    await opened.close();

    const signedOut = await openSignedOut('/brands');
    await signedOut.page.getByLabel('Administrator token').fill(testAdminToken);
    await signedOut.page.keyboard.press('Enter');
    await signedOut.page.getByRole('link', { name: 'Sunrise' }).waitFor();
    await hasFocus(signedOut.page, '#content');
    await signedOut.close();
  });

  it('shows the changes of an opt-out at the learner, and not those of the same id in another brand', async () => {
    for (const { id } of [brand, other])
      await admin.put(`/brands/${id}/users`, { items: [{ tu_id: 'learner-1' }] });
    await admin.put(`/brands/${other.id}/users`, {
      items: [{ tu_id: 'learner-1', analytics_opt_out: true }],
    });
    const opened = await open(`${base}/learners/learner-1`);
    const { page } = opened;
    await page.getByText('No change of the opt-out is recorded.').waitFor();
    await page.getByRole('button', { name: 'Opt out' }).click();
    await page.getByRole('row', { name: /changed the opt-out/ }).waitFor();
    assert.equal(await page.getByText('No change of the opt-out is recorded.').count(), 0);
    opened.assertNoProblems();
    await opened.close();
  });

  it('has figures of one width in columns only, and charts that begin on one line', async () => {
    const opened = await open('/brands', { viewport: { width: 1440, height: 900 } });
    const { page } = opened;
    const numeric = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((node) => getComputedStyle(node).fontVariantNumeric);
    await page.getByRole('link', { name: 'Sunrise' }).waitFor();
    assert.deepEqual(
      [await numeric('h1'), await numeric('time'), await numeric('td[data-align=end]')],
      ['normal', 'normal', 'tabular-nums'],
    );
    await page.goto(`${server.internalUrl}/console/`);
    await page.locator('.chart .uplot').first().waitFor();
    // As if the first text were longer than its chart is wide.
    await page.evaluate(`document.querySelector('.charts p').append(' and more words'.repeat(9))`);
    const tops = await page
      .locator('.charts .chart')
      .evaluateAll((charts) => charts.map((chart) => Math.round(chart.getBoundingClientRect().top)));
    assert.ok(tops.length > 1);
    assert.equal(new Set(tops).size, 1, tops.join(', '));
    const baselines = await page
      .locator('.charts .u-over')
      .evaluateAll((plots) => plots.map((plot) => Math.round(plot.getBoundingClientRect().bottom)));
    assert.equal(new Set(baselines).size, 1, baselines.join(', '));
    // A bar of learning events leads to the datasets.
    const events = page.locator('.charts .u-over').last();
    const { width = 0, height = 0 } = (await events.boundingBox()) ?? {};
    await events.click({ position: { x: width * 0.97, y: height * 0.9 } });
    await page.waitForURL(/console\/datasets/);
    opened.assertNoProblems();
    await opened.close();
  });
});
