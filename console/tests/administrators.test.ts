// processes: starts a browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { registerCanary } from '../../server/test/support/canaries.ts';
import { program, startConsole } from './support/console-kit.ts';

describe('administrators and sessions in the console', { skip: program === null }, async () => {
  if (program === null) return;
  const { server, open, openSignedOut } = await startConsole();
  const { json: brand } = await server.admin.post('/brands', { name: 'Supported' });

  it('gives a person a token that reads and changes nothing, and ends their session', async () => {
    const opened = await open('/administrators');
    const { page } = opened;
    await page.getByRole('link', { name: 'New administrator' }).first().press('Enter');
    await page.getByLabel('Name').fill('Ada');
    await page.getByLabel('Name').press('Enter');
    const secret = page.locator('.secret code');
    await secret.waitFor();
    const token = (await secret.innerText()).trim();
    registerCanary(token);
    assert.match(token, /^bpa_[0-9a-f]{24}\.\w{40}$/);
    await page.getByRole('link', { name: 'I have stored the token' }).press('Enter');
    await page.getByRole('cell', { name: 'Ada', exact: true }).waitFor();

    const hers = await openSignedOut(`/brands/${brand.id}/keys`);
    await hers.page.getByLabel('Administrator token').fill(token);
    await hers.page.keyboard.press('Enter');
    await hers.page.getByRole('heading', { name: 'Keys' }).waitFor();
    await hers.page.getByText('support, reads only').waitFor();
    assert.equal(await hers.page.getByRole('link', { name: 'New key' }).count(), 0);

    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await page.getByRole('button', { name: 'End Ada' }).press('Enter');
    await page.getByRole('alertdialog').getByRole('button', { name: 'End' }).press('Enter');
    await page.getByText('The session has ended.').waitFor();
    await hers.page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    opened.assertNoProblems();
    hers.assertNoProblems();
    await hers.close();
    await opened.close();
  });

  it('offers an operator nothing that only administrators may do', async () => {
    const created = { name: 'Olga', role: 'operator', brand_ids: [brand.id] };
    const { json } = await server.admin.post('/administrators', created);
    registerCanary(json.token);
    const opened = await openSignedOut('/jobs');
    const { page } = opened;
    await page.getByLabel('Administrator token').fill(json.token);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Jobs' }).waitFor();
    await page.getByText('operator', { exact: true }).waitFor();
    const pages = page.getByRole('navigation').getByRole('link');
    await page.getByRole('link', { name: 'Brands' }).waitFor();
    for (const name of ['Administrators', 'Sessions', 'Doctor'])
      assert.equal(await pages.filter({ hasText: name }).count(), 0, name);
    await page.keyboard.press('g');
    await page.keyboard.press('b');
    await page.getByRole('link', { name: 'Supported' }).waitFor();
    assert.equal(await page.getByRole('link', { name: 'New brand' }).count(), 0);
    opened.assertNoProblems();
    await opened.close();
  });
});
