// processes: starts a browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { program, startConsole } from './support/console-kit.ts';

describe('focus, keys and titles in the console', { skip: program === null }, async () => {
  if (program === null) return;
  const { server, open } = await startConsole();
  const { admin } = server;
  const { json: brand } = await admin.post('/brands', { name: 'Maison' });
  const focused = 'document.activeElement.textContent';

  it('obeys keys while a message is shown', async () => {
    const opened = await open(`/brands/${brand.id}`);
    const { page } = opened;
    await page.getByLabel('Low stock threshold').fill('7');
    await page.getByRole('button', { name: 'Save' }).press('Enter');
    const message = page.getByText('The settings are saved.');
    await message.waitFor();
    await page.locator('main').press('g');
    await page.keyboard.press('h');
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    assert.equal(await message.isVisible(), true);
    opened.assertNoProblems();
    await opened.close();
  });

  it('returns the focus when the search closes, and confirms nothing by a second Enter', async () => {
    const path = `/brands/${brand.id}/keys`;
    const { json: key } = await admin.post(path, { name: 'Kept', scopes: ['catalog.products:read'] });
    const opened = await open(`/brands/${brand.id}/keys/${key.key_id}`);
    const { page } = opened;
    const remove = page.getByRole('button', { name: 'Delete', exact: true });
    await remove.waitFor();
    await page.waitForFunction("document.title === 'Kept · Maison · Brandport'");
    await remove.focus();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('combobox').waitFor({ state: 'detached' });
    assert.equal(await page.evaluate(focused), 'Delete');
    await page.keyboard.press('Enter');
    await page.getByRole('alertdialog').waitFor();
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: 'Cancel' })
      .and(page.locator(':focus'))
      .waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    assert.equal((await admin.get(`/keys/${key.key_id}`)).status, 200);
    assert.equal(await page.evaluate(focused), 'Delete');
    opened.assertNoProblems();
    await opened.close();
  });

  it('keeps the focus in a list that is read again', async () => {
    const path = `/brands/${brand.id}/keys`;
    const { json: key } = await admin.post(path, { name: 'Read', scopes: ['catalog.products:read'] });
    const opened = await open(path);
    const { page } = opened;
    await page.getByRole('link', { name: 'Read' }).focus();
    assert.equal((await server.clientWith(key.api_key).get('/catalog/products')).status, 200);
    await page.getByRole('row', { name: /Read.*1 request/ }).waitFor();
    assert.equal(await page.evaluate(focused), 'Read');
    opened.assertNoProblems();
    await opened.close();
  });

  it('moves the focus to the new page and announces it', async () => {
    const opened = await open('/');
    const { page } = opened;
    await page.getByRole('link', { name: 'Jobs', exact: true }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor();
    await page.locator('#content:focus').waitFor();
    await page.getByRole('status').filter({ hasText: 'Jobs · Brandport' }).waitFor();
    await page.goto(`${server.internalUrl}/console/brands/new`);
    await page.getByLabel('Name').and(page.locator(':focus')).waitFor();
    opened.assertNoProblems();
    await opened.close();
  });

  it('names what is missing, without a second attempt', async () => {
    const opened = await open(`/brands/${brand.id}/feeds/AAAAAAAAAAAAAAAAAAAAA`, {
      isExpected: (problem) => problem.includes('404'),
    });
    await opened.page.getByRole('heading', { name: 'AAAAAAAAAAAAAAAAAAAAA' }).waitFor();
    assert.equal(await opened.page.getByRole('button', { name: 'Try again' }).count(), 0);
    opened.assertNoProblems();
    await opened.close();
  });

  it('shows characters that would draw a name as another one', async () => {
    const { json: odd } = await admin.post('/brands', { name: 'MIP \u202eyek terces' });
    await admin.post(`/brands/${odd.id}/keys`, { name: 'till\u200b', scopes: ['catalog.products:read'] });
    const opened = await open(`/brands/${odd.id}/keys`);
    await opened.page.getByRole('link', { name: 'till[U+200B]' }).waitFor();
    await opened.page.getByText('MIP [U+202E]yek terces').waitFor();
    opened.assertNoProblems();
    await opened.close();
  });
});
