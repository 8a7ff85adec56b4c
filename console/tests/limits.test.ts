// processes: starts a browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { program, startConsole } from './support/console-kit.ts';

describe('the limits in the console', { skip: program === null }, async () => {
  if (program === null) return;
  const { server, open, inspect } = await startConsole({ limits: { catalogWrites: 60, catalogBrand: 600 } });
  const { json: brand } = await server.admin.post('/brands', { name: 'Limited' });
  const scopes = ['catalog.products:write'];
  const { json: key } = await server.admin.post(`/brands/${brand.id}/keys`, { name: 'Importer', scopes });
  const path = `/brands/${brand.id}/limits`;
  const owns = async () => {
    const { json } = await server.admin.get(path);
    const all: { own: boolean; bucket: string; limit: number; until: string | null }[] = json.data;
    return all.filter(({ own }) => own).map(({ bucket, limit, until }) => [bucket, limit, until]);
  };

  it('are set for a key until a time, shown, and removed', async () => {
    const opened = await open(`${path}?key=${key.key_id}`, {
      isExpected: (problem) => problem.includes('422'),
    });
    const { page } = opened;
    const writes = page.getByLabel('Writes of the catalog a minute');
    await writes.fill('6000 ');
    await page.getByLabel('Until, UTC').fill('2020-01-01T06:00');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('must be in the future').waitFor();
    await page.getByLabel('Until, UTC').fill('2099-01-01T06:00');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The limits are saved.').waitFor();
    assert.deepEqual(await owns(), [['catalog_writes', 6_000, '2099-01-01T06:00:00.000Z']]);
    const client = server.clientWith(key.api_key);
    const { headers } = await client.create('/catalog/products', { sku: 'A' });
    assert.equal(headers['x-ratelimit-limit'], '600', 'the limit of the brand is tighter now');
    await writes.fill('many');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').waitFor();
    await opened.assertAccessible();
    await page.reload();
    await page.getByRole('button', { name: 'Use the configured limits' }).click();
    await page.getByText('The configured limits hold again.', { exact: true }).waitFor();
    assert.deepEqual(await owns(), []);
    await page.getByLabel('Of', { exact: true }).selectOption('');
    await page.getByLabel('Requests to the catalog a minute').fill('9000');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: '9,000' }).waitFor();
    assert.deepEqual(await owns(), [['catalog_brand', 9_000, null]]);
    await page.getByLabel('Requests to the catalog a minute').fill('');
    assert.ok(await page.getByRole('button', { name: 'Save' }).isDisabled());
    opened.assertNoProblems();
    await opened.close();
  });

  it('have pages; a key of another page is changed, with what the service warns of', async () => {
    const { json: many } = await server.admin.post('/brands', { name: 'Many keys' });
    const keys = [];
    for (let n = 0; n < 20; n += 1)
      keys.push((await server.admin.post(`/brands/${many.id}/keys`, { name: `K${n}`, scopes })).json);
    const opened = await open(`/brands/${many.id}/limits?key=${keys[0].key_id}`);
    const { page } = opened;
    await page.getByText('1 to 50 of 62').waitFor();
    await page.getByLabel('Writes of the catalog a minute').fill('601');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('601 a minute is more than the 600 of all keys of the brand').waitFor();
    await page.getByRole('link', { name: 'Next' }).click();
    await page.getByRole('cell', { name: '601' }).waitFor();
    assert.equal(await page.getByLabel('Writes of the catalog a minute').inputValue(), '601');
    opened.assertNoProblems();
    await opened.close();
  });

  it('look well on a desk by day and on a phone by night', async () => {
    await inspect(path, 'own-limits', (page) => page.getByText('catalog_brand').waitFor());
  });
});
