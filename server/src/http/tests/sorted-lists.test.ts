// processes: walks every list in every order
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { assertInvalid } from '../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { newAdministrator } from '../../access/administrators/tests/new-administrator.ts';
import { ok } from '../../catalog/tests/new-axes.ts';

const apps = await createTestApps();
const { admin, sql } = apps;
const begin = Date.now();
const [ours, theirs] = [(await apps.newBrand()).brandId, (await apps.newBrand()).brandId];
const operator = await newAdministrator(apps, 'operator', [ours]);

// biome-ignore lint/suspicious/noExplicitAny: tests say what they expect of it.
type Row = any;
type Value = string | number | null;

interface List {
  readonly path: string;
  /** The value of `sort` that gives the default order. */
  readonly usual: string;
  readonly values: Readonly<Record<string, (row: Row) => Value>>;
  /** Who may read the rows of both brands only. */
  readonly isOfAll?: true;
}

const undecided = ({ status, received_lines, totals }: Row) =>
  status === 'failed' ? received_lines - (totals.applied ?? 0) - (totals.unknown_sku ?? 0) : 0;

const refusals = {
  usual: '-at',
  values: {
    at: ({ at }: Row) => at,
    status: ({ status }: Row) => status,
    operation: ({ operation }: Row) => operation,
    count: ({ count }: Row) => count,
  },
};
const feeds = {
  usual: '-received_at',
  values: {
    received_at: ({ received_at }: Row) => received_at,
    received_lines: ({ received_lines }: Row) => received_lines,
    lines_left: (feed: Row) => feed.failed_lines_left + undecided(feed),
    duration: ({ received_at, finished_at }: Row) =>
      (finished_at === null ? begin : Date.parse(finished_at)) - Date.parse(received_at),
  },
};
const jobs = {
  usual: '-last_at',
  values: {
    last_at: ({ last_at, created_at }: Row) => last_at ?? created_at,
    retries: ({ retries }: Row) => retries,
    next_run_at: ({ next_run_at }: Row) => next_run_at,
  },
};

const lists: readonly List[] = [
  { path: '/refusals?', ...refusals },
  { path: '/refusals?group=true', ...refusals },
  { path: `/brands/${ours}/refusals?`, ...refusals },
  { path: `/refusals?status_class=4xx&from=2026-01-01&brand_id=${theirs}`, ...refusals },
  { path: '/feeds?', ...feeds },
  { path: '/feeds?source=erp&from=2026-01-01', ...feeds },
  { path: `/brands/${ours}/feeds?`, ...feeds },
  { path: '/jobs?', ...jobs },
  { path: '/jobs?group=true', ...jobs, values: { ...jobs.values, count: ({ count }: Row) => count } },
  { path: '/audit?', usual: '-at', values: { at: ({ id }: Row) => id } },
  { path: '/audit?action=test.change&from=2026-01-01', usual: '-at', values: { at: ({ id }: Row) => id } },
  { path: `/brands/${ours}/users?`, usual: 'tu_id', values: { tu_id: ({ tu_id }: Row) => tu_id } },
  {
    path: '/refusals/unverified?',
    usual: '-minute',
    values: {
      minute: ({ minute }: Row) => minute,
      network: ({ network }: Row) => network,
      count: ({ count }: Row) => count,
    },
    isOfAll: true,
  },
];

/** Stores rows of both brands, many of which are equal in what lists sort by. */
async function seed(): Promise<void> {
  const brands = [ours, theirs];
  await sql(
    `insert into refusals (brand_id, id, at, request_id, key_id, operation, method, path, status, code, fields, count)
     select b, n, timestamptz '2026-03-01' + (n / 2) * interval '1 minute', 'r' || b || n, 'tuk_' || lpad((n % 3)::text, 24, '0'),
       case when n % 4 > 0 then 'op' || n % 4 end, 'GET', '/x', 400 + n % 5, 'c', '{}', 1 + n % 3
     from unnest($1::int[]) b, generate_series(1, 23) n`,
    [brands],
  );
  await sql(
    `insert into stock_feeds (brand_id, tu_id, batch_id, lines_sha256, source, received_lines, totals, received_at, finished_at,
       status)
     select b, 'f' || n, 'batch' || n, '\\x00', 'erp', 10 + n % 4,
       case when n % 3 = 0 then '{"unknown_sku":5}' else '{"applied":2}' end::jsonb,
       timestamptz '2026-03-01' + n * interval '1 hour',
       case when n % 5 > 0 then timestamptz '2026-03-01' + n * interval '1 hour' + (n % 4) * interval '3 s' end,
       case when n % 5 = 0 then 'queued' when n % 4 = 0 then 'failed' else 'completed' end
     from generate_series(1, 21) n, unnest($1::int[]) b order by n, b`,
    [brands],
  );
  await sql(
    `insert into open_feed_lines (brand_id, sku, location_code, feed_id, line, updated_at)
     select brand_id, 'S' || id || n, 'L', id, n, now() from stock_feeds, generate_series(1, 5) n
     where totals ? 'unknown_sku' and n <= id % 5`,
  );
  await sql(
    `insert into pgboss.job (name, state, data, policy, created_on, completed_on, start_after, retry_count, output)
     select q.name, (array['failed', 'retry', 'created', 'active'])[1 + n % 4]::pgboss.job_state,
       jsonb_build_object('brand_id', b), q.policy, timestamptz '2026-03-01' + n * interval '1 s',
       timestamptz '2026-03-02' + n * interval '1 s',
       timestamptz '2099-01-01' + (n % 5) * interval '1 s', n % 3, jsonb_build_object('message', 'reason ' || repeat('x', n % 3))
     from pgboss.queue q, unnest($1::int[]) b, generate_series(1, 17) n where q.name = 'aggregate-window'`,
    [brands],
  );
  await sql(
    `insert into audit_entries (action, brand_id, resource_type, resource_id)
     select 'test.change', b, 'brand', b from unnest($1::int[]) b, generate_series(1, 9)`,
    [brands],
  );
  await sql(
    `insert into learners (brand_id, tu_id) select b, 'u' || n from unnest($1::int[]) b, generate_series(1, 12) n`,
    [brands],
  );
  await sql(
    `insert into unverified_refusals (minute, network, reason, count)
     select timestamptz '2026-03-01' + (n / 3) * interval '1 minute', 'n' || n % 3, 'unknown', 1 + n % 4
     from generate_series(1, 14) n`,
  );
}

/** Reads all pages of a list, four rows each. */
async function walk(client: typeof admin, path: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1; ; page += 1) {
    const { data, meta } = await ok(client.get(`${path}&per_page=4&page=${page}`));
    rows.push(...data);
    if (page < meta.last_page) continue;
    assert.equal(meta.total, rows.length, path);
    return rows;
  }
}

/** Rows without a value come last. */
function compare(one: Value, other: Value, sign: number): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return one === other ? 0 : sign * (one < other ? -1 : 1);
}

// [internal-197] [D370]
describe('a sorted list', () => {
  before(seed);

  for (const { path, usual, values, isOfAll } of lists)
    it(`has the rows of ${path.replace(/\d+/g, 'N')} in each order, equal ones as without, over all pages`, async () => {
      for (const client of isOfAll ? [admin] : [admin, operator.client]) {
        if (client === operator.client && path.includes(`brand_id=${theirs}`)) continue;
        const rows = await walk(client, path);
        assert.ok(rows.length > 8, `${rows.length}`);
        for (const [field, keyOf] of Object.entries(values))
          for (const sort of [field, `-${field}`]) {
            const sign = sort === field ? 1 : -1;
            const isUsual = field === usual.replace('-', '') && !path.includes('group');
            const expected = isUsual
              ? sort === usual
                ? rows
                : rows.toReversed()
              : rows.toSorted((one, other) => compare(keyOf(one), keyOf(other), sign));
            const walked = await walk(client, `${path}&sort=${sort}`);
            const texts = (some: Row[]) => some.map((row) => JSON.stringify({ ...row, waiting: null }));
            assert.deepEqual(texts(walked), texts(expected), `${path} by ${sort}`);
          }
        const brands = new Set(rows.map(({ brand_id, data }) => brand_id ?? data?.brand_id ?? ours));
        if (client === operator.client) assert.deepEqual([...brands], [ours], path);
      }
    });

  it('takes no other order, and names those that it takes', async () => {
    for (const { path, values } of lists) {
      const possible = Object.keys(values).flatMap((name) => [name, `-${name}`]);
      for (const sort of ['path', '--at', 'at,status', '']) {
        const answer = await admin.get(`${path}&sort=${sort}`);
        assert.equal(answer.status, 422, `${path} ${sort}`);
        assert.deepEqual(Object.keys(answer.json.errors), ['sort']);
        for (const one of possible) assert.ok(answer.text.includes(one), answer.text);
      }
    }
    assertInvalid(await admin.get('/jobs?sort=-count'), { sort: 'must not be `count` without `group=true`' });
  });
});
