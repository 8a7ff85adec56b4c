// nightly: waits in a browser until a key is silent
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { registerCanary } from '../../server/test/support/canaries.ts';
import { waitFor } from '../../server/test/support/wait-for.ts';
import { act, program, startConsole } from './support/console-kit.ts';

describe('handing a key over in the console', { skip: program === null }, async () => {
  if (program === null) return;
  const { server, open, inspect } = await startConsole();
  const { json: brand } = await server.admin.post('/brands', { name: 'Handed over' });
  const scopes = ['catalog.products:read', 'catalog.products:write'];
  const { json: old } = await server.admin.post(`/brands/${brand.id}/keys`, { name: 'PIM', scopes });
  const keysPage = `/brands/${brand.id}/keys`;

  it('leads from the second key over the silence of the first one to its revocation, without an outage', async () => {
    const integration = server.clientWith(old.api_key);
    const first = await integration.create('/catalog/products', { sku: 'HELD' });
    assert.equal(first.status, 201);
    const opened = await open(keysPage);
    const { page } = opened;
    await page.getByRole('link', { name: 'PIM' }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Hand over' }).press('Enter');
    await page.getByRole('link', { name: 'Create it' }).press('Enter');
    await page.getByRole('heading', { name: 'Second key for PIM' }).waitFor();
    assert.equal(await page.getByLabel('catalog.products:write').isChecked(), true, 'the same scopes');
    assert.equal(await page.getByLabel('catalog.stock:read').isChecked(), false);
    await page.getByLabel('Name').press('Enter');
    const secret = page.locator('.secret code');
    await secret.waitFor();
    const newKey = (await secret.innerText()).trim();
    registerCanary(newKey);
    await page.getByRole('link', { name: 'Key stored. Continue' }).press('Enter');
    await page.getByText('Give the new key to the integration').waitFor();
    // Both work, and the new one is seen.
    assert.equal((await server.clientWith(newKey).get('/catalog/products')).status, 200);
    assert.equal((await integration.get('/catalog/products')).status, 200);
    await page.getByText('The new key is in use.').waitFor();
    await page.getByText('The old key was used').waitFor();
    await silenceSinceYesterday(old.key_id);
    await page.getByText('The old key has been silent for 24 hours.').waitFor();
    await page.getByRole('button', { name: 'Revoke the old key' }).press('Enter');
    const dialog = page.getByRole('alertdialog');
    const revoke = dialog.getByRole('button', { name: 'Revoke the old key' });
    assert.equal(await revoke.isDisabled(), true, 'its name has to be typed: it was used in the last 7 days');
    await dialog.getByLabel('Type “PIM” to confirm').fill('PIM');
    await page.keyboard.press('Enter');
    await page.getByText('The old key is revoked.').waitFor();
    assert.equal((await integration.get('/catalog/products')).status, 401);
    assert.equal((await server.clientWith(newKey).get('/catalog/products')).status, 200);
    await page.getByText('Somebody still tries the old key: last refused').waitFor();
    // The last request decides, not the revocation.
    await server.sql(
      `update api_keys set last_used_at = revoked_at - interval '1 minute' where key_id = $1`,
      [old.key_id],
    );
    await page.getByText('The old key was still in use when it was revoked').waitFor();
    assert.equal(await page.getByText('has been silent for 24 hours').count(), 0);
    opened.assertNoProblems();
    await opened.close();
  });

  it('rotates a key at once, and deletes the key after its name is typed, since it is in use', async () => {
    const { json: key } = await server.admin.post(`/brands/${brand.id}/keys`, { name: 'Till', scopes });
    const till = server.clientWith(key.api_key);
    assert.equal((await till.get('/catalog/products')).status, 200);
    await waitFor('the use of the key', async () => {
      const { json } = await server.admin.get(`/keys/${key.key_id}`);
      return json.last_used_at;
    });
    const opened = await open(`${keysPage}/${key.key_id}`);
    const { page } = opened;
    const dialog = page.getByRole('alertdialog');
    await act(page, 'Rotate now');
    const rotate = dialog.getByRole('button', { name: 'Rotate now' });
    await rotate.waitFor();
    assert.equal(await rotate.isDisabled(), true, 'the key is in use: its name has to be typed');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    assert.equal((await till.get('/catalog/products')).status, 200, 'Escape changes nothing');
    await act(page, 'Rotate now');
    await dialog.getByLabel('Type “Till” to confirm').fill('Till');
    await page.keyboard.press('Enter');
    const secret = page.locator('.secret code');
    await secret.waitFor();
    const newKey = (await secret.innerText()).trim();
    registerCanary(newKey);
    assert.equal((await till.get('/catalog/products')).status, 401, 'the old key is cut off');
    assert.equal((await server.clientWith(newKey).get('/catalog/products')).status, 200);
    await page.keyboard.press('Escape');
    assert.equal(await secret.isVisible(), true, 'only a decision closes it');
    await page.getByRole('button', { name: 'I have stored the key' }).press('Enter');
    await secret.waitFor({ state: 'detached' });

    await act(page, 'Delete');
    await dialog.getByLabel('Type “Till” to confirm').fill('till');
    assert.equal(await dialog.getByRole('button', { name: 'Delete' }).isDisabled(), true, 'as it is written');
    await dialog.getByLabel('Type “Till” to confirm').fill('Till');
    await page.keyboard.press('Enter');
    await page.getByText('The key is deleted.').waitFor();
    assert.equal((await server.admin.get(`/keys/${key.key_id}`)).status, 404);
    opened.assertNoProblems();
    await opened.close();
  });

  it('looks well on a desk by day and on a phone by night', async () => {
    await inspect(`${keysPage}/${old.key_id}/hand-over`, 'hand-over', (page) =>
      page.getByText('The old key is revoked').waitFor(),
    );
  });

  /** Moves the last use of a key a day back; nobody waits for a day here. */
  async function silenceSinceYesterday(keyId: string): Promise<void> {
    await server.sql(`update api_keys set last_used_at = now() - interval '25 hours' where key_id = $1`, [
      keyId,
    ]);
  }
});
