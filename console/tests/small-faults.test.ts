// nightly: focus, keys and titles of many pages in a browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { act, program, startConsole } from './support/console-kit.ts';

describe('focus, keys and titles in the console', { skip: program === null }, async () => {
  if (program === null) return;
  const { server, open } = await startConsole();
  const { admin } = server;
  const { json: brand } = await admin.post('/brands', { name: 'Maison' });
  const focused = 'document.activeElement.textContent';

  it('obeys keys while a message is shown', async () => {
    const opened = await open(`/brands/${brand.id}/settings`);
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

  it('returns the focus when the search, the menu or a dialog of it closes, and confirms nothing by a second Enter', async () => {
    const path = `/brands/${brand.id}/keys`;
    const { json: key } = await admin.post(path, { name: 'Kept', scopes: ['catalog.products:read'] });
    const opened = await open(`/brands/${brand.id}/keys/${key.key_id}`);
    const { page } = opened;
    const more = page.getByRole('button', { name: 'More', exact: true });
    const hasFocus = () => more.and(page.locator(':focus')).waitFor();
    await more.waitFor();
    await page.waitForFunction("document.title === 'Kept · Maison · Brandport'");
    await more.focus();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('combobox').waitFor({ state: 'detached' });
    await hasFocus();
    // By keyboard alone: the last action of the menu.
    await page.keyboard.press('Enter');
    await page.getByRole('menu').waitFor();
    await opened.assertAccessible();
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await hasFocus();
    await page.keyboard.press('Enter');
    await page.getByRole('menu').waitFor();
    await page.keyboard.press('End');
    await page.getByRole('menuitem', { name: 'Delete' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    const question = page.getByRole('alertdialog', { name: 'Delete Kept?' });
    await question.getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await question.waitFor({ state: 'detached' });
    assert.equal((await admin.get(`/keys/${key.key_id}`)).status, 200);
    await hasFocus();
    await act(page, 'Edit');
    await page.getByRole('dialog', { name: 'Edit Kept' }).getByLabel('Name').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await hasFocus();
    opened.assertNoProblems();
    await opened.close();
  });

  it('leads from a pasted key of a log to the question that replaces it', async () => {
    const path = `/brands/${brand.id}/keys`;
    const { json: key } = await admin.post(path, { name: 'Leaked', scopes: ['catalog.products:read'] });
    const opened = await open('/jobs');
    const { page } = opened;
    await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill(`GET /v1 Bearer ${key.key_id}.secret 200`);
    await page.getByRole('option', { name: /Leaked.*Rotate the key now/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const question = page.getByRole('alertdialog', { name: 'Cut the old key off now?' });
    await question.waitFor();
    assert.equal(new URL(page.url()).hash, '', 'a reload does not ask again');
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'More' }).and(page.locator(':focus')).waitFor();
    assert.equal((await admin.get(`/keys/${key.key_id}`)).json.revoked_at, null);
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
