// processes: starts a browser
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { waitFor } from '../../server/test/support/wait-for.ts';
import { program, startConsole, type, typeTime } from './support/console-kit.ts';

describe('explaining a quantity in the console', { skip: program === null }, async () => {
  if (program === null) return;
  const { server, open } = await startConsole();
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
    await page.getByRole('option', { name: /TEE.*Explain its stock/ }).click();
    await page.getByRole('link', { name: 'WH', exact: true }).press('Enter');
    const thread = page.getByRole('list', { name: 'From the quantity to its causes' });
    await thread.waitFor();
    assert.ok(page.url().endsWith(`/console${address}`), page.url());
    const steps = thread.locator(':scope > li');
    await steps.nth(3).getByText('ERP tuk_').waitFor();
    const texts = (await steps.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
    assert.equal(texts.length, 4);
    assert.match(
      texts[0] ?? '',
      /^Quantity 7, because feed erp-new of ERP set it .*\. 0 reserved now, 7 available now$/,
    );
    assert.match(texts[1] ?? '', /^Stale line 9, not applied.*erp-old line 1/);
    assert.match(texts[2] ?? '', /^Feed line 3 → 7 .*Feed erp-new line 1.*Request .*Key ERP tuk_/);
    assert.match(texts[3] ?? '', /^Adjustment 0 → 3 .*Stocktake.*Request .*Key ERP tuk_/);
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

  it('says in words what set the quantity last, and when', async () => {
    const [, adjustment] = explanation.entries;
    const ago = '(just now|\\d+ (second|minute)s? ago)';
    const opened = await open(address);
    const { page } = opened;
    const says = (text: string) => page.getByText(new RegExp(`^${text}\\.`)).waitFor();
    await says(`7, because feed erp-new of ERP set it ${ago}`);
    await page.goto(`${server.internalUrl}/console${address}&at=${adjustment.at}`);
    await says(`3 ${ago}, because ERP set it ${ago}`);
    await page.getByRole('button', { name: 'UTC', exact: true }).click();
    const utc = `${adjustment.at.slice(0, 19).replace('T', ' ')} UTC`;
    await says(`3 ${utc}, because ERP set it at ${utc}`);
    await page.goto(`${server.internalUrl}/console${address}&at=2026-01-01T00:00:00Z`);
    await says('0 2026-01-01 00:00:00 UTC, because nothing had set it yet');
    opened.assertNoProblems();
    await opened.close();
  });

  it('names the key also after it was revoked', async () => {
    const { json: other } = await server.admin.post(`${base}/keys`, { name: 'Gone ERP', scopes });
    const gone = server.clientWith(other.api_key);
    await client.create('/catalog/products', { sku: 'HAT-1' });
    const { json: skus } = await server.admin.get(`${base}/skus?prefix=HAT-1`);
    const path = `/catalog/products/${skus.data[0].tu_id}/stock/adjust`;
    assert.equal((await gone.create(path, { location: 'WH', quantity: 2 })).status, 200);
    await server.admin.post(`/keys/${other.key_id}/revoke`);
    const opened = await open(`${base}/explain?sku=HAT-1&location=WH`);
    await opened.page.getByRole('link', { name: /^Gone ERP tuk_/ }).waitFor();
    opened.assertNoProblems();
    await opened.close();
  });

  it('explains the quantity of an earlier instant, in the zone of the shown times', async () => {
    const [fed] = explanation.entries;
    const at = new Date(Date.parse(fed.at) - 1).toISOString();
    const opened = await open(address, { timezoneId: 'Asia/Tokyo' });
    const { page } = opened;
    await page.getByText('3 → 7').waitFor();
    await page.getByRole('button', { name: 'Local', exact: true }).click();
    const shown = new Date(Date.parse(at) + 540 * 60_000).toISOString().slice(0, -1);
    await typeTime(page, 'As of', { 'As of, Asia/Tokyo': shown });
    await page.waitForURL((url) => url.searchParams.get('at') === at);
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

  it('goes back and forth between changes by keyboard, and the address is the whole question', async () => {
    const [fed, adjustment] = explanation.entries;
    const opened = await open(address);
    const { page } = opened;
    const slider = page.getByRole('slider', { name: 'As of' });
    const quantity = page.getByRole('listitem').filter({ hasText: 'Quantity' }).locator('strong');
    await slider.focus();
    assert.equal(await slider.getAttribute('aria-valuetext'), 'now');
    await quantity.getByText('7').waitFor();
    // The last change led to 7: the one before it has another figure.
    await page.keyboard.press('ArrowLeft');
    await page.waitForURL((url) => url.searchParams.get('at') === adjustment.at);
    await quantity.getByText('3').waitFor();
    await page.getByText('3 → 7').waitFor({ state: 'detached' });
    await page.keyboard.press('ArrowRight');
    await page.waitForURL((url) => url.searchParams.get('at') === fed.at);
    await page.getByText('3 → 7').waitFor();
    await page.keyboard.press('End');
    await page.waitForURL((url) => !url.searchParams.has('at'));
    await page.getByRole('button', { name: 'Previous change' }).press('Enter');
    await page.waitForURL((url) => url.searchParams.get('at') === adjustment.at);
    await page.getByRole('button', { name: 'Next change' }).press('Enter');
    await page.waitForURL((url) => url.searchParams.get('at') === fed.at);
    // Another person opens the address.
    const other = await open(page.url().split('/console')[1] ?? '');
    await other.page.getByText('3 → 7').waitFor();
    assert.ok((await slider.getAttribute('aria-valuetext'))?.endsWith('UTC'));
    await other.page.getByRole('button', { name: /^As of: / }).click();
    const shown = await other.page.getByLabel('As of, UTC').inputValue();
    assert.equal(Date.parse(`${shown}Z`), Date.parse(fed.at));
    other.assertNoProblems();
    opened.assertNoProblems();
    await other.close();
    await opened.close();
  });

  it('shows the difference of two instants with what came between them, and exports it', async () => {
    const [fed, adjustment] = explanation.entries;
    const opened = await open(`${address}&at=${fed.at}`);
    const { page } = opened;
    await typeTime(page, 'Changed since', { 'Changed since, UTC': adjustment.at.slice(0, -1) });
    await page.getByText('The quantity rose by 4 between the two instants.').waitFor();
    await page.waitForURL((url) => url.searchParams.get('from') === adjustment.at);
    const steps = page.getByRole('list', { name: 'From the quantity to its causes' }).locator(':scope > li');
    const texts = (await steps.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
    assert.deepEqual(
      texts.map((text) => text.match(/^(Quantity \d|Feed line 3 → 7)/)?.[0]),
      ['Quantity 7', 'Feed line 3 → 7', 'Quantity 3'],
    );
    const started = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export as JSON' }).press('Enter');
    const file = await started;
    assert.equal(file.suggestedFilename(), 'explain-TEE-WH.json');
    const exported = JSON.parse(await readFile(await file.path(), 'utf8'));
    assert.deepEqual([exported.quantity_from, exported.quantity_at, exported.is_complete], [3, 7, true]);
    assert.deepEqual(exported.entries, [fed]);
    assert.deepEqual(exported.question, {
      brand_id: brand.id,
      sku: 'TEE',
      location: 'WH',
      from: adjustment.at,
      at: fed.at,
    });
    await typeTime(page, 'Changed since', { 'Changed since, UTC': '2099-01-01' });
    await page.getByText('The first instant is after the second one').waitFor();
    opened.assertNoProblems();
    await opened.close();
  });

  it('turns the pages of 60 changes, and exports all of them', async () => {
    const { json: cap } = await client.create('/catalog/products', { sku: 'CAP' });
    for (let quantity = 1; quantity <= 60; quantity += 1)
      await client.create(`/catalog/products/${cap.tu_id}/stock/adjust`, { location: 'WH', quantity });
    const opened = await open(`${base}/explain?sku=CAP&location=WH`);
    const { page } = opened;
    await page.getByText('59 → 60').waitFor();
    await page.keyboard.press(']');
    await page.getByText('9 → 10').waitFor();
    await page.getByText('59 → 60').waitFor({ state: 'detached' });
    await page.getByText('0 → 1', { exact: true }).waitFor();
    assert.ok(page.url().includes('before='));
    await page.keyboard.press('[');
    await page.getByText('59 → 60').waitFor();
    const started = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export as JSON' }).press('Enter');
    const exported = JSON.parse(await readFile(await (await started).path(), 'utf8'));
    assert.equal(exported.entries.length, 60);
    opened.assertNoProblems();
    await opened.close();
  });

  it('offers the locations of the brand, first those that have a level of the SKU', async () => {
    for (const code of ['AAA', 'ZZZ'])
      assert.equal((await client.post('/catalog/stock/locations', { external_code: code })).status, 201);
    const opened = await open(`${base}/explain?sku=TEE`);
    const { page } = opened;
    await page.getByRole('combobox', { name: 'Location code: any' }).click();
    const options = page.getByRole('option');
    await options.filter({ hasText: '7 now' }).waitFor();
    assert.deepEqual(await options.allInnerTexts(), ['WH, 7 now', 'AAA, no level', 'ZZZ, no level']);
    await options.first().click();
    await page.getByText('3 → 7').waitFor();
    opened.assertNoProblems();
    await opened.close();
  });

  it('says that a SKU, a location or a quantity does not exist', async () => {
    assert.equal((await client.post('/catalog/stock/locations', { external_code: 'EMPTY' })).status, 201);
    const opened = await open(`${base}/explain?sku=TEE&location=NOWHERE`, {
      isExpected: (problem) => problem.includes('404'),
    });
    await opened.page.getByText('The brand has no location "NOWHERE"').waitFor();
    await type(opened.page, 'Location code', 'EMPTY');
    await opened.page.keyboard.press('Enter');
    await opened.page.getByText('This SKU has had no quantity at this location').waitFor();
    opened.assertNoProblems();
    await opened.close();
  });
});
