// processes: starts a browser
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { advisoryLocks } from '../../server/src/postgres/transaction.ts';
import { waitFor } from '../../server/test/support/wait-for.ts';
import { choose, program, startConsole, type, typeTime } from './support/console-kit.ts';

/** A browser answers a click after the task that runs; on a busy machine, a task takes several times its processor time. */
const longestTaskMs = 200;

describe('stock feeds in the console', { skip: program === null }, async () => {
  if (program === null) return;
  const { server, open } = await startConsole();
  const { json: brand } = await server.admin.post('/brands', { name: 'Feeding' });
  const base = `/brands/${brand.id}/feeds`;
  const scopes = ['catalog.products:write', 'catalog.stock:write', 'catalog.stock:ingest'];
  const { json: key } = await server.admin.post(`/brands/${brand.id}/keys`, { name: 'ERP', scopes });
  const client = server.clientWith(key.api_key);
  await addLocation('WH');
  await addProduct('TEE');
  await addProduct('CAP');

  async function addLocation(code: string): Promise<void> {
    assert.equal((await client.post('/catalog/stock/locations', { external_code: code })).status, 201);
  }

  async function addProduct(sku: string): Promise<void> {
    assert.equal((await client.create('/catalog/products', { sku })).status, 201);
  }

  /** Sends a feed and waits until it is applied. Returns its id. */
  async function feed(batchId: string, source: string, lines: readonly object[]): Promise<string> {
    const body = { source, mode: 'snapshot', lines };
    const sent = await client.post('/catalog/stock/feeds', body, { 'idempotency-key': batchId });
    assert.equal(sent.status, 202, sent.text);
    await waitFor(`the end of ${batchId}`, async () => {
      const { json } = await server.admin.get(`${base}/${sent.json.feed_id}`);
      return json.finished_at;
    });
    return sent.json.feed_id;
  }

  const line = (sku: string, quantity: number, location_code = 'WH') => ({ sku, location_code, quantity });
  const long = await feed(
    'night',
    'WMS',
    Array.from({ length: 10_000 }, (_, index) => line(`MISSING-${index}`, 1)),
  );
  const failing = await feed('morning', 'ERP', [
    line('TEE', 7),
    line('BAG-1', 1),
    line('CAP', 5),
    line('BAG-2', 2),
    line('=BAG-3', 3),
    line('TEE', 4, 'SHOP'),
  ]);

  const row = (page: Page, name: RegExp) => page.getByRole('row', { name });

  async function download(page: Page, name: string, role: 'link' | 'button' = 'link'): Promise<string> {
    const started = page.waitForEvent('download');
    await page.getByRole(role, { name }).press('Enter');
    return readFile(await (await started).path(), 'utf8');
  }

  it('finds why 4 lines failed, and re-queues them after their cause is corrected', async () => {
    const opened = await open(`/brands/${brand.id}`);
    const { page } = opened;
    await page.getByRole('heading', { name: 'Feeding' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('f');
    await row(page, /morning.*completed.* 6 .* s .*4$/).waitFor();
    await choose(page, 'Source', 'ERP');
    await page.getByText('1 row', { exact: true }).waitFor();
    await page.locator('h1').click();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: '4 lines failed' }).waitFor();
    await choose(page, 'Result', 'Failed 4');
    await page.getByText('4 rows').waitFor();
    assert.ok(page.url().endsWith(`${base}/${failing}?result=failed`), page.url());
    await row(page, /BAG-1.*unknown SKU.*No product or variant of the brand has this SKU/).waitFor();
    await row(page, /TEE.*SHOP.*unknown location/).waitFor();

    const csv = (await download(page, 'Failed lines as CSV', 'button')).trimEnd().split('\r\n');
    assert.equal(csv.length, 5);
    assert.match(csv[3] ?? '', /^"5","'=BAG-3","WH","3",/);
    const jsonl = (await download(page, 'Failed lines as JSONL')).trimEnd().split('\n');
    assert.deepEqual(
      jsonl.map((text) => JSON.parse(text).sku),
      ['BAG-1', 'BAG-2', '=BAG-3', 'TEE'],
    );

    for (const sku of ['BAG-1', 'BAG-2', '=BAG-3']) await addProduct(sku);
    await addLocation('SHOP');
    await page.getByRole('button', { name: 'Re-queue the failed lines' }).press('Enter');
    const dialog = page.getByRole('alertdialog', { name: 'Re-queue 4 failed lines?' });
    await dialog.getByRole('button', { name: 'Re-queue them' }).press('Enter');
    await page.getByRole('heading', { name: `requeue:${failing}` }).waitFor();
    await page.getByText('No line failed').waitFor();
    await page.getByText('4 rows').waitFor();
    await row(page, /BAG-3.*applied/).waitFor();
    await page.getByText('Sends again lines of').waitFor();
    await page.getByRole('link', { name: failing, exact: true }).press('Enter');
    await page.getByRole('heading', { name: '4 lines failed, none is left' }).waitFor();
    await page.getByText('Lines of this feed were sent again as').waitFor();
    await page.getByText('Sent again as', { exact: true }).waitFor();
    assert.equal(await page.getByRole('button', { name: /^Re-queue/ }).count(), 0);
    const { json: explained } = await server.admin.get(
      `/brands/${brand.id}/stock/explain?sku=BAG-2&location=WH`,
    );
    assert.equal(explained.quantity_at, 2);
    opened.assertNoProblems();
    await opened.close();
  });

  // [internal-206]
  it('takes the corrected file of the failed lines, once, and says first what it has', async () => {
    const wrong = await feed('typos', 'ERP', [line('TEE', 8), line('CAPP', 6), line('=X', 1)]);
    const isExpected = (problem: string) =>
      problem.includes('ERR_FAILED') || problem.includes('/corrections');
    const opened = await open(`${base}/${wrong}`, { isExpected });
    const { page } = opened;
    await page.getByRole('heading', { name: '2 lines failed' }).waitFor();
    const csv = await download(page, 'Failed lines as CSV', 'button');
    const choose = (text: string) =>
      page
        .getByLabel('Corrected lines, CSV')
        .setInputFiles({ name: 'corrected.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    await choose('sku,location_code\r\nCAP,WH');
    await page.getByText('Line 1 of the CSV: The column "quantity" is missing.').waitFor();
    await choose(csv.replace('"6"', '"-6"'));
    await page.getByText('Line 2 of the CSV: quantity must be at least 0.').waitFor();
    // As spreadsheets of many countries save it.
    const semicolons = csv.replaceAll('","', '";"');
    await choose(semicolons.replace('"6"', '"neun"'));
    await page.getByText(/^Line 2 of the CSV: quantity must be/).waitFor();
    assert.equal(await page.getByRole('button', { name: /^Send/ }).count(), 0);
    for (const text of [semicolons, csv.replaceAll('","', '"\t"'), csv]) {
      await choose(text.replace('CAPP', 'CAP'));
      await page.getByText('2 failed lines of this feed are dealt with by them.').waitFor();
      await page.getByRole('button', { name: 'Send 2 corrected lines' }).waitFor();
    }
    await opened.assertAccessible();
    const button = page.getByRole('button', { name: 'Send 2 corrected lines' });
    await page.route('**/corrections', (route) => route.abort(), { times: 1 });
    await button.press('Enter');
    await page.getByText('The server cannot be reached, and may have done it.').waitFor();
    await button.dblclick();
    await page.getByRole('heading', { name: `requeue:${wrong}:1` }).waitFor();
    await page.getByRole('heading', { name: '1 line failed' }).waitFor();
    // The audit has the correction at the feed that it corrects.
    assert.equal(await page.getByRole('heading', { name: 'History' }).count(), 0);
    const { json } = await server.admin.get(`${base}/${wrong}`);
    assert.equal(json.requeued_as.length, 1);
    const { json: lines } = await server.admin.get(`${base}/${json.requeued_as[0]}/lines`);
    assert.deepEqual(
      lines.data.map(({ sku, result }: Record<string, string>) => [sku, result]),
      [
        ['CAP', 'applied'],
        ['=X', 'unknown_sku'],
      ],
    );
    opened.assertNoProblems();
    await opened.close();
  });

  // [internal-209]
  it('says how many failed lines are left after a correction of some, and sends only these again', async () => {
    const partial = await feed('partly', 'ERP', [line('CAPQ', 6), line('CAPR', 5), line('CAPS', 4)]);
    const opened = await open(`${base}/${partial}`);
    const { page } = opened;
    await page.getByRole('heading', { name: '3 lines failed' }).waitFor();
    const csv = await download(page, 'Failed lines as CSV', 'button');
    const [head = '', first = ''] = csv.split('\r\n');
    await page.getByLabel('Corrected lines, CSV').setInputFiles({
      name: 'corrected.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`${head}\r\n${first.replace('CAPQ', 'CAP')}\r\n`),
    });
    await page.getByRole('button', { name: 'Send 1 corrected line' }).press('Enter');
    await page.getByRole('heading', { name: `requeue:${partial}:1` }).waitFor();
    await page.goto(`${server.internalUrl}/console${base}/${partial}`);
    await page.getByRole('heading', { name: '2 of 3 failed lines are left' }).waitFor();
    const rest = await download(page, 'Failed lines as CSV', 'button');
    assert.deepEqual(
      rest
        .trimEnd()
        .split('\r\n')
        .map((text) => text.split(',')[1]),
      ['"sku"', '"CAPR"', '"CAPS"'],
    );
    const { json: overview } = await server.admin.get('/overview');
    const { json: lefts } = await server.admin.get(`/brands/${brand.id}/feeds?per_page=200`);
    const sum = lefts.data.reduce(
      (lines: number, one: { failed_lines_left: number }) => lines + one.failed_lines_left,
      0,
    );
    assert.equal(overview.feeds.refused_lines_24h, sum);
    await page.getByRole('link', { name: '2 of 3 failed lines are left' }).press('Enter');
    await page.getByText('2 rows').waitFor();
    await page.getByRole('button', { name: 'Re-queue 2 lines that are left' }).press('Enter');
    await page
      .getByRole('alertdialog', { name: 'Re-queue 2 failed lines?' })
      .getByRole('button', { name: 'Re-queue them' })
      .press('Enter');
    await page.getByRole('heading', { name: '2 lines failed' }).waitFor();
    await page.goto(`${server.internalUrl}/console${base}/${partial}`);
    await page.getByRole('heading', { name: '3 lines failed, none is left' }).waitFor();
    opened.assertNoProblems();
    await opened.close();
  });

  it('reads a corrected file of 26,000 lines in short tasks, with its progress, and drops it for another file', async (context) => {
    const opened = await open(`${base}/${long}`);
    const { page } = opened;
    const field = page.getByLabel('Corrected lines, CSV');
    const rows = Array.from({ length: 26_018 }, (_, n) => `${n + 1},MISSING-Größe-${n},WH,${n}`);
    const folder = await mkdtemp(join(tmpdir(), 'brandport-lines-'));
    after(() => rm(folder, { recursive: true }));
    const file = async (name: string, lines: readonly string[]) => {
      await writeFile(join(folder, name), `number,sku,location_code,quantity\n${lines.join('\n')}\n`);
      return join(folder, name);
    };
    const [large, again] = [await file('large.csv', rows), await file('again.csv', rows)];
    const small = await file('small.csv', rows.slice(0, 3));
    await field.waitFor();
    await page.evaluate(`{
      globalThis.longest = 0;
      new PerformanceObserver((tasks) => {
        for (const { duration } of tasks.getEntries()) longest = Math.max(longest, duration);
      }).observe({ type: 'longtask' });
    }`);
    const progress = page.getByRole('progressbar', { name: 'Part of the file that was read' });
    await field.setInputFiles(large);
    await progress.waitFor();
    await page.getByRole('button', { name: 'Send 26,018 corrected lines' }).waitFor();
    await page.getByText('They are sent as').waitFor();
    assert.equal(await progress.count(), 0);
    const longest = Number(await page.evaluate('longest'));
    context.diagnostic(`the longest task took ${Math.round(longest)} ms`);
    assert.ok(longest < longestTaskMs, `a task of ${longest} ms`);
    await field.setInputFiles(again);
    await progress.waitFor();
    await field.setInputFiles(small);
    await page.getByRole('button', { name: 'Send 3 corrected lines' }).waitFor();
    await opened.assertAccessible();
    assert.equal(await page.getByRole('button', { name: /^Send/ }).innerText(), 'Send 3 corrected lines');
    opened.assertNoProblems();
    await opened.close();
  });

  it('leads from a feed to its request and back, and turns the pages of 10,000 lines', async () => {
    const opened = await open(`${base}/${long}?result=unknown_sku`);
    const { page } = opened;
    await page.getByText('1 to 50 of 10,000').waitFor();
    await page.keyboard.press(']');
    await page.getByText('51 to 100 of 10,000').waitFor();
    await row(page, /MISSING-99/).waitFor();
    await page.locator('.facts a[href*="/requests/"]').press('Enter');
    await page.getByRole('link', { name: 'night' }).press('Enter');
    await page.getByRole('heading', { name: '10,000 lines failed' }).waitFor();
    opened.assertNoProblems();
    await opened.close();
  });

  it('lists the feeds of all brands with their places in the queue, and leads from a line to the explanation of its level', async () => {
    const { json: waiting } = await server.admin.post('/brands', { name: 'Waiting' });
    const { json: other } = await server.admin.post(`/brands/${waiting.id}/keys`, { name: 'WMS', scopes });
    const holder = await server.database.pool.connect();
    // Another worker seems to apply the brand's feeds.
    await holder.query('select pg_advisory_lock($1, $2)', [advisoryLocks.feeds, waiting.id]);
    try {
      for (const batch of ['one', 'two'])
        await server
          .clientWith(other.api_key)
          .post(
            '/catalog/stock/feeds',
            { source: 'WMS', mode: 'snapshot', lines: [line('TEE', 1)] },
            { 'idempotency-key': batch },
          );
      const opened = await open('/');
      const { page } = opened;
      await page.getByRole('navigation', { name: 'Console' }).waitFor();
      await page.keyboard.press('g');
      await page.keyboard.press('q');
      await row(page, /one.*Waiting.*queued.*0 of 1 line, next in the queue/).waitFor();
      await row(page, /two.*Waiting.*queued.*0 of 1 line, place 2 in the queue/).waitFor();
      await row(page, /night.*Feeding.*completed.*lines\/s/).waitFor();
      await choose(page, 'Status', 'Queued');
      await page.getByText('2 rows').waitFor();
      await choose(page, 'Status', 'Completed');
      await type(page, 'Source', 'ERP');
      await row(page, /morning/).waitFor();
      await row(page, /night/).waitFor({ state: 'detached' });
      const day = new Date().toISOString().slice(0, 10);
      const url = new URL(page.url());
      assert.equal(`${url.pathname}${url.search}`, '/console/feeds?status=completed&source=ERP');
      await choose(page, 'Lines', 'With failed lines');
      await page.waitForURL(/refused_lines=true/);
      await row(page, /morning/).waitFor();
      await page.getByRole('button', { name: 'Remove the filter Lines' }).click();
      await page.waitForURL((address) => !address.search.includes('refused_lines'));
      await typeTime(page, 'Time', { 'Until, UTC': '2020-01-01 00:00' });
      await page.getByText('No feed matches the filters').waitFor();
      await page.getByRole('button', { name: 'Time: until 2020-01-01 00:00' }).waitFor();
      await typeTime(page, 'Time', { 'Until, UTC': '', 'From, UTC': day });
      await page.waitForURL((address) => address.searchParams.get('from') === `${day}T00:00:00.000Z`);
      await page.getByRole('link', { name: 'morning', exact: true }).press('Enter');
      await choose(page, 'Result', /^applied/);
      const cap = row(page, /CAP/).getByRole('link', { name: 'CAP' });
      await cap.press('Enter');
      await page.getByRole('listitem').filter({ hasText: 'Feed line' }).getByText('0 → 5').waitFor();
      const { json: feedNow } = await server.admin.get(`${base}/${failing}`);
      assert.equal(new URL(page.url()).searchParams.get('at'), feedNow.finished_at);
      opened.assertNoProblems();
      await opened.close();
    } finally {
      holder.release(true);
    }
  });

  it('says that a brand has no feed, and that none matches', async () => {
    const { json: empty } = await server.admin.post('/brands', { name: 'Quiet' });
    const opened = await open(`/brands/${empty.id}/feeds`);
    await opened.page.getByText('No feed yet').waitFor();
    await choose(opened.page, 'Status', 'Queued');
    await opened.page.getByText('No feed matches the filters').waitFor();
    opened.assertNoProblems();
    await opened.close();
  });
});
