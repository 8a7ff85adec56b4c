// nightly: charts of activity and stock in a browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { waitFor } from '../../server/test/support/wait-for.ts';
import { program, startConsole } from './support/console-kit.ts';
import { seedCatalog } from './support/seed-catalog.ts';

/** Counts the pixels of both parts of the second chart's bars, and the columns between the last bar and the end of the axis. */
const partsOfBars = `(() => {
  const chart = document.querySelectorAll('.chart')[1];
  const canvas = chart.querySelector('canvas');
  const { width, height } = canvas;
  const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
  const [decided, refused] = [...chart.querySelectorAll('.u-marker')].slice(-2).map((marker) => {
    const [r, g, b] = getComputedStyle(marker).backgroundColor.match(/[0-9]+/g).map(Number);
    const found = [];
    for (let at = 0; at < data.length; at += 4)
      if (data[at] === r && data[at + 1] === g && data[at + 2] === b) found.push((at / 4) % width);
    return found;
  });
  const plot = chart.querySelector('.u-over');
  const end = (plot.offsetLeft + plot.offsetWidth) * devicePixelRatio;
  return { decided: decided.length, refused: refused.length, edge: end - 1 - Math.max(...refused) };
})()`;

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
        await page.getByRole('img', { name: /^\d+ requests?, 0 the day before$/ }).waitFor();
        assert.equal(await page.getByText('learning events').count(), 0);
      });
    const opened = await open(`/brands/${shop.brandId}`);
    const { page } = opened;
    await page.getByText('2 of 2 levels are out of stock, low or stale').waitFor();
    // Two lines were decided and one was refused: a bar of three, whole at the right edge of the chart.
    await page.locator('.chart canvas').nth(1).waitFor();
    const { decided, refused, edge } = (await page.evaluate(partsOfBars)) as Record<string, number>;
    assert.ok(Math.abs(Number(decided) / Number(refused) - 2) < 0.3, `${decided} and ${refused} pixels`);
    assert.ok(Number(edge) > 0, 'the bar of this hour is cut off');
    await page.getByText('33 % failed', { exact: true }).waitFor();
    // A bar opens what was refused in its hour.
    const { width = 0, height = 0 } = (await page.locator('.u-over').first().boundingBox()) ?? {};
    await page
      .locator('.u-over')
      .first()
      .click({ position: { x: width * 0.97, y: height * 0.9 } });
    await page.waitForURL(/refusals\?from=.*&to=/);
    await page.goBack();
    // A bar of feed lines opens the feeds of its hour, failed or not.
    const lines = page.locator('.u-over').nth(1);
    await lines.click({ position: { x: width * 0.97, y: height * 0.9 } });
    await page.waitForURL(/feeds\?from=.*&to=/);
    assert.equal(new URL(page.url()).searchParams.get('refused_lines'), null);
    await page.getByRole('link', { name: 'night', exact: true }).waitFor();
    await page.goBack();
    // The same by keyboard: one bar of a chart is in the order of tabs, and arrows move between them.
    const bars = page.getByRole('group', { name: /^3 feed lines/ }).getByRole('button');
    const entry = page.locator('.chart-bars').nth(1).locator('[tabindex="0"]');
    assert.equal(await bars.count(), 24);
    await entry.focus();
    for (const key of ['ArrowRight', 'ArrowLeft', 'Home', 'End']) await page.keyboard.press(key);
    assert.match(
      (await entry.getAttribute('aria-label')) ?? '',
      /^[-0-9]+, \d\d:00 to \d\d:00 UTC: 2 decided, 1 failed$/,
    );
    assert.equal(await entry.count(), 1);
    await opened.assertAccessible();
    await page.keyboard.press('ArrowLeft');
    assert.match(
      String(await page.evaluate('document.activeElement.ariaLabel')),
      /UTC: 0 decided, 0 failed$/,
    );
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.waitForURL(/feeds\?from=.*&to=/);
    await page.getByRole('link', { name: 'night', exact: true }).waitFor();
    await page.goBack();
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
