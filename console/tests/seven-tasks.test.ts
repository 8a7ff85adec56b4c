// processes: starts a browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { registerCanary } from '../../server/test/support/canaries.ts';
import { testAdminToken } from '../../server/test/support/test-apps.ts';
import { waitFor } from '../../server/test/support/wait-for.ts';
import { program, startConsole } from './support/console-kit.ts';

describe('the usual tasks of an operator take few clicks', { skip: program === null }, async () => {
  if (program === null) return;
  const { server, open, openSignedOut } = await startConsole();
  const { admin } = server;
  const { json: brand } = await admin.post('/brands', { name: 'Busy' });
  const base = `/brands/${brand.id}`;
  const scopes = ['catalog.products:write', 'catalog.stock:write', 'catalog.stock:ingest'];
  const { json: key } = await admin.post(`${base}/keys`, { name: 'ERP', scopes });
  const client = server.clientWith(key.api_key);
  await client.create('/catalog/stock/locations', { external_code: 'WH' });
  await client.create('/catalog/products', { sku: 'TEE' });
  const lines = ['TEE', 'NONE'].map((sku) => ({ sku, location_code: 'WH', quantity: 7 }));
  const feed = { source: 'ERP', mode: 'snapshot', lines };
  const { json: sent } = await client.post('/catalog/stock/feeds', feed, { 'idempotency-key': 'night' });
  const isDone = async () => (await admin.get(`${base}/feeds/${sent.feed_id}`)).json.finished_at !== null;
  await waitFor('the feed', isDone);
  const day = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10);
  await admin.put(`${base}/users`, { items: [{ tu_id: 'u' }] });
  await admin.put(`${base}/contents`, { items: [{ type: 'episode', tu_id: 'c', name: 'C' }] });
  const event = { kind: 'view', user: 'u', content: { type: 'episode', tu_id: 'c' }, progress: 50 };
  const items = [{ ...event, event_id: 'e', occurred_at: `${day}T08:00:00Z` }];
  await admin.post(`${base}/events`, { items });

  /** Runs a task on a page, and returns its clicks. */
  async function clicksOf(
    path: string,
    task: (page: Page, click: (target: Locator) => Promise<void>) => Promise<unknown>,
  ): Promise<number> {
    const opened = await (path === 'sign-in' ? openSignedOut('/') : open(path));
    let clicks = 0;
    await task(opened.page, async (target) => {
      clicks += 1;
      await target.click();
    });
    await opened.close();
    return clicks;
  }

  it('to sign in: 1', async () => {
    const clicks = await clicksOf('sign-in', async (page, click) => {
      await page.getByLabel('Administrator token').fill(testAdminToken);
      await click(page.getByRole('button', { name: 'Sign in' }));
      await page.getByRole('heading', { name: 'Home' }).waitFor();
    });
    assert.equal(clicks, 1);
  });

  it('from Home to a new brand with a key: at most 7', async () => {
    const clicks = await clicksOf('/', async (page, click) => {
      await click(page.getByRole('link', { name: 'Brands' }));
      await click(page.getByRole('link', { name: 'New brand' }).first());
      await page.getByRole('heading', { name: 'New brand' }).waitFor();
      await page.getByLabel('Name').fill('Fresh');
      await click(page.getByRole('button', { name: 'Create the brand' }));
      await page.getByRole('heading', { name: 'New key' }).waitFor();
      await page.getByLabel('Name').fill('PIM');
      await click(page.getByRole('button', { name: 'All' }));
      await click(page.getByRole('button', { name: 'Create the key' }));
      const secret = page.locator('.secret code');
      await secret.waitFor();
      registerCanary((await secret.innerText()).trim());
      await click(page.getByRole('link', { name: 'I have stored the key' }));
    });
    assert.ok(clicks <= 7, String(clicks));
  });

  it('from Home to failed lines that are sent again: at most 5', async () => {
    const clicks = await clicksOf('/', async (page, click) => {
      await click(page.getByRole('link', { name: /1 failed line is left/ }));
      await click(page.getByRole('link', { name: 'night' }));
      await page.getByText('No product or variant of the brand has this SKU.').first().waitFor();
      await click(page.getByRole('button', { name: 'Re-queue the failed lines' }));
      await click(page.getByRole('alertdialog').getByRole('button', { name: 'Re-queue' }));
      await page.getByText('Sends again lines of').waitFor();
    });
    assert.ok(clicks <= 5, String(clicks));
  });

  it('from a product to why its stock is 7: at most 2', async () => {
    const clicks = await clicksOf(`${base}/products`, async (page, click) => {
      await click(page.getByRole('link', { name: 'TEE' }));
      await click(page.getByRole('link', { name: /TEE, WH: 7/ }));
      await page.getByRole('list', { name: 'From the quantity to its causes' }).waitFor();
    });
    assert.ok(clicks <= 2, String(clicks));
  });

  it('from a key to its successor: at most 5', async () => {
    const clicks = await clicksOf(`${base}/keys/${key.key_id}`, async (page, click) => {
      await click(page.getByRole('link', { name: 'Hand over' }));
      await click(page.getByRole('link', { name: 'Create it' }));
      await click(page.getByRole('button', { name: 'Create the key' }));
      const secret = page.locator('.secret code');
      await secret.waitFor();
      registerCanary((await secret.innerText()).trim());
      await click(page.getByRole('link', { name: 'Key stored. Continue' }));
      await page.getByText('Give the new key to the integration').waitFor();
    });
    assert.ok(clicks <= 5, String(clicks));
  });

  it('from a brand to a day that is aggregated again: at most 2', async () => {
    const clicks = await clicksOf(base, async (page, click) => {
      await click(page.getByRole('link', { name: 'Datasets' }).last());
      await click(page.getByRole('button', { name: 'Aggregate the day with uncounted events' }));
      await page.getByText('1 day is aggregated.').waitFor();
    });
    assert.ok(clicks <= 2, String(clicks));
  });

  it('from Home to who did what: 1', async () => {
    const clicks = await clicksOf('/', async (page, click) => {
      await click(page.getByRole('link', { name: 'Audit' }));
      await page.getByRole('row', { name: /created the brand.*Busy/ }).waitFor();
    });
    assert.equal(clicks, 1);
  });
});
