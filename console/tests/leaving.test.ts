// nightly: leaves every form in a browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { waitFor } from '../../server/test/support/wait-for.ts';
import { act, program, startConsole } from './support/console-kit.ts';

/** Types into a form of a page. */
type Fill = (page: Page) => Promise<unknown>;

const text =
  (label: string, value: string): Fill =>
  (page) =>
    page.getByLabel(label, { exact: true }).fill(value);

/** Each way out of a page, up to the question. */
const waysOut: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  link: (page) => homeLink(page).click(),
  keyboard: async (page) => {
    await homeLink(page).focus();
    await page.keyboard.press('Enter');
  },
  back: (page) => page.evaluate('history.back()'),
};

/** Waits until React has rendered what was typed, and the guard knows of it: a person is not as fast as a script. */
const rendered = (page: Page) =>
  page.evaluate(
    'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 100))))',
  );

const homeLink = (page: Page) =>
  page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Home' });

// [D303]
describe('leaving a form of the console', { skip: program === null }, async () => {
  if (program === null) return;
  const { server, open } = await startConsole();
  const { admin } = server;
  const { json: brand } = await admin.post('/brands', { name: 'Left' });
  const base = `/brands/${brand.id}`;
  const scopes = ['catalog.products:write', 'catalog.stock:ingest'];
  const { json: key } = await admin.post(`${base}/keys`, { name: 'ERP', scopes });
  const client = server.clientWith(key.api_key);
  const body = {
    source: 'ERP',
    mode: 'snapshot',
    lines: [{ sku: 'NONE', location_code: 'WH', quantity: 1 }],
  };
  const { json: sent } = await client.post('/catalog/stock/feeds', body, { 'idempotency-key': 'failing' });
  const feed = `${base}/feeds/${sent.feed_id}`;
  await waitFor('the end of the feed', async () => (await admin.get(feed)).json.finished_at);
  const corrected = Buffer.from('number,sku,location_code,quantity\n1,NONE,WH,2\n');

  const forms: readonly (readonly [name: string, path: string, fill: Fill])[] = [
    ['a new brand', '/brands/new', text('Name', 'Unwanted')],
    ['settings of a brand', `${base}/settings`, text('Low stock threshold', '999')],
    ['limits of a brand', `${base}/settings`, text('Requests to the catalog a minute', '5')],
    ['a new key', `${base}/keys/new`, text('Name', 'Unwanted')],
    [
      'a new key with scopes',
      `${base}/keys/new`,
      async (page) => {
        await text('Name', 'Unwanted')(page);
        await page.getByRole('button', { name: 'All', exact: true }).click();
      },
    ],
    ['limits of a key', `${base}/keys/${key.key_id}`, text('Writes of the catalog a minute', '5')],
    ['a new administrator', '/administrators/new', text('Name', 'Unwanted')],
    ['a list of opt-outs', `${base}/learners/opt-out`, (page) => page.locator('textarea').fill('learner-1')],
    [
      'a correction',
      feed,
      (page) =>
        page
          .locator('input[type=file]')
          .setInputFiles({ name: 'lines.csv', mimeType: 'text/csv', buffer: corrected }),
    ],
    [
      'an edited key',
      `${base}/keys/${key.key_id}`,
      async (page) => {
        await act(page, 'Edit');
        await page.getByRole('dialog').getByLabel('Name').fill('Unwanted');
      },
    ],
  ];

  for (const [name, path, fill] of forms)
    it(`writes nothing: ${name}`, async () => {
      const opened = await open('/jobs');
      const { page } = opened;
      const writes: string[] = [];
      page.on('request', (request) => {
        if (request.method() !== 'GET') writes.push(`${request.method()} ${request.url()}`);
      });
      const audited = async () => (await admin.get('/audit?exclude=session&per_page=1')).json.meta.total;
      const before = await audited();
      for (const [way, leave] of Object.entries(waysOut)) {
        // The page behind a dialog has no links to follow.
        if (name === 'an edited key' && way !== 'back') continue;
        await page.goto(`${server.internalUrl}/console/jobs`);
        await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor();
        // As a link does: Back then stays inside of the console.
        await page.evaluate(`history.pushState(null, '', '/console${path}')`);
        await page.waitForURL((url) => url.pathname.endsWith(path));
        await fill(page);
        await rendered(page);
        await leave(page);
        const question = page.getByRole('alertdialog', { name: 'Leave this page?' });
        await question.getByText('What you have typed is not saved.').waitFor();
        if (way === 'keyboard') {
          // The focus is on Cancel.
          await page.keyboard.press('Shift+Tab');
          await page.keyboard.press('Enter');
        } else await question.getByRole('button', { name: 'Leave' }).click();
        await question.waitFor({ state: 'hidden' });
        await page.waitForURL((url) => !url.pathname.endsWith(path), { waitUntil: 'commit' });
        await page.getByRole('heading', { level: 1 }).first().waitFor();
        assert.deepEqual(writes, [], way);
      }
      assert.equal(await audited(), before);
      await opened.close();
    });
});
