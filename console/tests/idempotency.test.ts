// processes: starts a browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { program, startConsole } from './support/console-kit.ts';

describe('the look-up of an Idempotency-Key in the console', { skip: program === null }, async () => {
  if (program === null) return;
  const { server, open, inspect } = await startConsole();
  const { json: brand } = await server.admin.post('/brands', { name: 'Retried' });
  const base = `/brands/${brand.id}`;
  const scopes = ['catalog.products:write'];
  const { json: key } = await server.admin.post(`${base}/keys`, { name: 'ERP', scopes });
  const order = 'order/1042?first=&100%';
  const body = { sku: 'TEE', title: 'Große “Tasse”' };
  const client = server.clientWith(key.api_key);
  const created = await client.post('/catalog/products', body, { 'idempotency-key': order });
  assert.equal(created.status, 201, created.text);

  it('leads from the key in a mail to the stored response, the request and the API key', async () => {
    const opened = await open(base);
    const { page } = opened;
    await page.getByRole('heading', { name: 'Retried' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('i');
    await page.getByText('Enter an Idempotency-Key').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type(`  ${order} `);
    await page.keyboard.press('Enter');
    const use = page.getByRole('region', { name: 'POST /v1/client/catalog/products' });
    await use.waitFor();
    const text = (await use.innerText()).replace(/\s+/g, ' ');
    assert.match(text, /State ● settled a retry receives the stored response/);
    assert.match(text, /Status 201/);
    assert.match(text, /Free again in 2[34] hours/);
    const stored = await page.getByRole('region', { name: 'Stored response' }).innerText();
    assert.deepEqual(JSON.parse(stored), created.json);
    assert.match(stored, /\n {2}"sku": "TEE"/);
    const context = page.context();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy the response' }).press('Enter');
    await page.getByText('Copied').waitFor();
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), created.text);
    const address = page.url();
    await use.locator('a[href*="/requests/"]').press('Enter');
    await page.getByRole('link', { name: order }).press('Enter');
    await use.waitFor();
    assert.equal(page.url(), address, 'the address is the look-up');
    await use.getByRole('link', { name: /tuk_/ }).press('Enter');
    await page.getByRole('heading', { name: 'ERP' }).waitFor();
    opened.assertNoProblems();
    await opened.close();
  });

  it('says why a key may be unknown, and what is no key', async () => {
    const opened = await open(`${base}/idempotency?key=order-7`, {
      isExpected: (problem) => /404|422/.test(problem),
    });
    const { page } = opened;
    await page.getByText('No request of this brand used the key in the last 24 hours').waitFor();
    await opened.assertAccessible();
    const field = page.getByLabel('Idempotency-Key');
    await field.fill('two words');
    await field.press('Enter');
    await page.getByRole('alert').waitFor();
    opened.assertNoProblems();
    await opened.close();
  });

  it('looks well on a desk by day and on a phone by night', async () => {
    await inspect(`${base}/idempotency?key=${encodeURIComponent(order)}`, 'idempotency', (page) =>
      page.getByText('settled').first().waitFor(),
    );
  });
});
