// processes: starts a browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { program, startConsole } from './support/console-kit.ts';

describe('the leak box of the console', { skip: program === null }, async () => {
  if (program === null) return;
  const { server, open, inspect } = await startConsole();
  const { json: brand } = await server.admin.post('/brands', { name: 'Leaky' });
  const scopes = ['catalog.products:read'];
  const create = async (name: string) =>
    (await server.admin.post(`/brands/${brand.id}/keys`, { name, scopes })).json;
  const [leaked, mentioned] = [await create('Leaked'), await create('Mentioned')];

  it('names the keys of a pasted log, and revokes the one whose secret is in it', async () => {
    const opened = await open('/leaks');
    const { page } = opened;
    await page.getByLabel('Text').waitFor();
    await page.keyboard.press('/');
    const log = `GET /products Authorization: Bearer ${leaked.api_key}\nretried for ${mentioned.key_id}, 200`;
    await page.keyboard.insertText(log);
    await page.keyboard.press('Control+Enter');
    const row = (name: string) => page.getByRole('row', { name: new RegExp(name) });
    await row('Leaked').getByText('the real secret').waitFor();
    await row('Mentioned').getByText('no secret').waitFor();
    await page.getByRole('button', { name: 'Revoke it' }).press('Enter');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke it' }).press('Enter');
    await row('Leaked').getByText('revoked now').waitFor();
    assert.equal((await server.clientWith(leaked.api_key).get('/catalog/products')).status, 401);
    assert.equal((await server.clientWith(mentioned.api_key).get('/catalog/products')).status, 200);
    assert.ok(!page.url().includes('tuk_'), 'the text is not in the address');
    opened.assertNoProblems();
    await opened.close();
  });

  it('looks well on a desk by day and on a phone by night', async () => {
    await inspect('/leaks', 'leaks', (page) => page.getByLabel('Text').waitFor());
  });
});
