// processes: starts a browser
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { registerCanary } from '../../server/test/support/canaries.ts';
import { testAdminToken } from '../../server/test/support/test-apps.ts';
import { act, choose, program, startConsole } from './support/console-kit.ts';

describe('brands and keys in the console', { skip: program === null }, async () => {
  if (program === null) return;
  const { server, open, openSignedOut } = await startConsole();

  it('signs in by keyboard, says what is wrong with a token, and opens the page of the address', async () => {
    const opened = await openSignedOut('/brands');
    const { page } = opened;
    await page.getByLabel('Administrator token').waitFor();
    await opened.assertAccessible();
    await page.keyboard.type('not-the-token');
    await page.keyboard.press('Enter');
    await page.getByText('This token is not valid.').waitFor();
    await page.keyboard.type(testAdminToken);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Brands' }).waitFor();
    const stored = await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])');
    assert.ok(!String(stored).includes(testAdminToken));
    opened.assertNoProblems();
    await opened.close();
  });

  it('makes a brand and a key by keyboard, and shows the first calls of an integration when they arrive', async () => {
    const opened = await open('/');
    const { page } = opened;
    await page.getByRole('navigation', { name: 'Console' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('b');
    await page.getByText('No brand yet').waitFor();
    await page.getByRole('link', { name: 'New brand' }).first().press('Enter');
    // The page of the link is loaded first; the one it leaves has a field with a similar label.
    await page.getByRole('heading', { name: 'New brand' }).waitFor();
    await page.getByLabel('Name').fill('Maison Zoë & Söhne');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'New key' }).waitFor();
    await page.getByLabel('Name').fill('PIM');
    await page.getByLabel('catalog.products:read').press('Space');
    await page.getByLabel('Name').press('Enter');
    await page.getByRole('heading', { name: 'This key is shown once' }).waitFor();
    const apiKey = (await page.locator('.secret code').innerText()).trim();
    registerCanary(apiKey);
    assert.match(apiKey, /^tuk_[0-9a-f]{24}\.\w{40}$/);
    await page.getByText('Scopes: catalog.products:read').waitFor();
    assert.ok(!(await page.locator('pre').innerText()).includes(apiKey), 'the text to send has no secret');
    await page.getByText('Waiting for the first call').waitFor();
    const integration = server.clientWith(apiKey);
    assert.equal((await integration.get('/catalog/products')).status, 200);
    assert.equal((await integration.get('/catalog/stock/locations')).status, 403);
    await page.getByText('The first call has arrived').waitFor();
    await page.getByText('listProducts').waitFor();
    await page.getByRole('link', { name: 'I have stored the key' }).press('Enter');
    await page.getByRole('heading', { name: 'PIM' }).waitFor();
    await page.getByRole('cell', { name: 'listProducts' }).waitFor();
    assert.ok(!(await page.content()).includes(apiKey), 'the key is shown once');
    opened.assertNoProblems();
    await opened.close();
  });

  it('renames a key and takes a scope away, and revokes several keys of all brands at once', async () => {
    const { brandId, keyId } = await newBrand('Edited');
    const opened = await open(`/brands/${brandId}/keys/${keyId}`);
    const { page } = opened;
    await act(page, 'Edit');
    const dialog = page.getByRole('dialog', { name: 'Edit ERP' });
    await dialog.getByLabel('Name').fill('ERP of Lyon');
    await dialog.getByLabel('catalog.stock:write').uncheck();
    await opened.assertAccessible();
    await dialog.getByRole('button', { name: 'Save the key' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Take away' }).click();
    await page.getByRole('heading', { name: 'ERP of Lyon' }).waitFor();
    await page.getByRole('row', { name: /updated the key/ }).waitFor();
    const { json: key } = await server.admin.get(`/keys/${keyId}`);
    assert.deepEqual([key.name, key.scopes], ['ERP of Lyon', ['catalog.products:read']]);
    await server.admin.post(`/brands/${brandId}/keys`, { name: 'ERP of Nice', scopes: key.scopes });
    await page.goto(`${server.internalUrl}/console/keys?q=ERP+of`);
    await page.getByText('2 rows').waitFor();
    await page.getByRole('columnheader').getByRole('link', { name: /^Name/ }).click();
    await page
      .getByRole('columnheader', { name: 'Name', exact: false })
      .and(page.locator('[aria-sort=ascending]'))
      .waitFor();
    const all = page.getByLabel('Select all rows of this page');
    await page.getByLabel('Select ERP of Lyon').check();
    assert.equal(await all.isChecked(), false);
    await page.getByLabel('Select ERP of Nice').click({ modifiers: ['Shift'] });
    assert.equal(await all.isChecked(), true);
    await all.click();
    await page.getByText('keys are selected').waitFor({ state: 'detached' });
    await all.check();
    await page.getByText('2 keys are selected').waitFor();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('dialog', { name: 'Columns' }).getByLabel('Scopes').uncheck();
    await opened.assertAccessible();
    await page.keyboard.press('Escape');
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV' }).click();
    const download = await downloading;
    assert.equal(download.suggestedFilename(), 'api-keys.csv');
    const head = (await readFile(await download.path(), 'utf8')).split('\r\n')[0];
    assert.equal(head, '"Name","Brand","Key id","State","Last used","Last refused","Scopes","Expires"');
    await page.getByRole('button', { name: 'Revoke them' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke them' }).click();
    await page.getByText('2 keys are revoked.').waitFor();
    await choose(page, 'State', 'Active');
    await page.getByText('No key matches the filters').waitFor();
    await page.getByRole('link', { name: 'Clear the filters' }).click();
    await page.getByRole('link', { name: 'ERP of Nice' }).waitFor();
    assert.equal(await page.getByRole('columnheader', { name: 'Scopes' }).count(), 0, 'also after a reload');
    opened.assertNoProblems();
    await opened.close();
  });

  it('keeps what was typed when the session ends, and saves it after the next sign-in', async () => {
    const { brandId } = await newBrand('Typed into');
    const opened = await open(`/brands/${brandId}/settings`, {
      isExpected: (problem) => problem.includes('401'),
    });
    const { page } = opened;
    await page.getByLabel('Low stock threshold').fill('9');
    await page.context().clearCookies();
    await page.getByLabel('Low stock threshold').press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.waitFor();
    assert.equal(await page.locator('input[value="9"]').count(), 1);
    await page.keyboard.type(testAdminToken);
    await page.keyboard.press('Enter');
    await page.getByText('The settings are saved.').waitFor();
    const { json } = await server.admin.get(`/brands/${brandId}`);
    assert.equal(json.settings.low_stock_threshold, 9);
    opened.assertNoProblems();
    await opened.close();
  });

  async function newBrand(name: string): Promise<{ brandId: number; keyId: string }> {
    const { json: brand } = await server.admin.post('/brands', { name });
    const scopes = ['catalog.products:read', 'catalog.stock:write'];
    const { json: key } = await server.admin.post(`/brands/${brand.id}/keys`, { name: 'ERP', scopes });
    return { brandId: brand.id, keyId: key.key_id };
  }
});
