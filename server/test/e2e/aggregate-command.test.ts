import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { createDatabase, runSql } from '../support/fresh-database.ts';
import { type CommandOutcome, runCommand, startCommand } from '../support/run-command.ts';
import { makeDataDir, startServerProcess } from '../support/server-process.ts';
import { databaseUrl } from '../support/test-database.ts';
import { waitFor } from '../support/wait-for.ts';

const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const address = await createDatabase();
const env = {
  DATABASE_URL: databaseUrl(address),
  BRANDPORT_DATA_DIR: await makeDataDir(),
};

function aggregate(...args: string[]): Promise<CommandOutcome> {
  return runCommand(env, 'aggregate', ...args);
}

test('brandport aggregate does what the nightly run does, for all brands, one, or named days', async () => {
  const server = await startServerProcess({ env });
  const brands: number[] = [];
  for (const name of ['A', 'B']) brands.push((await server.admin.post('/brands', { name })).json.id);
  const daysOf = async (id: number | undefined) => {
    const { json } = await server.admin.get(`/brands/${id}/aggregations`);
    return json.data.map(({ date }: { date: string }) => date);
  };

  const all = await aggregate();
  assert.deepEqual([all.code, JSON.parse(all.stdout)], [0, { brands: 2, days: 2, rows: 2 }], all.stderr);
  for (const id of brands) assert.deepEqual(await daysOf(id), [dayAgo(1)]);

  const [first, second] = brands;
  const named = await aggregate('--brand', String(first), '--from', dayAgo(4), '--to', dayAgo(3));
  assert.deepEqual(JSON.parse(named.stdout), { brands: 1, days: 2, rows: 2 });
  // The day between was missed.
  const due = await aggregate('--brand', String(first));
  assert.deepEqual(JSON.parse(due.stdout), { brands: 1, days: 1, rows: 1 });
  assert.deepEqual(await daysOf(first), [dayAgo(1), dayAgo(2), dayAgo(3), dayAgo(4)]);
  assert.deepEqual(await daysOf(second), [dayAgo(1)]);

  const since = await aggregate('--from', dayAgo(2));
  assert.deepEqual(JSON.parse(since.stdout), { brands: 2, days: 4, rows: 4 });
  await server.stop();
});

for (const [name, args, message] of [
  ['a day that is none', ['--from', '2026-02-30'], /--from must be a day/],
  ['a day that is not over', ['--from', dayAgo(1), '--to', dayAgo(0)], /--to must be yesterday/],
  ['a range that is turned', ['--from', dayAgo(1), '--to', dayAgo(2)], /--from must not be after/],
  ['a day before 2000', ['--from', '1999-12-31', '--to', '2000-01-01'], /--from must be 2000-01-01 or later/],
  ['an unknown brand', ['--brand', '999999'], /no brand 999999/],
  ['a brand that is no number', ['--brand', 'x'], /no brand x/],
] as const)
  test(`brandport aggregate refuses ${name}, in a sentence`, async () => {
    const { code, stdout, stderr } = await aggregate(...args);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, message);
    assert.doesNotMatch(stderr, /at .*\.ts/);
  });

test('brandport aggregate ends at a signal while a transaction waits, and says what stays', async () => {
  const blocker = new pg.Client(address);
  await blocker.connect();
  await blocker.query('begin');
  await blocker.query('lock table analytics.dataset_revisions in access exclusive mode');
  const { child, outcome } = startCommand(env, 'aggregate', '--from', dayAgo(1));
  const waits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await waitFor('the lock', async () => (await runSql(address, waits)).length > 0, 20_000);
  const stoppedAt = performance.now();
  child.kill('SIGTERM');
  const { code, stderr } = await outcome;
  assert.ok(performance.now() - stoppedAt < 5_000);
  assert.match(
    stderr,
    /^Stopped\. The days that were aggregated stay; run the command again for the rest\.$/m,
  );
  assert.equal(code, 1);
  await blocker.end();
});
