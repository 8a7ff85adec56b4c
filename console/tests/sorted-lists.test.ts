// processes: starts a browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { waitFor } from '../../server/test/support/wait-for.ts';
import { program, startConsole } from './support/console-kit.ts';

describe('sorted lists in the console', { skip: program === null }, async () => {
  if (program === null) return;
  const { server, open } = await startConsole();
  const { admin, sql } = server;
  const { json: brand } = await admin.post('/brands', { name: 'Many' });
  const scopes = ['catalog.products:read', 'catalog.stock:ingest'];
  const { json: key } = await admin.post(`/brands/${brand.id}/keys`, { name: 'Gone', scopes });
  await admin.post(`/keys/${key.key_id}/revoke`);
  await sql(
    `insert into refusals (brand_id, id, at, request_id, key_id, operation, method, path, status, code, fields, count)
     select $1, n, now() - (9 - n) * interval '1 minute', 'r' || n, $2, 'op' || n % 4, 'GET', '/x', 400 + n, 'c' || n, '{}',
       (array[5, 9, 2, 7])[1 + n % 4]
     from generate_series(1, 4) n`,
    [brand.id, key.key_id],
  );
  await sql(
    `insert into stock_feeds (brand_id, tu_id, batch_id, lines_sha256, source, received_lines, received_at, finished_at, status)
     select $1, 'f' || n, 'batch' || n, '\\x00', 'erp', (array[50, 10, 40])[n], now() - (9 - n) * interval '1 hour',
       now() - (9 - n) * interval '1 hour' + n * interval '7 s', 'completed'
     from generate_series(1, 3) n`,
    [brand.id],
  );
  await sql(
    `insert into pgboss.job (name, state, data, policy, created_on, start_after, retry_count)
     select q.name, 'retry', jsonb_build_object('brand_id', $1::int), q.policy, now() - (9 - n) * interval '1 minute',
       timestamptz '2099-01-01' - n * interval '1 hour', (array[3, 1, 2])[n]
     from pgboss.queue q, generate_series(1, 3) n where q.name = 'aggregate-window'`,
    [brand.id],
  );

  for (const [name, behind, dirty] of [
    ['Late', 9, 1],
    ['Dirty', 2, 3],
  ] as const) {
    const { json: other } = await admin.post('/brands', { name });
    await sql(
      `insert into analytics.brand_days (brand_id, day, aggregated_at, changes)
       select $1, (now() at time zone 'UTC')::date - 1 - $2::int - n, now(), case when n < $3::int then 1 else 0 end
       from generate_series(0, 4) n`,
      [other.id, behind, dirty],
    );
  }

  const head = (page: Page, name: string) =>
    page.locator('main thead th', { hasText: new RegExp(`^${name}$`) }).first();
  /** Waits for the cells of a column in this order. The rows of the former order stay until the others have arrived. */
  async function shows(page: Page, shown: string, expected: readonly string[]): Promise<void> {
    const cells = page.locator('main table').first().locator(`td[data-label="${shown}"]`);
    await waitFor(`${shown}: ${expected}`, async () =>
      (await cells.allInnerTexts()).join() === expected.join() ? true : null,
    );
  }
  /** Sorts by the head of a column, and waits for the cells of one in this order. */
  async function sorts(
    page: Page,
    [column, sort]: readonly [string, string],
    shown: string,
    expected: readonly string[],
  ): Promise<void> {
    await head(page, column).getByRole('link').click();
    await page.waitForURL((url) => url.searchParams.get('sort') === sort);
    await shows(page, shown, expected);
  }

  it('sorts by a head, keeps the order over a reload and a way back, and begins with the first page', async () => {
    const opened = await open(`/brands/${brand.id}/refusals?page=1`);
    const { page } = opened;
    assert.equal(await head(page, 'When').getAttribute('aria-sort'), 'descending');
    await sorts(page, ['Requests', '-count'], 'Requests', ['9', '7', '5', '2']);
    assert.equal(await head(page, 'Requests').getAttribute('aria-sort'), 'descending');
    assert.equal(await head(page, 'When').getAttribute('aria-sort'), 'none');
    await sorts(page, ['Requests', 'count'], 'Requests', ['2', '5', '7', '9']);
    await page.reload();
    await shows(page, 'Requests', ['2', '5', '7', '9']);
    await page.locator('main [data-row-link]').first().click();
    await page.waitForURL('**/requests/r*');
    await page.goBack();
    await shows(page, 'Requests', ['2', '5', '7', '9']);
    await sorts(page, ['Status', 'status'], 'Status', ['401', '402', '403', '404']);
    await sorts(page, ['When', '-at'], 'Status', ['404', '403', '402', '401']);
    await sorts(page, ['When', 'at'], 'Status', ['401', '402', '403', '404']);
    await opened.assertAccessible();
    opened.assertNoProblems();
    await opened.close();
  });

  it('sorts feeds, jobs, the audit and the datasets', async () => {
    const opened = await open('/feeds');
    const { page } = opened;
    const goto = (path: string) => page.goto(`${server.internalUrl}/console${path}`);
    await page.getByRole('link', { name: 'batch1' }).waitFor();
    await sorts(page, ['Lines', '-received_lines'], 'Lines', ['50', '40', '10']);
    await sorts(page, ['Duration', '-duration'], 'Duration', ['21 s', '14 s', '7.0 s']);
    await sorts(page, ['Received', '-received_at'], 'Batch id', ['batch3', 'batch2', 'batch1']);
    await goto(`/jobs?brand=${brand.id}`);
    await page.getByRole('link', { name: 'aggregate-window' }).first().waitFor();
    await sorts(page, ['Retries', '-retries'], 'Retries', ['3', '2', '1']);
    await sorts(page, ['Runs next', 'next_run_at'], 'Retries', ['2', '1', '3']);
    assert.equal(new URL(page.url()).searchParams.get('brand'), String(brand.id), 'the filter stays');
    await goto(`/audit?brand=${brand.id}`);
    const oldest = ['created the brand', 'created the key', 'revoked the key'];
    await sorts(page, ['When', 'at'], 'Action', oldest);
    await goto('/datasets');
    await page.getByText('1 brand without any aggregated day').waitFor();
    await shows(page, 'Brand', ['Late', 'Dirty']);
    const dirty = 'Days with uncounted events';
    await sorts(page, [dirty, '-dirty_days'], 'Brand', ['Dirty', 'Late']);
    await sorts(page, ['Days behind', '-days_behind'], 'Brand', ['Late', 'Dirty']);
    await sorts(page, ['Brand', 'name'], 'Brand', ['Dirty', 'Late']);
    opened.assertNoProblems();
    await opened.close();
  });

  it('says that an order is not understood, until another one is chosen', async () => {
    const opened = await open('/jobs?sort=colour');
    const { page } = opened;
    await page.getByText('sort=colour was not understood, and has no effect.').waitFor();
    await shows(page, 'Retries', ['2', '1', '3']);
    await sorts(page, ['Retries', '-retries'], 'Retries', ['3', '2', '1']);
    assert.equal(await page.getByText('was not understood').count(), 0);
    opened.assertNoProblems();
    await opened.close();
  });

  it('offers no rotation of a revoked key, but a new key like it', async () => {
    const opened = await open('/', { isExpected: (problem) => problem.includes('ABORTED') });
    const { page } = opened;
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill(key.key_id);
    await page.getByRole('option', { name: /Gone/ }).waitFor();
    await page.waitForLoadState('networkidle');
    assert.equal(await page.getByRole('option', { name: /Rotate/ }).count(), 0);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Gone' }).waitFor();
    await page.getByRole('button', { name: 'More' }).click();
    assert.deepEqual(await page.getByRole('menuitem').allInnerTexts(), ['Delete']);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'New key with its scopes' }).click();
    await page.getByRole('heading', { level: 1, name: 'New key' }).waitFor();
    assert.equal(await page.getByRole('checkbox', { checked: true }).count(), scopes.length);
    opened.assertNoProblems();
    await opened.close();
  });
});
