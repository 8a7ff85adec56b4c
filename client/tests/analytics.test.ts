import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { addDays, today, windowsOf } from '../src/analytics/dataset.ts';
import { Brandport, isBrandportError, type PageEvent, type ResumeFrom } from '../src/index.ts';
import { type Fault, startFaultProxy } from './fault-proxy.ts';
import { startSdkService } from './sdk-service.ts';

const { apps, admin, clientUrl, newBrand } = await startSdkService();
after(() => apps.clientApp.close());

const yesterday = addDays(today(), -1);
const learners = Array.from({ length: 12 }, (_, index) => `u${String(index).padStart(2, '0')}`);

/** Creates a brand whose learners all have a view on each of the days. */
async function analysedBrand(days: readonly string[]) {
  const brand = await newBrand();
  const { brandId } = brand;
  await admin.directory.putLearners(brandId, { items: learners.map((tu_id) => ({ tu_id })) });
  await admin.directory.putContents(brandId, { items: [{ type: 'episode', tu_id: 'c0', name: 'C0' }] });
  const { accepted } = await admin.datasets.postEvents(brandId, function* () {
    for (const day of days)
      for (const user of learners)
        yield {
          event_id: `${day}-${user}`,
          occurred_at: `${day}T12:00:00Z`,
          kind: 'view',
          user,
          content: { type: 'episode', tu_id: 'c0' },
        };
  });
  assert.equal(accepted, days.length * learners.length);
  for (const day of days) await admin.datasets.aggregate(brandId, { from: day, to: day });
  return brand;
}

/** A client whose n-th request meets a fault. */
async function faulty(apiKey: string, faultOf: (request: number) => Fault | null, hooks = {}) {
  const { url } = await startFaultProxy(clientUrl, faultOf);
  return new Brandport({ baseUrl: url, apiKey, maxRetries: 0, hooks });
}

describe('windows of analytics', () => {
  it('cut a range without gap or overlap, at its edges too', () => {
    assert.deepEqual(windowsOf({ from: '2026-01-01', to: '2026-01-01' }, 92), [
      { from: '2026-01-01', to: '2026-01-01' },
    ]);
    assert.deepEqual(windowsOf({ from: '2023-12-31', to: '2024-03-02' }, 31), [
      { from: '2023-12-31', to: '2024-01-30' },
      { from: '2024-01-31', to: '2024-03-01' },
      { from: '2024-03-02', to: '2024-03-02' },
    ]);
    assert.deepEqual(windowsOf({ from: '2026-01-02', to: '2026-01-01' }, 92), []);
    for (const day of ['2026-02-30', '2026-1-1', ' 2026-01-01', ''])
      assert.throws(() => windowsOf({ from: day, to: '2026-03-01' }, 92), TypeError);
  });

  it('read every row of a range beyond the cap once', async () => {
    const days = [addDays(yesterday, -200), addDays(yesterday, -93), addDays(yesterday, -92), yesterday];
    const { brandport } = await analysedBrand(days);
    const { daily, contents, users, contentEngagement } = brandport.analytics;
    const query = { from: addDays(yesterday, -200) };
    const dates: string[] = [];
    for await (const { date, user } of users.rows({ ...query, to: yesterday, per_page: 5 }))
      dates.push(`${date} ${user.tu_id}`);
    assert.deepEqual(dates.sort(), days.flatMap((day) => learners.map((user) => `${day} ${user}`)).sort());
    assert.equal((await Array.fromAsync(contents.rows(query))).length, days.length);
    assert.equal(
      (await Array.fromAsync(contentEngagement.rows({ ...query, user: 'u03' }))).length,
      days.length,
    );
    assert.equal((await Array.fromAsync(daily.rows({ ...query, per_page: 1 }))).length, days.length);
    // Without `from`, the default windows of the service.
    assert.equal((await Array.fromAsync(daily.rows())).length, 1);
  });

  it('survive pages whose learners have all opted out', async () => {
    const { brandport, brandId, apiKey } = await analysedBrand([yesterday]);
    const items = learners.slice(2, 9).map((tu_id) => ({ tu_id, analytics_opt_out: true }));
    await admin.directory.putLearners(brandId, { items });
    const pages: number[] = [];
    const counting = await faulty(apiKey, () => null, {
      onPage: ({ rows }: PageEvent) => pages.push(rows),
    });
    const rows = await Array.fromAsync(counting.analytics.users.rows({ per_page: 2 }));
    assert.equal(rows.length, 5);
    assert.ok(pages.slice(0, -1).includes(0), `no page was sparse: ${pages}`);
    const [day] = await Array.fromAsync(brandport.analytics.users.days({ from: yesterday, to: yesterday }));
    assert.equal(day?.rows.length, 5);
  });
});

describe('an iteration of analytics that fails', () => {
  it('continues at any page without losing or repeating rows', async () => {
    const { apiKey, brandport } = await analysedBrand([addDays(yesterday, -92), yesterday]);
    const query = { from: addDays(yesterday, -92), to: yesterday, per_page: 4 };
    const all = (await Array.fromAsync(brandport.analytics.users.rows(query))).map((row) =>
      JSON.stringify(row),
    );
    assert.equal(all.length, 24);
    for (let failing = 1; failing <= 6; failing += 1) {
      const read: string[] = [];
      let resumeFrom: ResumeFrom | null = null;
      const client = await faulty(apiKey, (request) => (request === failing ? { status: 503 } : null));
      for (let attempt = 0; attempt < 2; attempt += 1)
        try {
          for await (const row of client.analytics.users.rows(query, { resumeFrom }))
            read.push(JSON.stringify(row));
          break;
        } catch (error) {
          assert.ok(isBrandportError(error) && error.status === 503);
          resumeFrom = error.resumeFrom;
        }
      assert.deepEqual(read, all, `request ${failing}`);
    }
  });

  it('rejects rows that are a mixture of two aggregations, and reads such a day again', async () => {
    const { apiKey } = await analysedBrand([yesterday]);
    const revisions = ['7', '8', '8', '8', '8', '8', '8', '8'];
    const withRevision = (request: number): Fault => ({
      headers: { 'brandport-window-revision': revisions[request - 1] ?? '8' },
    });
    const query = { from: yesterday, to: yesterday, per_page: 5 };
    const rows = (await faulty(apiKey, withRevision)).analytics.users.rows(query);
    await assert.rejects(Array.fromAsync(rows), (error) => {
      assert.ok(isBrandportError(error, 'window_changed'));
      assert.deepEqual(error.resumeFrom, { cursor: null, from: yesterday });
      return error.retryable;
    });
    const days = (await faulty(apiKey, withRevision)).analytics.users.days(query);
    const [day] = await Array.fromAsync(days);
    assert.deepEqual([day?.rows.length, day?.revision], [12, '8']);
  });

  it('rejects a cursor that comes again, and begins again when its cursor is refused if asked to', async () => {
    const { apiKey } = await analysedBrand([yesterday]);
    let kept = '';
    const repeating = await faulty(apiKey, () => ({
      body: (text) => {
        const page = JSON.parse(text);
        kept ||= page.meta.next_cursor;
        return JSON.stringify({ ...page, meta: { ...page.meta, next_cursor: kept } });
      },
    }));
    await assert.rejects(repeating.analytics.users.list({ per_page: 2 }).toArray(), (error) =>
      isBrandportError(error, 'cursor_repeated'),
    );
    const foreign = (await analysedBrand([yesterday])).brandport.analytics.users;
    const resumeFrom = { cursor: kept };
    await assert.rejects(foreign.list({ per_page: 2 }, { resumeFrom }).toArray(), (error) =>
      isBrandportError(error, 'invalid_cursor'),
    );
    const again = foreign.list({ per_page: 2 }, { resumeFrom, onInvalidCursor: 'restart' });
    assert.equal((await again.toArray()).length, 12);
  });
});

describe('final days', () => {
  it('are awaited, and end a range without an end', async () => {
    const before = addDays(yesterday, -1);
    const { brandport, brandId } = await analysedBrand([before]);
    const { users } = brandport.analytics;
    const dates = async (query: { from: string; to?: string }, options: object) =>
      new Set(
        (await Array.fromAsync(users.rows(query, { final: true, ...options }))).map(({ date }) => date),
      );
    assert.deepEqual(await dates({ from: before }, {}), new Set([before]));
    await assert.rejects(
      dates({ from: before, to: yesterday }, { finalWithinMs: 100, pollMs: 20 }),
      (error) => isBrandportError(error, 'deadline_exceeded'),
    );
    const waiting = dates({ from: before, to: yesterday }, { finalWithinMs: 30_000, pollMs: 20 });
    await admin.datasets.aggregate(brandId, { from: yesterday, to: yesterday });
    assert.deepEqual(await waiting, new Set([before]));
    const days = await Array.fromAsync(
      users.days({ from: addDays(before, -1), to: yesterday }, { final: true }),
    );
    assert.deepEqual(
      days.map(({ rows }) => rows.length),
      [0, 12, 0],
    );
  });
});
