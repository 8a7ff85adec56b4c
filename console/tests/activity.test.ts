// processes: starts a browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { waitFor } from '../../server/test/support/wait-for.ts';
import { program, startConsole } from './support/console-kit.ts';
import { seedCatalog } from './support/seed-catalog.ts';

// [internal-195] [internal-196]
describe('activity and stock health in the console', { skip: program === null }, async () => {
  if (program === null) return;
  const { server, open, inspect } = await startConsole();

  it('say that nothing has happened, and that there is no stock', async () => {
    const { json: brand } = await server.admin.post('/brands', { name: 'New' });
    const opened = await open('/');
    await opened.page.getByText('Nothing has happened in the last 24 hours').waitFor();
    await opened.page.goto(`${opened.page.url()}brands/${brand.id}`);
    await opened.page.getByText('Nothing has happened in the last 24 hours').waitFor();
    await opened.page.getByText('No stock level yet').waitFor();
    opened.assertNoProblems();
    await opened.close();
  });

  it('show charts with the totals of both days, and the levels that need attention by location', async () => {
    const shop = await seedCatalog(server, 'Shop');
    await shop.addLocations(['BERLIN', 'PARIS']);
    await shop.write('/products', { sku: 'MUG' });
    await shop.feed('night', [
      { sku: 'MUG', location_code: 'BERLIN', quantity: 0 },
      { sku: 'MUG', location_code: 'PARIS', quantity: 3 },
      { sku: 'NONE', location_code: 'PARIS', quantity: 3 },
    ]);
    // The usage of keys is written within ten seconds.
    await waitFor('the requests', async () => {
      const { json } = await server.admin.get(`/brands/${shop.brandId}/activity`);
      return json.data.some(({ requests }: { requests: number }) => requests > 0) || null;
    });
    for (const [path, name] of [
      ['/', 'home-activity'],
      [`/brands/${shop.brandId}`, 'brand-activity'],
    ] as const)
      await inspect(path, name, async (page) => {
        await page.getByText('3 feed lines, 0 the day before').waitFor();
        await page.getByRole('img', { name: /^\d+ requests, 0 the day before$/ }).waitFor();
        assert.equal(await page.getByText('learning events').count(), 0);
      });
    const opened = await open(`/brands/${shop.brandId}`);
    const { page } = opened;
    await page.getByText('2 of 2 levels are out of stock, low or stale').waitFor();
    const rows = await page
      .getByRole('table', { name: 'Stock by location' })
      .getByRole('row')
      .allInnerTexts();
    assert.deepEqual(
      rows.slice(1).map((row) => row.split('\t')),
      [
        ['BERLIN', '1', '1', '0', '0'],
        ['PARIS', '1', '0', '1', '0'],
      ],
    );
    await page.getByRole('link', { name: 'Show the list' }).press('Enter');
    await page.getByRole('row', { name: /MUG/ }).waitFor();
    opened.assertNoProblems();
    await opened.close();
  });
});
