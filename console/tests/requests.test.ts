// processes: starts a browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { waitFor } from '../../server/test/support/wait-for.ts';
import { choose, program, startConsole } from './support/console-kit.ts';

describe('the look-up of a request in the console', { skip: program === null }, async () => {
  if (program === null) return;
  const { server, open, inspect } = await startConsole();
  const { json: brand } = await server.admin.post('/brands', { name: 'Traced' });
  const scopes = ['catalog.products:write', 'catalog.stock:write', 'catalog.stock:ingest'];
  const { json: key } = await server.admin.post(`/brands/${brand.id}/keys`, { name: 'ERP', scopes });
  const client = server.clientWith(key.api_key);
  assert.equal((await client.post('/catalog/stock/locations', { external_code: 'WH' })).status, 201);
  const { json: product } = await client.create('/catalog/products', { sku: 'TEE' });
  const adjustPath = `/catalog/products/${product.tu_id}/stock/adjust`;
  const adjusted = await client.create(adjustPath, { location: 'WH', quantity: 1234 });
  assert.equal(adjusted.status, 200, adjusted.text);
  const requestId = String(adjusted.headers['x-request-id']);
  const order = 'order/1042?first=&100%';
  const created = await client.post('/catalog/products', { sku: 'MUG' }, { 'idempotency-key': order });
  assert.equal(created.status, 201, created.text);

  it('leads from a pasted id to what the request wrote, and on to the key', async () => {
    const opened = await open(`/brands/${brand.id}`, {
      isExpected: (problem) => /ERR_ABORTED|404/.test(problem),
    });
    const { page } = opened;
    await page.getByRole('heading', { name: 'Traced' }).waitFor();
    const search = page.getByRole('combobox', { name: 'Search' });
    const option = (name: RegExp) => page.getByRole('option', { name });
    await page.keyboard.press('Control+k');
    await search.fill('no request/id');
    await page.getByText('Nothing found.').waitFor();
    await search.fill(requestId);
    await option(/Request /).waitFor();
    await page.keyboard.press('Enter');
    const step = (kind: string) => page.getByRole('listitem').filter({ hasText: kind });
    await step('Movement').getByText('0 → 1,234').waitFor();
    assert.match(await step('Movement').innerText(), /TEE at WH/);
    assert.match((await step('Response').innerText()).replace(/\s+/g, ' '), new RegExp(`${adjustPath} 200`));
    assert.ok(page.url().endsWith(`/console/requests/${requestId}`), page.url());
    await page.getByRole('link', { name: /tuk_/ }).press('Enter');
    await page.getByRole('heading', { name: 'ERP' }).waitFor();
    opened.assertNoProblems();
    await opened.close();
  });

  // [internal-210]
  it('shows equal refused requests as one row with their number, on the page of the key as well, or each', async () => {
    const { json: other } = await server.admin.post('/brands', { name: 'Repeated' });
    const { json: busy } = await server.admin.post(`/brands/${other.id}/keys`, { name: 'Loop', scopes });
    for (let n = 0; n < 3; n += 1)
      await server
        .clientWith(busy.api_key)
        .post('/catalog/products', { sku: 7 }, { 'idempotency-key': `k${n}` });
    await server.keyUsage.flush();
    const opened = await open(`/brands/${other.id}/keys/${busy.key_id}`);
    const { page } = opened;
    await page.getByRole('row', { name: /3 422.*createProduct/ }).waitFor();
    await page.goto(`${server.internalUrl}/console/brands/${other.id}/refusals`);
    await page.getByRole('row', { name: /3 422.*createProduct/ }).waitFor();
    await page.getByText('1 row', { exact: true }).waitFor();
    await choose(page, 'Rows', 'Each request');
    await page.getByText('3 rows').waitFor();
    await opened.assertAccessible();
    opened.assertNoProblems();
    await opened.close();
  });

  it('leads from an Idempotency-Key in a mail to the response that a retry receives', async () => {
    const opened = await open(`/brands/${brand.id}`, { isExpected: (problem) => /ABORTED/.test(problem) });
    const { page } = opened;
    await page.getByRole('heading', { name: 'Traced' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill(` ${order} `);
    await page.getByRole('option', { name: /Idempotency-Key, settled/ }).click();
    await page.getByRole('heading', { name: 'POST /catalog/products 201' }).waitFor();
    const stored = await page.getByRole('region', { name: 'Stored response' }).innerText();
    assert.deepEqual(JSON.parse(stored), created.json);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy the response' }).press('Enter');
    await page.getByText('Copied').waitFor();
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), created.text);
    opened.assertNoProblems();
    await opened.close();
  });

  it('leads from a line of the audit to the request', async () => {
    const opened = await open(`/audit?resource=${key.key_id}`);
    const { page } = opened;
    await page
      .getByRole('row', { name: /created the key/ })
      .locator('a[href*="/requests/"]')
      .press('Enter');
    await page.locator('strong').getByText('api_key.create').waitFor();
    await page.getByRole('link', { name: /tuk_/ }).waitFor();
    opened.assertNoProblems();
    await opened.close();
  });

  it('answers for a request that was refused, and leads to its key, with all refusals of it', async () => {
    const refused = await client.create('/catalog/products', { title: 'x' });
    assert.equal(refused.status, 422);
    const { json: old } = await server.admin.post(`/brands/${brand.id}/keys`, { name: 'Forgotten', scopes });
    await server.admin.post(`/keys/${old.key_id}/revoke`);
    const forgotten = server.clientWith(old.api_key);
    for (let n = 0; n < 3; n += 1) assert.equal((await forgotten.get('/catalog/status')).status, 401);
    const stored = async () => (await server.admin.get(`/brands/${brand.id}/refusals`)).json.meta.total === 2;
    await waitFor('the refusals', stored);
    const opened = await open(`/requests/${String(refused.headers['x-request-id'])}`);
    const { page } = opened;
    await page.getByText('validation_failed').waitFor();
    await page.getByText('sku', { exact: true }).waitFor();
    await page.getByText('is required').first().waitFor();
    await opened.assertAccessible();
    await page.getByRole('link', { name: /tuk_/ }).press('Enter');
    await page.getByRole('heading', { name: 'ERP' }).waitFor();
    await page.getByRole('table', { name: 'Refused requests' }).getByText('422').waitFor();
    await page.goto(`${server.internalUrl}/console/brands/${brand.id}/keys/${old.key_id}`);
    await page.getByRole('heading', { name: 'Forgotten' }).waitFor();
    await page.getByText('the key is revoked').waitFor();
    await page.getByRole('row', { name: /3 401/ }).waitFor();
    await page.goto(`${server.internalUrl}/console/brands/${brand.id}/refusals?status=422`);
    await page.getByRole('cell', { name: 'createProduct' }).waitFor();
    assert.equal(await page.getByRole('cell', { name: '401' }).count(), 0);
    await page.goto(`${server.internalUrl}/console/`);
    await page.getByText(/requests were refused in 24 hours/).waitFor();
    opened.assertNoProblems();
    await opened.close();
  });

  it('finds any X-Request-Id and batch id, with the scope that was missing', async () => {
    const wanting = server.clientWith(key.api_key);
    const short = await wanting.get('/catalog/stock/levels', { 'x-request-id': 'abc' });
    assert.equal(short.status, 403, short.text);
    const lines = [{ sku: 'TEE', location_code: 'WH', quantity: 1 }];
    const batch = { 'idempotency-key': 'nightly-2026-11' };
    const sent = await wanting.post(
      '/catalog/stock/feeds',
      { source: 'ERP', mode: 'snapshot', lines },
      batch,
    );
    assert.equal(sent.status, 202, sent.text);
    await waitFor('the refusal', async () => (await server.admin.get('/requests/abc')).status === 200);
    const opened = await open('/requests', { isExpected: (problem) => problem.includes('ABORTED') });
    const { page } = opened;
    await page.getByLabel('Request id').fill('abc');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/requests/abc');
    const search = page.getByRole('combobox', { name: 'Search' });
    await page.keyboard.press('Control+k');
    await search.fill('nightly-2026-11');
    await page.getByRole('option', { name: /nightly-2026-11.*Feed .* of Traced/ }).waitFor();
    await search.fill('abc');
    await page.getByRole('option', { name: /Request abc/ }).click();
    await page.getByText('This endpoint requires the scope catalog.stock:read').waitFor();
    await page
      .getByRole('definition')
      .filter({ hasText: 'catalog.products:write, catalog.stock:write' })
      .waitFor();
    const guide = page.getByRole('link', { name: 'What it means, and what to do' });
    assert.equal(await guide.getAttribute('href'), '/internal/docs/guides/errors/insufficient_scope');
    await opened.assertAccessible();
    opened.assertNoProblems();
    await opened.close();
  });

  // [internal-208]
  it('lists requests without a key by minute, network and reason, for administrators', async () => {
    const opened = await open('/without-key');
    const { page } = opened;
    await page.getByText('No request was refused for its key').waitFor();
    server.clock.advance(60_000 - (server.clock.now() % 60_000));
    const wrong = `${key.key_id}.${'x'.repeat(40)}`;
    for (let n = 0; n < 2; n += 1)
      assert.equal((await server.clientWith(wrong).get('/catalog/status')).status, 401);
    assert.equal((await server.clientWith('no-key').get('/catalog/status')).status, 401);
    // A minute is written once it is over.
    server.clock.advance(61_000);
    await server.keyUsage.flush();
    await page.reload();
    await page.getByRole('row', { name: /127\.0\.0\.1.*the secret is wrong.*2$/ }).waitFor();
    await choose(page, 'Reason', 'the token has no form of a key');
    await page.waitForURL(/reason=malformed/);
    await page.getByText('1 row', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Clear the filters' }).click();
    await page.getByRole('searchbox', { name: 'Network' }).fill('203.0.113.7');
    await page.keyboard.press('Enter');
    await page.getByText('No request matches the filters').waitFor();
    opened.assertNoProblems();
    await opened.close();
    const finding = await open('/requests');
    await finding.page.getByRole('main').getByRole('link', { name: 'Without a key' }).click();
    await finding.page.waitForURL('**/without-key');
    await finding.page.keyboard.press('Control+k');
    await finding.page.getByRole('combobox', { name: 'Search' }).fill('without');
    await finding.page.getByRole('option', { name: /^Without a key/ }).waitFor();
    await finding.close();
  });

  it('says that a request has written nothing, without an error', async () => {
    const opened = await open('/requests/never-seen-1', { isExpected: (problem) => problem.includes('404') });
    await opened.page.getByText('No request with this id has written anything').waitFor();
    await opened.assertAccessible();
    opened.assertNoProblems();
    await opened.close();
  });

  it('shows what a request wrote, well made in every look', async () => {
    await inspect(`/requests/${requestId}`, 'request', (page) => page.getByText('0 → 1,234').waitFor());
  });
});
