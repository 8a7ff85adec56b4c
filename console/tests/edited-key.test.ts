// processes: starts a browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { act, program, startConsole } from './support/console-kit.ts';

/** Escape comes right behind the letter, as on a busy machine: before anything that the page does later. */
const typeAndEscape = `(async () => {
  const field = document.querySelector('[role="dialog"] input');
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, 'Dropped');
  field.dispatchEvent(new Event('input', { bubbles: true }));
  await null;
  field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
})()`;

describe('the edit of a key in the console', { skip: program === null }, async () => {
  if (program === null) return;
  const { server, open } = await startConsole();
  const { admin } = server;
  const { json: brand } = await admin.post('/brands', { name: 'Edited' });
  const scopes = ['catalog.products:read', 'catalog.products:write', 'catalog.stock:read'];
  const newKey = async () => (await admin.post(`/brands/${brand.id}/keys`, { name: 'ERP', scopes })).json;
  const isExpected = (problem: string) => problem.includes('412');

  async function edit(keyId: string) {
    const opened = await open(`/brands/${brand.id}/keys/${keyId}`, { isExpected });
    await act(opened.page, 'Edit');
    return { ...opened, form: opened.page.getByRole('dialog', { name: 'Edit ERP' }) };
  }

  it('asks for the name of a key in use before it takes a scope away', async () => {
    const key = await newKey();
    await server.clientWith(key.api_key).get('/catalog/products');
    await server.keyUsage.flush();
    const { page, form, close, assertAccessible, assertNoProblems } = await edit(key.key_id);
    const stored = async () => (await admin.get(`/keys/${key.key_id}`)).json.scopes;
    await form.getByLabel('catalog.products:write').uncheck();
    await form.getByRole('button', { name: 'Save the key' }).click();
    const question = page.getByRole('alertdialog', { name: 'Take 1 scope away?' });
    await question.getByText('Requests that need catalog.products:write are refused').waitFor();
    await assertAccessible();
    assert.equal(await question.getByRole('button', { name: 'Take away' }).isDisabled(), true);
    await question.getByRole('button', { name: 'Cancel' }).click();
    assert.deepEqual(await stored(), scopes);
    await form.getByRole('button', { name: 'Save the key' }).click();
    await question.getByLabel('Type “ERP” to confirm').fill('ERP');
    await page.keyboard.press('Enter');
    await page.getByText('The key is saved.').waitFor();
    assert.deepEqual(await stored(), [scopes[0], scopes[2]]);
    assertNoProblems();
    await close();
  });

  it('merges what somebody else has saved meanwhile, and lets the person choose between two names', async () => {
    const key = await newKey();
    const { page, form, close, assertNoProblems } = await edit(key.key_id);
    const name = form.getByLabel('Name');
    await name.fill('Mine');
    await admin.patch(`/keys/${key.key_id}`, { scopes: scopes.slice(0, 2) });
    await name.press('Enter');
    await form.getByText('Somebody else has saved meanwhile: Scopes').waitFor();
    assert.equal(await form.getByLabel(scopes[2] as string).count(), 0);
    await admin.patch(`/keys/${key.key_id}`, { name: 'Theirs' });
    // The page may have read it before.
    await page.getByRole('dialog').getByLabel('Name').press('Enter');
    const edited = page.getByRole('dialog', { name: 'Edit Theirs' });
    await edited.getByText('Name is now Theirs.').waitFor();
    await edited.getByRole('button', { name: 'Keep Mine' }).click();
    await edited.getByRole('button', { name: 'Save the key' }).click();
    await page.getByText('The key is saved.').waitFor();
    const { json } = await admin.get(`/keys/${key.key_id}`);
    assert.deepEqual([json.name, json.scopes], ['Mine', scopes.slice(0, 2)]);
    assertNoProblems();
    await close();
  });

  it('asks before Escape drops what is typed', async () => {
    const key = await newKey();
    const { page, form, close, assertNoProblems } = await edit(key.key_id);
    await form.getByLabel('Name').waitFor();
    await page.evaluate(typeAndEscape);
    const question = page.getByRole('alertdialog', { name: 'Close without saving?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    assert.equal(await form.getByLabel('Name').inputValue(), 'Dropped');
    await form.getByRole('button', { name: 'Close' }).click();
    await question.getByRole('button', { name: 'Close', exact: true }).click();
    await form.waitFor({ state: 'detached' });
    assert.equal((await admin.get(`/keys/${key.key_id}`)).json.name, 'ERP');
    assertNoProblems();
    await close();
  });
});
