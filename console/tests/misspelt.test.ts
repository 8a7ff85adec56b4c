// processes: starts a browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { choose, program, startConsole } from './support/console-kit.ts';

describe('misspelt names and filters in the console', { skip: program === null }, async () => {
  if (program === null) return;
  const { server, open } = await startConsole();
  const { admin } = server;
  const address = (path: string) => `${server.internalUrl}/console${path}`;
  const { json: brand } = await admin.post('/brands', { name: 'Sunrise' });
  for (const name of ['The Terminal', 'Twin', 'Twin']) await admin.post('/brands', { name });
  const scopes = ['catalog.products:read'];
  const { json: key } = await admin.post(`/brands/${brand.id}/keys`, { name: 'ERP', scopes });
  const client = server.clientWith(key.api_key);
  for (const id of ['refused', 'failed']) await client.get('/catalog/products/none', { 'x-request-id': id });
  await server.keyUsage.flush();
  await server.sql(`update refusals set status = 503 where request_id = 'failed'`);

  it('takes a class of statuses in the address of refused requests, and offers it', async () => {
    const opened = await open('/requests?status=5xx');
    const { page } = opened;
    await page.getByRole('combobox', { name: 'Status: 5xx' }).waitFor();
    await page.getByRole('cell', { name: '503' }).waitFor();
    assert.equal(await page.getByRole('cell', { name: '404' }).count(), 0);
    await choose(page, 'Status', '4xx');
    await page.waitForURL('**/requests?status=4xx');
    await page.getByRole('cell', { name: '404' }).waitFor();
    assert.equal(await page.getByRole('cell', { name: '503' }).count(), 0);
    await page.goto(address(`/brands/${brand.id}/refusals?status=5xx`));
    await page.getByRole('cell', { name: '503' }).waitFor();
    assert.equal(await page.getByRole('cell', { name: '404' }).count(), 0);
    opened.assertNoProblems();
    await opened.close();
  });

  it('takes the name of a brand in an address, if one brand has it', async () => {
    const opened = await open('/requests?brand=sunrise&status=4xx');
    const { page } = opened;
    await page.waitForURL((url) => url.searchParams.get('brand') === String(brand.id));
    await page.getByRole('combobox', { name: 'Brand: Sunrise' }).waitFor();
    await page.getByRole('combobox', { name: 'Status: 4xx' }).waitFor();
    assert.equal(await page.getByText('was not understood').count(), 0);
    opened.assertNoProblems();
    await opened.close();
  });

  it('says which parts of an address were not understood, and shows the page', async () => {
    const opened = await open('/audit?brand=Twin');
    const { page } = opened;
    await page
      .getByText('brand=Twin was not understood, and has no effect: 2 brands have this name.')
      .waitFor();
    await page.getByRole('row', { name: /created the key/ }).waitFor();
    await page.goto(address('/requests?brand=Nobody&status=600&page=1'));
    await page
      .getByText('brand=Nobody was not understood, and has no effect: no brand has this name.')
      .waitFor();
    await page.getByText('status=600 was not understood, and has no effect.').waitFor();
    await page.getByRole('cell', { name: '503' }).waitFor();
    assert.equal(await page.getByText('was not understood').count(), 2);
    await opened.assertAccessible();
    await page.reload();
    await page.getByText('status=600 was not understood').waitFor();
    await page.getByRole('link', { name: 'Remove it' }).first().click();
    await page.getByText('was not understood').nth(1).waitFor({ state: 'detached' });
    assert.equal(await page.getByText('was not understood').count(), 1);
    await choose(page, 'Status', '5xx');
    await page.getByText('was not understood').waitFor({ state: 'detached' });
    await page.waitForURL('**/requests?status=5xx');
    opened.assertNoProblems();
    await opened.close();
  });

  it('suggests the brand that is meant, in the list of brands and in the search', async () => {
    const opened = await open('/brands?search=sunrize', {
      isExpected: (problem) => problem.includes('ABORTED'),
    });
    const { page } = opened;
    await page.getByText('No brand has this name').waitFor();
    await page.getByText('Did you mean Sunrise?').waitFor();
    await opened.assertAccessible();
    await page.getByRole('main').getByRole('link', { name: 'Sunrise', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Sunrise' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill('terminl');
    await page.getByRole('option', { name: /Did you mean The Terminal\?/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'The Terminal' }).waitFor();
    opened.assertNoProblems();
    await opened.close();
  });
});
