// processes: starts a browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page, Response } from 'playwright-core';
import { registerCanary } from '../../server/test/support/canaries.ts';
import { program, startConsole } from './support/console-kit.ts';

/** Lets the server answer the next POST to a path, and takes the answer away from the browser. */
async function loseAnswer(page: Page, path: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Fetch.enable', { patterns: [{ urlPattern: `*${path}`, requestStage: 'Response' }] });
  session.once('Fetch.requestPaused', async ({ requestId }) => {
    await session.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionClosed' });
    await session.send('Fetch.disable');
  });
}

// [internal-185] [internal-186]
describe('forms of the console', { skip: program === null }, async () => {
  if (program === null) return;
  const { server, open, assertWellMade } = await startConsole();
  const { admin } = server;
  const newBrand = async (name: string) => (await admin.post('/brands', { name })).json.id as number;
  const named = async (path: string, name: string) =>
    (await admin.get(`${path}?per_page=100`)).json.data.filter((one: { name: string }) => one.name === name);
  const isLost = (problem: string) => problem.includes('ERR_CONNECTION');

  it('creates one brand, key and administrator by a double click', async () => {
    const brandId = await newBrand('Doubled');
    for (const [path, list, name, next] of [
      ['/brands/new', '/brands', 'Twice clicked', 'New key'],
      [`/brands/${brandId}/keys/new`, `/brands/${brandId}/keys`, 'Clicked', 'This key is shown once'],
      ['/administrators/new', '/administrators', 'Ada', 'This token is shown once'],
    ] as const) {
      const opened = await open(path);
      const { page } = opened;
      await page.getByLabel('Name').fill(name);
      if (path.includes('keys')) await page.getByLabel('catalog.products:read').check();
      await page.getByRole('button', { name: /^Create the/ }).dblclick();
      await page.getByRole('heading', { name: next }).waitFor();
      assert.equal((await named(list, name)).length, 1);
      await opened.close();
    }
  });

  it('creates one key when the answer is lost after the commit, and says that nobody has its secret', async () => {
    const brandId = await newBrand('Lost answer');
    const opened = await open(`/brands/${brandId}/keys/new`, { isExpected: isLost });
    const { page } = opened;
    await page.getByLabel('Name').fill('PIM');
    await page.getByLabel('catalog.products:read').check();
    await loseAnswer(page, '/keys');
    await page.getByRole('button', { name: 'Create the key' }).click();
    await page.getByText('nothing is made twice').waitFor();
    assert.equal((await named(`/brands/${brandId}/keys`, 'PIM')).length, 1);
    await page.getByRole('button', { name: 'Create the key' }).click();
    await page.getByText('The secret was shown to nobody').waitFor();
    await page.getByText('Delete this key and create it again').waitFor();
    assert.equal((await named(`/brands/${brandId}/keys`, 'PIM')).length, 1);
    await assertWellMade(opened, 'lost-secret');
    await page.getByRole('link', { name: 'Open the key' }).click();
    await page.getByRole('link', { name: 'Hand over' }).waitFor();
    opened.assertNoProblems();
    await opened.close();
  });

  it('does not send other values as the same creation', async () => {
    const opened = await open('/brands/new', {
      isExpected: (problem) => isLost(problem) || problem.includes('409'),
    });
    const { page } = opened;
    await page.getByLabel('Name').fill('Before');
    await loseAnswer(page, '/brands');
    await page.getByRole('button', { name: 'Create the brand' }).click();
    await page.getByText('nothing is made twice').waitFor();
    await page.getByLabel('Name').fill('After');
    await page.getByRole('button', { name: 'Create the brand' }).click();
    await page.getByText('has been created, with its earlier values').waitFor();
    assert.deepEqual(
      [(await named('/brands', 'Before')).length, (await named('/brands', 'After')).length],
      [1, 0],
    );
    await page.getByRole('button', { name: 'Create the brand' }).click();
    await page.getByRole('heading', { name: 'New key' }).waitFor();
    assert.equal((await named('/brands', 'After')).length, 1);
    await opened.close();
  });

  it('saves only what was changed, merges other fields, and lets the person choose between two values', async () => {
    const brandId = await newBrand('Two tabs');
    const settings = async () => (await admin.get(`/brands/${brandId}`)).json.settings;
    const isExpected = (problem: string) => problem.includes('412');
    const [one, two] = [
      await open(`/brands/${brandId}/settings`),
      await open(`/brands/${brandId}/settings`, { isExpected }),
    ];
    const save = async ({ page }: typeof one) => page.getByRole('button', { name: 'Save' }).click();
    await two.page.getByLabel('Stale after, hours').fill('12');
    await one.page.getByLabel('Low stock threshold').fill('33');
    await save(one);
    await one.page.getByText('The settings are saved.').waitFor();
    await save(two);
    await two.page.getByText('Somebody else has saved meanwhile: Low stock threshold').waitFor();
    assert.equal(await two.page.getByLabel('Low stock threshold').inputValue(), '33');
    assert.equal((await settings()).stale_after_hours, null);
    await save(two);
    await two.page.getByText('The settings are saved.').waitFor();
    assert.deepEqual(await settings(), {
      ...(await settings()),
      low_stock_threshold: 33,
      stale_after_hours: 12,
    });

    await admin.patch(`/brands/${brandId}`, { settings: { low_stock_threshold: 50 } });
    await two.page.getByLabel('Low stock threshold').fill('40');
    await save(two);
    await two.page.getByText('Low stock threshold is now 50.').waitFor();
    await assertWellMade(two, 'settings-conflict');
    assert.equal(await two.page.getByRole('button', { name: 'Save' }).isDisabled(), true);
    await two.page.getByRole('button', { name: 'Keep 40' }).click();
    const isPatch = (response: Response) => response.request().method() === 'PATCH';
    await Promise.all([two.page.waitForResponse(isPatch), save(two)]);
    assert.equal((await settings()).low_stock_threshold, 40);
    two.assertNoProblems();
    await Promise.all([one.close(), two.close()]);
  });

  it('asks before typed fields or a secret are lost, also by the tab', async () => {
    const brandId = await newBrand('Guarded');
    const opened = await open(`/brands/${brandId}/settings`);
    const { page } = opened;
    const dialog = page.getByRole('alertdialog', { name: 'Leave this page?' });
    const toKeys = page.getByRole('navigation', { name: 'Pages of the brand' }).getByText('Keys');
    await page.getByLabel('Low stock threshold').fill('99');
    await toKeys.click();
    await dialog.getByText('What you have typed is not saved.').waitFor();
    await opened.assertAccessible();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    assert.equal(await page.getByLabel('Low stock threshold').inputValue(), '99');
    const asked = new Promise<string>((resolve) => {
      page.once('dialog', (one) => {
        resolve(one.type());
        void one.dismiss();
      });
    });
    await page.close({ runBeforeUnload: true });
    assert.equal(await asked, 'beforeunload');
    await toKeys.click();
    await dialog.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('link', { name: 'New key' }).first().click();
    await page.getByLabel('Name').fill('Secret');
    await page.getByLabel('catalog.products:read').check();
    await page.getByRole('button', { name: 'Create the key' }).click();
    registerCanary((await page.locator('.secret code').innerText()).trim());
    await page.goBack();
    await dialog.getByText('The secret is shown only here.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.locator('.secret').getByText('Copied').waitFor();
    assert.equal(
      await page.evaluate('navigator.clipboard.readText()'),
      (await page.locator('.secret code').innerText()).trim(),
    );
    await toKeys.click();
    await page.getByRole('cell', { name: 'Secret', exact: true }).waitFor();
    opened.assertNoProblems();
    await opened.close();
  });
});
