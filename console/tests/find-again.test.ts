// processes: starts a browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { scopes } from '../../server/src/api/access.ts';
import { program, startConsole } from './support/console-kit.ts';

/** Returns where the texts of the first row stand: the bottom of an empty box on their line. */
const baselines = `[...document.querySelector('main [data-row]').cells]
  .filter((cell) => cell.textContent.trim() !== '')
  .map((cell) => {
    let inner = cell;
    while (inner.lastElementChild !== null && !inner.lastElementChild.matches('[aria-hidden]')) inner = inner.lastElementChild;
    const box = inner.appendChild(document.createElement('span'));
    box.style.cssText = 'display: inline-block; width: 0; height: 0';
    const { bottom } = box.getBoundingClientRect();
    box.remove();
    return bottom;
  })`;

describe('finding something again in the console', { skip: program === null }, async () => {
  if (program === null) return;
  const { server, open, openSignedOut, assertWellMade } = await startConsole();
  const { admin } = server;
  const { json: brand } = await admin.post('/brands', { name: 'Maison' });
  const { json: key } = await admin.post(`/brands/${brand.id}/keys`, { name: 'PIM', scopes });
  const client = server.clientWith(key.api_key);
  for (const sku of ['MUG-0010', 'MUG-0011', 'MUG-0012', 'MUG-0013'])
    await client.create('/catalog/products', { sku });
  await client.create('/catalog/stock/locations', { external_code: 'hamburg' });
  const focused = 'document.activeElement.textContent';

  it('returns the focus to the row that was opened', async () => {
    const opened = await open(`/brands/${brand.id}/products`);
    const { page } = opened;
    await page.getByRole('link', { name: 'MUG-0013' }).waitFor();
    for (const letter of ['j', 'j', 'j']) await page.locator('body').press(letter);
    const row = await page.evaluate(focused);
    const focusedRow = page.getByRole('link', { name: String(row) }).and(page.locator(':focus'));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: String(row) }).waitFor();
    await page.goBack();
    await focusedRow.waitFor();
    await page.keyboard.press('j');
    assert.notEqual(await page.evaluate(focused), row);
    await page.goForward();
    await page.getByRole('heading', { level: 1, name: String(row) }).waitFor();
    await page.goBack();
    await focusedRow.waitFor();
    opened.assertNoProblems();
    await opened.close();
  });

  it('says which of SKU and location is unknown, and offers similar ones', async () => {
    const opened = await open(`/brands/${brand.id}/explain?sku=mug-0010&location=hamburg`, {
      isExpected: (problem) => problem.includes('404'),
    });
    const { page } = opened;
    await page.getByText('The brand has no SKU "mug-0010"').waitFor();
    await page.getByRole('link', { name: 'MUG-0010' }).click();
    await page.getByText('This SKU has had no quantity at this location').waitFor();
    await page.goto(page.url().replace('hamburg', 'HAMBURG'));
    await page.getByText('The brand has no location "HAMBURG"').waitFor();
    await page.getByRole('link', { name: 'hamburg' }).waitFor();
    const long = '"<b>'.padEnd(191, 'ä');
    await page.goto(page.url().replace('MUG-0010', encodeURIComponent(long)));
    await page.getByText(`The brand has no SKU "${long}"`).waitFor();
    await opened.assertAccessible();
    opened.assertNoProblems();
    await opened.close();
  });

  it('ends the other sessions of a person, and nobody else’s', async () => {
    const tokens: string[] = [];
    for (const name of ['Ada', 'Ben'])
      tokens.push((await admin.post('/administrators', { name, role: 'administrator' })).json.token);
    const people = [];
    for (const token of [tokens[0], tokens[0], tokens[1]]) {
      const opened = await openSignedOut('/sessions');
      await opened.page.getByLabel('Administrator token').fill(token ?? '');
      await opened.page.keyboard.press('Enter');
      await opened.page.getByRole('heading', { name: 'Sessions' }).waitFor();
      people.push(opened);
    }
    const actors = async () =>
      (await admin.get('/sessions?per_page=200')).json.data.map(
        ({ actor_name }: { actor_name: string }) => actor_name,
      );
    assert.equal((await actors()).filter((name: string) => name === 'Ada').length, 2);
    const page = people[0]?.page ?? assert.fail();
    await page.getByRole('button', { name: 'End my other sessions' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'End my other sessions' }).click();
    await page.getByText('Your other session has ended.').waitFor();
    const left = await actors();
    assert.equal(left.filter((name: string) => name === 'Ada').length, 1);
    assert.ok(left.includes('Ben'));
    await people[0]?.assertAccessible();
    for (const opened of people) await opened.close();
  });

  it('shows support nothing that the server refuses it', async () => {
    const { json: made } = await admin.post('/administrators', { name: 'Sue', role: 'support' });
    const opened = await openSignedOut('/administrators', {
      isExpected: (problem) => /401|403/.test(problem),
    });
    const { page } = opened;
    await page.getByLabel('Administrator token').fill(made.token);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Administrators' }).waitFor();
    assert.equal(await page.getByRole('link', { name: 'New administrator' }).count(), 0);
    const navigation = page.getByRole('navigation', { name: 'Console' });
    for (const name of ['Without a key', 'Administrators', 'Sessions', 'Doctor'])
      assert.equal(await navigation.getByRole('link', { name }).count(), 0, name);
    await opened.close();
  });

  it('shows within a second that a page is on its way, on a slow line', async () => {
    const opened = await open('/brands');
    const { page } = opened;
    await page.getByRole('heading', { name: 'Brands' }).waitFor();
    let isDelayed = false;
    await page.route(/feeds-page/, async (route) => {
      isDelayed = true;
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      await route.continue();
    });
    await page.reload();
    await page.getByRole('heading', { name: 'Brands' }).waitFor();
    await page.getByRole('link', { name: 'Feeds' }).click({ noWaitAfter: true });
    await page.getByRole('heading', { name: 'Brands' }).waitFor({ state: 'detached', timeout: 1_000 });
    assert.equal(await page.getByRole('heading', { name: 'Feeds' }).count(), 0);
    assert.ok(isDelayed, 'the program of the page is delayed');
    await page.getByRole('heading', { name: 'Feeds' }).waitFor();
    await opened.close();
  });

  it('shows a long name whole where there is room, on the baseline of its row', async () => {
    const name = 'Webshop of the brand in France, with its older warehouse';
    await admin.post(`/brands/${brand.id}/keys`, { name, scopes: scopes.slice(0, 1) });
    const opened = await open(`/brands/${brand.id}/keys`, { viewport: { width: 1440, height: 900 } });
    const { page } = opened;
    const link = page.getByRole('link', { name });
    assert.equal(await link.evaluate((node) => node.scrollWidth - node.clientWidth), 0);
    const row = page.getByRole('row', { name: new RegExp(name) });
    assert.equal(await row.locator('td').first().locator('input[type=checkbox]').count(), 1);
    await page.goto(`${server.internalUrl}/console/brands/${brand.id}/products`);
    await page.getByRole('link', { name: 'MUG-0010' }).waitFor();
    const [sku, ...others] = (await page.evaluate(baselines)) as number[];
    for (const other of others) assert.ok(Math.abs(other - Number(sku)) < 0.75, `${sku}, not ${other}`);
    await opened.close();
  });

  it('keeps the other columns in view next to names of 255 characters', async () => {
    const name = 'Langername'.repeat(25).padEnd(255, 'x');
    const { json: long } = await admin.post('/brands', { name });
    const { json: own } = await admin.post(`/brands/${long.id}/keys`, { name, scopes });
    const lines = [{ sku: 'S'.repeat(191), location_code: 'L'.repeat(60), quantity: 1 }];
    const feed = { source: 'test', mode: 'snapshot', lines };
    const batch = { 'idempotency-key': 'b'.repeat(191) };
    const sent = await server.clientWith(own.api_key).post('/catalog/stock/feeds', feed, batch);
    assert.equal(sent.status, 202, sent.text);
    const opened = await open('/brands');
    const { page } = opened;
    const wide: string[] = [];
    const hidden = `[document.documentElement, ...document.querySelectorAll('.table-frame')].map((frame) => frame.scrollWidth - frame.clientWidth)`;
    const ownPages = ['keys', 'feeds', `keys/${own.key_id}`].map((path) => `/brands/${long.id}/${path}`);
    for (const path of ['/brands', '/datasets', '/feeds', ...ownPages]) {
      await page.goto(new URL(`/console${path}`, page.url()).href);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      const widths = (await page.evaluate(hidden)) as number[];
      if (widths.some((width) => width > 1)) wide.push(`${path}: ${widths}`);
    }
    assert.deepEqual(wide, []);
    await assertWellMade(opened, 'long-names-of-a-key');
    await page.goBack();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await assertWellMade(opened, 'long-names-of-feeds');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill('Langername');
    await page.getByRole('option').first().waitFor();
    const palette = `(() => { const e = document.querySelector('[role=option]'); return e.scrollWidth - e.clientWidth; })()`;
    assert.ok(Number(await page.evaluate(palette)) <= 1);
    await opened.close();
  });
});
