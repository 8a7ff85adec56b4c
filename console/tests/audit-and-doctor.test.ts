// processes: starts a browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { registerCanary } from '../../server/test/support/canaries.ts';
import { choose, program, startConsole, type } from './support/console-kit.ts';

describe('audit and doctor in the console', { skip: program === null }, async () => {
  if (program === null) return;
  const { server, open } = await startConsole();
  const { json: brand } = await server.admin.post('/brands', { name: 'Audited' });
  const { json: other } = await server.admin.post('/brands', { name: 'Zweite' });
  const scopes = ['catalog.products:read'];
  const { json: key } = await server.admin.post(`/brands/${brand.id}/keys`, { name: 'ERP', scopes });
  await server.admin.patch(`/brands/${brand.id}`, { settings: { low_stock_threshold: 12 } });
  await server.admin.post(`/keys/${key.key_id}/revoke`);

  it('shows who changed a setting, from what to what, and finds all changes of one key', async () => {
    const opened = await open('/brands');
    const { page } = opened;
    await page.getByRole('link', { name: 'Audited' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('a');
    const change = page.getByRole('row', { name: /updated the brand/ });
    await change.waitFor();
    assert.match(await change.innerText(), /admin-token[\s\S]*settings\.low_stock_threshold 5 12/);
    await page.getByLabel('Resource id').fill(key.key_id);
    await page.keyboard.press('Enter');
    await page.getByText('2 rows').waitFor();
    assert.ok(page.url().includes(`resource_id=${key.key_id}`), 'the filter is in the address');
    const actions = await page.locator('tbody strong').allInnerTexts();
    assert.deepEqual(actions, ['revoked the key', 'created the key']);
    await type(page, 'Who', 'nobody');
    await page.getByText('No change matches the filters').waitFor();
    await page.getByRole('link', { name: 'Clear the filters' }).press('Enter');
    await change.waitFor();
    const { json: ada } = await server.admin.post('/administrators', {
      name: 'Ada',
      role: 'administrator',
      brand_ids: null,
    });
    registerCanary(ada.token);
    const patched = await fetch(`${server.internalUrl}/internal/v1/brands/${other.id}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Zweite', settings: { low_stock_threshold: 6 } }),
    });
    assert.equal(patched.status, 200);
    await choose(page, 'Brand', 'Zweite');
    await page.getByRole('combobox', { name: 'Brand: Zweite' }).waitFor();
    await page.getByRole('row', { name: /Ada.*updated the brand/ }).waitFor();
    await page.getByRole('button', { name: 'Remove the filter Brand' }).click();
    await change.first().waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'CSV' }).press('Enter');
    assert.equal((await download).suggestedFilename(), 'audit.csv');
    assert.equal(await (await download).failure(), null);
    opened.assertNoProblems();
    await opened.close();
  });

  it('runs the doctor, and says that all is well', async () => {
    const opened = await open('/doctor');
    const { page } = opened;
    await page.getByText('The doctor has not run yet').waitFor();
    await page.getByRole('button', { name: 'Run the doctor' }).press('Enter');
    await page.getByText('The last run found no difference.').waitFor();
    opened.assertNoProblems();
    await opened.close();
  });

  it('finds a brand, a key and a page in the search of everything', async () => {
    // What is typed on cancels the requests for what was typed before.
    const opened = await open('/jobs', { isExpected: (problem) => problem.includes('ERR_ABORTED') });
    const { page } = opened;
    const search = page.getByRole('combobox', { name: 'Search' });
    const find = async (text: string, option: RegExp) => {
      await page.keyboard.press('Control+k');
      await search.fill(text);
      await page.getByRole('option', { name: option }).first().waitFor();
      await page.keyboard.press('Enter');
    };
    await page.getByRole('heading', { name: 'Jobs' }).waitFor();
    await find('zweite', /Zweite/);
    await page.waitForURL(`**/console/brands/${other.id}`);
    await find(`the key ${key.key_id} of a mail`, /tuk_/);
    await page.waitForURL(`**/keys/${key.key_id}`);
    await find('doc', /Doctor/);
    await page.getByRole('heading', { name: 'Doctor' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await opened.assertAccessible();
    opened.assertNoProblems();
    await opened.close();
  });

  it('says that a brand does not exist, and that the server is unavailable, with a way on', async () => {
    const opened = await open('/brands/999999', {
      isExpected: (problem) => /404|ERR_|failed:/.test(problem),
    });
    const { page } = opened;
    await page.getByRole('heading', { name: 'There is no brand 999999' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0);
    await opened.assertAccessible();
    await page.route('**/internal/v1/audit?*', (route) => route.abort());
    await page.keyboard.press('g');
    await page.keyboard.press('a');
    await page.getByText('The server cannot be reached.').waitFor();
    await page.unroute('**/internal/v1/audit?*');
    await page.getByRole('button', { name: 'Try again' }).press('Enter');
    await page
      .getByRole('row', { name: /updated the brand/ })
      .first()
      .waitFor();
    opened.assertNoProblems();
    await opened.close();
  });
});
