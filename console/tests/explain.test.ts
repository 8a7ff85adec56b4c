// processes: starts a server and a browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { waitFor } from '../../server/test/support/wait-for.ts';
import { program, startConsole } from './support/console-kit.ts';

describe('explaining a quantity in the console', { skip: program === null }, async () => {
  if (program === null) return;
  const { server, open, inspect } = await startConsole();
  const { json: brand } = await server.admin.post('/brands', { name: 'Explained' });
  const base = `/brands/${brand.id}`;
  const scopes = ['catalog.products:write', 'catalog.stock:write', 'catalog.stock:ingest'];
  const { json: key } = await server.admin.post(`${base}/keys`, { name: 'ERP', scopes });
  const client = server.clientWith(key.api_key);
  assert.equal((await client.post('/catalog/stock/locations', { external_code: 'WH' })).status, 201);
  const { json: product } = await client.create('/catalog/products', { sku: 'TEE' });
  const body = { location: 'WH', quantity: 3, note: 'Stocktake' };
  const adjusted = await client.create(`/catalog/products/${product.tu_id}/stock/adjust`, body);
  assert.equal(adjusted.status, 200, adjusted.text);

  async function feed(batchId: string, line: object): Promise<void> {
    const lines = [{ sku: 'TEE', location_code: 'WH', ...line }];
    const sent = await client.post(
      '/catalog/stock/feeds',
      { source: 'ERP', mode: 'snapshot', lines },
      { 'idempotency-key': batchId },
    );
    await waitFor(`the end of ${batchId}`, async () => {
      const { json } = await server.admin.get(`${base}/feeds/${sent.json.feed_id}`);
      return json.finished_at;
    });
  }

  await feed('erp-new', { quantity: 7, updated_at: new Date(Date.now() + 1000).toISOString() });
  await feed('erp-old', { quantity: 9, updated_at: '2026-01-01T00:00:00Z' });
  const address = `${base}/explain?sku=TEE&location=WH`;
  const { json: explanation } = await server.admin.get(`${base}/stock/explain?sku=TEE&location=WH`);

  it('explains why a stock is 7: from the number to the feed line, the request and the key', async () => {
    const opened = await open(base, { isExpected: (problem) => problem.includes('ERR_ABORTED') });
    const { page } = opened;
    await page.getByRole('heading', { name: 'Explained' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill('TEE');
    await page.getByRole('option', { name: /TEE/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Enter a SKU and a location code').waitFor();
    await page.getByLabel('Location code').fill('WH');
    await page.keyboard.press('Enter');
    const thread = page.getByRole('list', { name: 'From the quantity to its causes' });
    await thread.waitFor();
    assert.ok(page.url().endsWith(`/console${address}`), page.url());
    const steps = thread.locator(':scope > li');
    const texts = (await steps.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
    assert.equal(texts.length, 4);
    assert.match(texts[0] ?? '', /^Quantity 7 now/);
    assert.match(texts[1] ?? '', /^Stale line 9, not applied.*erp-old line 0/);
    assert.match(texts[2] ?? '', /^Feed line 3 → 7 .*Feed erp-new line 0.*Request .*Key tuk_/);
    assert.match(texts[3] ?? '', /^Adjustment 0 → 3 .*Stocktake.*Request .*Key tuk_/);
    assert.equal(await steps.nth(1).getAttribute('data-tone'), 'off');
    await steps.nth(2).getByRole('link', { name: 'erp-new' }).press('Enter');
    await page.getByRole('heading', { name: 'erp-new' }).waitFor();
    await page.goBack();
    await steps.nth(2).locator('a[href*="/requests/"]').press('Enter');
    await page.getByRole('heading', { name: 'Request' }).waitFor();
    await page.getByRole('link', { name: 'erp-new' }).waitFor();
    await page.goBack();
    await steps.nth(2).getByRole('link', { name: /tuk_/ }).press('Enter');
    await page.getByRole('heading', { name: 'ERP' }).waitFor();
    opened.assertNoProblems();
    await opened.close();
  });

  it('explains the quantity of an earlier instant, and refuses what is no instant', async () => {
    const [fed] = explanation.entries;
    const at = new Date(Date.parse(fed.at) - 1).toISOString();
    const opened = await open(address, { isExpected: (problem) => problem.includes('422') });
    const { page } = opened;
    await page.getByText('3 → 7').waitFor();
    const field = page.getByLabel(/^At, such as/);
    await field.fill('yesterday');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('at', { exact: true }).waitFor();
    await field.fill(at);
    await page.keyboard.press('Enter');
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Quantity' })
      .locator('strong')
      .getByText('3')
      .waitFor();
    await page.getByText('3 → 7').waitFor({ state: 'detached' });
    await page.getByText('0 → 3').waitFor();
    assert.ok(page.url().includes('at='), 'the instant is in the address');
    opened.assertNoProblems();
    await opened.close();
  });

  it('says that a SKU, a location or a quantity does not exist', async () => {
    assert.equal((await client.post('/catalog/stock/locations', { external_code: 'EMPTY' })).status, 201);
    const opened = await open(`${base}/explain?sku=TEE&location=NOWHERE`, {
      isExpected: (problem) => problem.includes('404'),
    });
    await opened.page.getByText('The brand has no such SKU or no such location').waitFor();
    await opened.page.getByLabel('Location code').fill('EMPTY');
    await opened.page.keyboard.press('Enter');
    await opened.page.getByText('This SKU has had no quantity at this location').waitFor();
    opened.assertNoProblems();
    await opened.close();
  });

  it('looks well on a desk by day and on a phone by night', async () => {
    await inspect(address, 'explain', (page) => page.getByText('3 → 7').waitFor());
  });
});
