// processes: starts a server and a browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { program, startConsole } from './support/console-kit.ts';

describe('the look-up of a request in the console', { skip: program === null }, async () => {
  if (program === null) return;
  const { server, open, inspect } = await startConsole();
  const { json: brand } = await server.admin.post('/brands', { name: 'Traced' });
  const scopes = ['catalog.products:write', 'catalog.stock:write', 'catalog.stock:ingest'];
  const { json: key } = await server.admin.post(`/brands/${brand.id}/keys`, { name: 'ERP', scopes });
  const client = server.clientWith(key.api_key);
  assert.equal((await client.post('/catalog/stock/locations', { external_code: 'WH' })).status, 201);
  const { json: product } = await client.create('/catalog/products', { sku: 'TEE' });
  const adjustPath = `/catalog/products/${product.tu_id}/stock/adjust`;
  const adjusted = await client.create(adjustPath, { location: 'WH', quantity: 1234 });
  assert.equal(adjusted.status, 200, adjusted.text);
  const requestId = String(adjusted.headers['x-request-id']);

  it('leads from a pasted id to what the request wrote, and on to the key', async () => {
    const opened = await open(`/brands/${brand.id}`, {
      isExpected: (problem) => /ERR_ABORTED|404/.test(problem),
    });
    const { page } = opened;
    await page.getByRole('heading', { name: 'Traced' }).waitFor();
    const search = page.getByRole('combobox', { name: 'Search' });
    const option = (name: RegExp) => page.getByRole('option', { name });
    await page.keyboard.press('Control+k');
    await search.fill('no request/id');
    await page.getByText('Nothing found.').waitFor();
    await search.fill(requestId);
    await option(/Request id/).waitFor();
    await option(/Idempotency-Key/).waitFor();
    assert.equal(await page.getByRole('option').count(), 2);
    await page.keyboard.press('Enter');
    const step = (kind: string) => page.getByRole('listitem').filter({ hasText: kind });
    await step('Movement').getByText('0 → 1,234').waitFor();
    assert.match(await step('Movement').innerText(), /TEE at WH/);
    assert.match(await step('Response').innerText(), new RegExp(`POST .*${adjustPath} 200`));
    assert.ok(page.url().endsWith(`/console/requests/${requestId}`), page.url());
    await step('Movement').getByRole('link', { name: /tuk_/ }).press('Enter');
    await page.getByRole('heading', { name: 'ERP' }).waitFor();
    opened.assertNoProblems();
    await opened.close();
  });

  it('leads from a line of the audit to the request', async () => {
    const opened = await open(`/audit?resource=${key.key_id}`);
    const { page } = opened;
    await page
      .getByRole('row', { name: /api_key\.create/ })
      .locator('a[href*="/requests/"]')
      .press('Enter');
    await page.getByText('api_key.create').waitFor();
    await page.getByRole('link', { name: /tuk_/ }).waitFor();
    opened.assertNoProblems();
    await opened.close();
  });

  it('says that a request has written nothing, without an error', async () => {
    const opened = await open('/requests/never-seen-1', { isExpected: (problem) => problem.includes('404') });
    await opened.page.getByText('No request with this id has written anything').waitFor();
    await opened.assertAccessible();
    opened.assertNoProblems();
    await opened.close();
  });

  it('looks well on a desk by day and on a phone by night', async () => {
    await inspect(`/requests/${requestId}`, 'request', (page) => page.getByText('0 → 1,234').waitFor());
  });
});
