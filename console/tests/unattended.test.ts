// processes: starts a browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { waitFor } from '../../server/test/support/wait-for.ts';
import { program, startConsole } from './support/console-kit.ts';

describe('a page of the console that nobody uses', { skip: program === null }, async () => {
  if (program === null) return;
  const { server, open, openSignedOut } = await startConsole();
  const { admin } = server;

  /** Counts the reads of jobs, from now on. */
  function countReads(page: Page): { count: number } {
    const reads = { count: 0 };
    page.on('request', (request) => {
      if (request.url().includes('/internal/v1/jobs')) reads.count += 1;
    });
    return reads;
  }

  /** Lets seconds pass for the page. Each answer arrives before the next second. */
  async function pass(page: Page, seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second += 1) {
      await page.clock.runFor(1_000);
      await page.evaluate(() => fetch('/healthz'));
    }
  }

  it('is read once a minute after ten minutes, and at once when the user returns', async () => {
    const opened = await open('/jobs');
    const { page } = opened;
    await page.clock.install();
    await page.reload();
    await page.getByRole('heading', { name: 'Jobs' }).waitFor();
    const used = countReads(page);
    await pass(page, 30);
    assert.ok(used.count >= 8, `${used.count} reads of a page that is used`);
    await page.clock.fastForward(10 * 60_000);
    await pass(page, 6);
    const left = countReads(page);
    await pass(page, 50);
    assert.ok(left.count <= 2, `${left.count} reads of a page that nobody uses`);
    await pass(page, 12);
    assert.ok(left.count >= 1, 'it is read now and then');
    const back = countReads(page);
    await page.mouse.move(40, 40);
    await page.mouse.move(50, 50);
    await waitFor('the reads', () => back.count >= 1);
    opened.assertNoProblems();
    await opened.close();
  });

  it('asks nothing once its session has ended', async () => {
    const opened = await openSignedOut('/jobs', { isExpected: (problem) => problem.includes('401') });
    const { page } = opened;
    const { json: made } = await admin.post('/administrators', { name: 'Ada', role: 'administrator' });
    await page.getByLabel('Administrator token').fill(made.token);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Jobs' }).waitFor();
    assert.equal((await admin.delete(`/administrators/${made.id}`)).status, 204);
    await page.clock.install();
    await page.getByRole('dialog').waitFor({ timeout: 20_000 });
    const reads = countReads(page);
    await pass(page, 30);
    assert.equal(reads.count, 0);
    await opened.close();
  });
});
