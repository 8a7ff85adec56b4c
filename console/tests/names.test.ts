// processes: starts a browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { registerCanary } from '../../server/test/support/canaries.ts';
import { choose, program, startConsole } from './support/console-kit.ts';

describe('names in the console', { skip: program === null }, async () => {
  if (program === null) return;
  const { server, open } = await startConsole();
  const { admin } = server;
  const { json: brand } = await admin.post('/brands', { name: 'Named \u202egnol' });
  const { json: other } = await admin.post('/brands', { name: 'Other' });
  const base = `/brands/${brand.id}`;
  const newKey = async (name: string) => {
    const scopes = ['catalog.products:write', 'catalog.products:read'];
    return (await admin.post(`${base}/keys`, { name, scopes })).json;
  };
  const [importer, reader] = [await newKey('Nightly importer'), await newKey('Reader')];
  const client = server.clientWith(importer.api_key);
  await client.create('/catalog/products', { sku: 'M-1', title: 'Émail mug' });
  await client.get('/catalog/products/none');
  await admin.put(`${base}/users`, { items: [{ tu_id: 'learner-1' }] });

  it('finds names of keys, parts of their ids, titles, learners and actions in the search', async () => {
    const opened = await open(base, { isExpected: (problem) => problem.includes('ERR_ABORTED') });
    const { page } = opened;
    const find = async (text: string, option: RegExp, address: string) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search' }).fill(text);
      await page.getByRole('option', { name: option }).click();
      await page.waitForURL(`**/console${address}`);
    };
    await page.getByRole('heading', { name: 'Stock' }).waitFor();
    const { json: product } = await admin.get(`${base}/skus?title=mug`);
    await find('nightly', /^Nightly importer/, `${base}/keys/${importer.key_id}`);
    await find(reader.key_id.slice(0, 14), /^Reader/, `${base}/keys/${reader.key_id}`);
    await find('émail', /Émail mug.*Product M-1/, `${base}/products/${product.data[0].tu_id}`);
    await find('learner-1', /Learner/, `${base}/learners/learner-1`);
    await find('new k', /New key/, `${base}/keys/new`);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill('sign out');
    await page.getByRole('option', { name: 'Sign out' }).waitFor();
    await opened.assertAccessible();
    opened.assertNoProblems();
    await opened.close();
  });

  it('chooses the brands of a new administrator by name, and shows them by name', async () => {
    const opened = await open('/administrators/new');
    const { page } = opened;
    await page.getByLabel('Name').fill('Olga');
    await page.getByLabel(/^Operator/i).check();
    const field = page.getByLabel('Brands', { exact: true });
    await page.locator(`datalist option[value="${brand.id}"]`).waitFor({ state: 'attached' });
    await field.fill(String(brand.id));
    await field.press('Enter');
    await page.getByRole('link', { name: 'Named [U+202E]gnol' }).waitFor();
    await field.fill(String(other.id));
    await field.press('Enter');
    await page.getByRole('button', { name: `Leave out brand ${other.id}` }).click();
    await page.getByRole('button', { name: 'Create the administrator' }).click();
    const secret = page.locator('.secret code');
    await secret.waitFor();
    registerCanary((await secret.innerText()).trim());
    const { json } = await admin.get('/administrators');
    assert.deepEqual(json.data.find(({ name }: { name: string }) => name === 'Olga').brand_ids, [brand.id]);
    await page.getByRole('link', { name: 'I have stored the token' }).click();
    await page.getByRole('row', { name: /Olga/ }).getByRole('link', { name: /Named/ }).waitFor();
    opened.assertNoProblems();
    await opened.close();
  });

  it('shows the name of a key next to its id, and offers it where one is typed', async () => {
    const opened = await open(`${base}/refusals`);
    const { page } = opened;
    await page.getByRole('link', { name: 'Nightly importer' }).first().waitFor();
    await choose(page, 'Key', /^Reader/);
    await page.getByRole('combobox', { name: 'Key: Reader' }).waitFor();
    await page.getByText('No refused request matches the filters').waitFor();
    await page.goto(page.url().replace(/refusals.*/, 'limits'));
    await page
      .getByRole('link', { name: /^Reader tuk_/ })
      .first()
      .waitFor();
    opened.assertNoProblems();
    await opened.close();
  });
});
