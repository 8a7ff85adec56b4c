// processes: starts a browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { program, startConsole } from './support/console-kit.ts';

describe('the first steps in the console', { skip: program === null }, async () => {
  if (program === null) return;
  const { server, open } = await startConsole();
  const { admin } = server;

  it('lead from the root of the listener through a brand and a key to the first request, and end there', async () => {
    const opened = await open('/');
    const { page } = opened;
    const steps = page.getByRole('region', { name: 'First steps' });
    const goOn = steps.getByRole('link', { name: 'Go on' });
    await page.goto(server.internalUrl);
    await page.waitForURL('**/console/');
    await steps.waitFor();
    await opened.assertAccessible();
    await goOn.click();
    await page.getByLabel('Name').fill('First');
    await page.getByRole('button', { name: 'Create the brand' }).click();
    await page.getByRole('heading', { name: 'New key' }).waitFor();
    const { json: brands } = await admin.get('/brands');
    const base = `/brands/${brands.data[0].id}`;
    await page.goto(`${server.internalUrl}/console/`);
    assert.equal(await goOn.getAttribute('href'), `/console${base}/keys/new`);
    const scopes = ['catalog.products:read'];
    const { json: key } = await admin.post(`${base}/keys`, { name: 'ERP', scopes });
    await page.goto(`${server.internalUrl}/console/`);
    await steps.getByText('done').nth(1).waitFor();
    assert.equal(await steps.getByText('done').count(), 2);
    await server.clientWith(key.api_key).get('/catalog/products');
    await server.keyUsage.flush();
    await page.goto(`${server.internalUrl}/console/`);
    await page.getByText('All well').waitFor();
    await page.getByRole('heading', { name: 'Activity' }).waitFor();
    assert.equal(await steps.count(), 0);
    opened.assertNoProblems();
    await opened.close();
  });

  it('say that a brand of the name exists', async () => {
    const opened = await open('/brands/new');
    const { page } = opened;
    await page.getByLabel('Name').fill('first');
    await page.getByText('A brand of this name exists:').getByRole('link', { name: 'First' }).waitFor();
    await page.getByLabel('Name').fill('firs');
    await page.getByText('A brand of this name exists:').waitFor({ state: 'detached' });
    opened.assertNoProblems();
    await opened.close();
  });
});
