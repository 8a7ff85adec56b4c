// processes: starts a browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { act, program, startConsole } from './support/console-kit.ts';

const dayMs = 86_400_000;

function daysAgo(count: number): string {
  return new Date(Date.now() - count * dayMs).toISOString().slice(0, 10);
}

describe('datasets and learners in the console', { skip: program === null }, async () => {
  if (program === null) return;
  const { server, open, inspect } = await startConsole();
  const { json: brand } = await server.admin.post('/brands', { name: 'Learning' });
  const base = `/brands/${brand.id}`;
  const learners = Array.from({ length: 10_000 }, (_, index) => ({ tu_id: `learner-${index}` }));
  await server.admin.put(`${base}/users`, { items: learners });
  await sendEvents('first', [3, 4]);
  await server.admin.post(`${base}/aggregations`, { from: daysAgo(5), to: daysAgo(1) });

  async function sendEvents(name: string, days: readonly number[]): Promise<void> {
    const items = days.map((count) => ({
      event_id: `${name}-${count}`,
      occurred_at: `${daysAgo(count)}T12:00:00Z`,
      kind: 'view',
      user: 'learner-1',
      content: { type: 'episode', tu_id: 'welcome' },
      progress: 50,
      time_spent_seconds: 30,
    }));
    const { json } = await server.admin.post(`${base}/events`, { items });
    assert.equal(json.accepted, days.length);
  }

  it('finds a day with late events by keyboard and aggregates it again', async () => {
    await sendEvents('late', [4]);
    const opened = await open(`${base}/datasets`);
    const { page } = opened;
    const cell = (count: number) => page.locator(`[data-date="${daysAgo(count)}"]`);
    await cell(1).waitFor();
    assert.match((await cell(4).getAttribute('aria-label')) ?? '', /uncounted events/);
    assert.match((await cell(3).getAttribute('aria-label')) ?? '', /: aggregated/);
    await cell(1).focus();
    for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    const row = page.getByRole('row', { name: daysAgo(4) });
    await row.getByText('uncounted events').waitFor();
    assert.ok(page.url().includes(`from=${daysAgo(4)}`), 'the selection is in the address');
    await page.getByRole('button', { name: 'Aggregate this day' }).press('Enter');
    await page.getByText('1 day is aggregated.').waitFor();
    await row.getByText(/● aggregated$/).waitFor();
    const { json } = await server.admin.get(`${base}/dataset-days?from=${daysAgo(4)}&to=${daysAgo(4)}`);
    assert.deepEqual([json.data[0].dirty, json.data[0].late_events], [false, 0]);
    // [internal-213]
    const history = page.getByRole('region', { name: `${daysAgo(4)}: figures and changes` });
    await history.getByRole('row', { name: /1 event came late\. Aggregated on request/ }).waitFor();
    assert.match((await history.innerText()).replace(/\s+/g, ' '), /Views 2 /);
    await history.getByRole('button', { name: 'Users' }).click();
    await history.getByText('1 row is served.').waitFor();
    await opened.assertAccessible();
    opened.assertNoProblems();
    await opened.close();
  });

  it('selects a range with Shift, and hands a long one to a job', async () => {
    const opened = await open(`${base}/datasets?from=${daysAgo(40)}&to=${daysAgo(2)}`);
    const { page } = opened;
    await page.getByRole('button', { name: 'Aggregate these 39 days' }).press('Enter');
    await page.getByText('The range is aggregated by a job.').waitFor();
    await page.getByRole('link', { name: 'Open the job' }).press('Enter');
    await page.getByRole('heading', { name: 'aggregate-window' }).waitFor();
    await page.getByText('completed').waitFor();
    opened.assertNoProblems();
    await opened.close();
  });

  it('opts a learner out of 10,000, and aggregates the days again that still count the learner', async () => {
    const opened = await open(`${base}/learners`);
    const { page } = opened;
    await page.getByText('1 to 50 of 10,000').waitFor();
    await page.keyboard.press(']');
    await page.getByText('51 to 100 of 10,000').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('learner-1');
    await page.keyboard.press('Enter');
    await page.getByText('1 row', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Opt out of analytics' }).press('Enter');
    await page.getByText('Days that still count this learner').waitFor();
    await page.getByRole('button', { name: 'Aggregate these 2 days again' }).press('Enter');
    await page.getByText('No aggregated day is older than the exclusion.').waitFor();
    opened.assertNoProblems();
    await opened.close();
  });

  it('opts out the learners of a file, and keeps their markets', async () => {
    await server.admin.put(`${base}/markets`, { items: [{ tu_id: 'DE', name: 'Germany' }] });
    const placed = await server.admin.put(`${base}/users`, {
      items: [{ tu_id: 'learner-10', market: 'DE' }],
    });
    assert.equal(placed.status, 200, placed.text);
    const opened = await open(`${base}/learners`, { isExpected: (problem) => problem.includes('422') });
    const { page } = opened;
    await page.getByRole('link', { name: 'Opt out a list' }).press('Enter');
    const ids = page.getByLabel('Learner ids');
    await page.getByLabel('File').setInputFiles({
      name: 'left.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('learner-10\r\nlearner-11\r\nlearner-10\r\n\r\nnobody-yet'),
    });
    const submit = page.getByRole('button', { name: 'Opt out 3 learners' });
    await submit.waitFor();
    // An id that the server refuses: nothing is lost, and nobody is opted out.
    await ids.press('Control+End');
    await page.keyboard.type(` ${'x'.repeat(200)}`);
    await page.getByRole('button', { name: 'Opt out 4 learners' }).press('Enter');
    await page.getByRole('alert').waitFor();
    const before = await server.admin.get(`${base}/users/learner-11`);
    assert.equal(before.json.analytics_opt_out, false);
    await ids.fill('learner-10 learner-11 learner-10 nobody-yet');
    await submit.press('Enter');
    await page.getByText('3 learners are opted out.').waitFor();
    for (const [tuId, market] of [
      ['learner-10', 'DE'],
      ['learner-11', null],
      ['nobody-yet', null],
    ]) {
      const { json } = await server.admin.get(`${base}/users/${tuId}`);
      assert.deepEqual([json.analytics_opt_out, json.market], [true, market], `${tuId}`);
    }
    await page.getByRole('link', { name: 'nobody-yet' }).waitFor();
    opened.assertNoProblems();
    await opened.close();
  });

  it('erases a learner after the id is typed', async () => {
    const opened = await open(`${base}/learners/learner-77`);
    const { page } = opened;
    await act(page, 'Erase');
    await page.getByLabel('Type “learner-77” to confirm').fill('learner-77');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'learner-77 is erased' }).waitFor();
    await page.getByText('Learning events removed').waitFor();
    await opened.assertAccessible();
    await act(page, 'To the list');
    await page.getByText('The receipt is shown only here.').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Save the receipt' }).click();
    assert.equal((await download).suggestedFilename(), 'erased-learner-77.json');
    await page.setViewportSize({ width: 720, height: 1000 });
    await page.emulateMedia({ media: 'print' });
    await page.getByRole('button', { name: 'Menu' }).waitFor({ state: 'hidden' });
    await page.getByText('Learning events removed').waitFor();
    await page.emulateMedia({ media: 'screen' });
    await act(page, 'To the list');
    await page.getByRole('heading', { name: 'Learners' }).waitFor();
    assert.equal((await server.admin.get(`${base}/users/learner-77`)).status, 404);
    opened.assertNoProblems();
    await opened.close();
  });

  it('folds the brands without any aggregated day', async () => {
    await server.admin.post('/brands', { name: 'Quiet' });
    await inspect('/datasets', 'dataset-lag', async (page) => {
      await page.getByRole('link', { name: 'Learning' }).waitFor();
      await page.getByText('1 brand without any aggregated day').waitFor();
      assert.equal(await page.getByRole('link', { name: 'Quiet' }).isVisible(), false);
    });
  });
});
