// processes: starts a browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { program, startConsole } from './support/console-kit.ts';

describe('the home page of the console', { skip: program === null }, async () => {
  if (program === null) return;
  // Without a worker, nothing changes unless a test changes it.
  const { server, open, inspect } = await startConsole({ runsJobs: false });
  const { json: brand } = await server.admin.post('/brands', { name: 'Waiting' });
  const scopes = ['catalog.stock:ingest'];
  const concerns = (page: Page) => page.getByRole('list', { name: 'Concerns' });

  it('is one line on a quiet day', async () => {
    await inspect('/', 'home', (page) => page.getByText('All well').waitFor());
  });

  it('says that it loads, that the server is unavailable, and offers to try again', async () => {
    const opened = await open('/jobs', { isExpected: (problem) => /ERR_|failed:/.test(problem) });
    const { page } = opened;
    await page.getByRole('heading', { name: 'Jobs' }).waitFor();
    // Parts of the first page load on their own.
    await page.getByText('Loading…').first().waitFor({ state: 'detached' });
    const held = Promise.withResolvers<void>();
    await page.route('**/internal/v1/overview', async (route) => {
      await held.promise;
      await route.abort();
    });
    await page.keyboard.press('g');
    await page.keyboard.press('h');
    await page.getByText('Loading…').waitFor({ state: 'attached' });
    held.resolve();
    await page.getByText('The server cannot be reached.').waitFor();
    await page.unroute('**/internal/v1/overview');
    await page.getByRole('button', { name: 'Try again' }).press('Enter');
    await page.getByText('All well').waitFor();
    opened.assertNoProblems();
    await opened.close();
  });

  it('lists what needs attention on a bad day, worst first, and leads to it', async () => {
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    const key = await server.admin.post(`/brands/${brand.id}/keys`, {
      name: 'ERP',
      scopes,
      expires_at: inDays(10),
    });
    const lines = [{ sku: 'A', location_code: 'WH', quantity: 1 }];
    for (const batch of ['late', 'broken'])
      await server
        .clientWith(key.json.api_key)
        .post(
          '/catalog/stock/feeds',
          { source: 'ERP', mode: 'snapshot', lines },
          { 'idempotency-key': batch },
        );
    await server.sql(
      `update stock_feeds set received_at = now() - interval '3 hours' where batch_id = 'late'`,
    );
    await server.sql(
      `update stock_feeds set status = 'failed', finished_at = now() where batch_id = 'broken'`,
    );
    await server.sql(
      `update pgboss.job set state = 'failed', completed_on = now() where id in
         (select id from pgboss.job where name = 'apply-stock-feeds' order by created_on limit 1)`,
    );
    await server.admin.put(`/brands/${brand.id}/users`, { items: [{ tu_id: 'ann' }] });
    const event = { event_id: 'e', occurred_at: inDays(-2), kind: 'view', user: 'ann' };
    await server.admin.post(`/brands/${brand.id}/events`, {
      items: [{ ...event, content: { type: 'episode', tu_id: 'c' } }],
    });
    const opened = await open('/');
    const { page } = opened;
    await concerns(page).waitFor();
    assert.deepEqual(
      (await concerns(page).locator('[data-row-link]').allInnerTexts()).map((text) => text.slice(2)),
      [
        '1 feed failed in 24 hours',
        'The oldest feed waits for 3 hours, 1 line waits, none is applied',
        '1 job failed in 24 hours: apply-stock-feeds',
        '1 day has uncounted events',
        '1 key expires within 30 days',
      ],
    );
    assert.deepEqual(
      await concerns(page)
        .locator('[data-row-link]')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
      [
        '/console/feeds?status=failed',
        '/console/feeds?status=queued',
        '/console/jobs?state=failed',
        '/console/datasets',
        '/console/keys?state=expiring',
      ],
    );
    await page.getByRole('link', { name: 'Waiting 1' }).first().waitFor();
    await page.getByRole('button', { name: 'Mute until it changes: 1 key expires within 30 days' }).click();
    await page.getByText('1 concern is muted').click();
    await page.getByRole('button', { name: /^Unmute/ }).waitFor();
    await opened.assertAccessible();
    // [internal-211]
    await page.getByRole('button', { name: /^Mute for a day: 1 day has uncounted events/ }).click();
    await page.getByText('2 concerns are muted').waitFor();
    await page
      .getByText(/^until/)
      .first()
      .waitFor();
    await page.getByRole('link', { name: '1 job failed' }).press('Enter');
    await page.getByRole('heading', { name: 'Jobs' }).waitFor();
    await page.getByRole('row', { name: /apply-stock-feeds/ }).waitFor();
    await page.goto(`${server.internalUrl}/console/brands/${brand.id}`);
    const attention = page.getByRole('region', { name: 'Needs attention' });
    await attention.getByRole('link', { name: 'A feed waits for more than 15 minutes' }).waitFor();
    await attention.getByRole('link', { name: '1 key expires within 30 days' }).click();
    await page.waitForURL(`**/brands/${brand.id}/keys?state=expiring`);
    opened.assertNoProblems();
    await opened.close();
    const phone = await open('/feeds?status=failed', { viewport: { width: 390, height: 844 } });
    await phone.page.getByRole('row', { name: /broken/ }).waitFor();
    const cut = await phone.page
      .locator('.table-frame')
      .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    assert.equal(cut, 0, 'the last column is cut');
    await phone.close();
    await inspect('/', 'home-bad-day', (shown) => concerns(shown).waitFor());
    const { json: jobs } = await server.admin.get('/jobs?state=failed');
    await inspect(`/jobs/${jobs.data[0].id}`, 'job', (shown) =>
      shown.getByRole('button', { name: 'Retry' }).waitFor(),
    );
  });
});
