import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { createTestDatabase } from '../../test/support/test-database.ts';

const { sql } = await createTestDatabase();
const planOf = async (statement: string) =>
  (await sql<{ 'QUERY PLAN': string }>(`explain (verbose) ${statement}`))
    .map((row) => row['QUERY PLAN'])
    .join('\n');

// [D80]
describe('now_ms()', () => {
  it('has milliseconds, and advances within a transaction and a statement', async () => {
    const rows = await sql<{ at: Date; fraction: number }>(
      `select now_ms() as at, extract(microseconds from now_ms())::integer % 1000 as fraction, pg_sleep(0.003)
       from generate_series(1, 3)`,
    );
    assert.deepEqual([...new Set(rows.map(({ fraction }) => fraction))], [0]);
    const times = rows.map(({ at }) => at.getTime());
    assert.equal(new Set(times).size, 3);
    assert.deepEqual(times, times.toSorted());
  });

  it('costs no call: PostgreSQL inlines it in statements and in column defaults', async () => {
    for (const statement of [
      'update brands set updated_at = now_ms()',
      `insert into audit_entries (action, resource_type, resource_id) values ('a', 'b', 'c')`,
      'with moment as (select now_ms() as now) select now from moment',
    ]) {
      const plan = await planOf(statement);
      assert.match(plan, /date_trunc\('milliseconds'::text, clock_timestamp\(\)\)/, statement);
      assert.doesNotMatch(plan, /now_ms/, statement);
    }
  });

  it('is the only name of that expression in the server', async () => {
    const root = new URL('../../', import.meta.url);
    const places: string[] = [];
    for await (const path of glob(['src/**/*.ts', 'database/*/**/*.sql'], { cwd: root.pathname })) {
      if (path.startsWith('database/tests/')) continue;
      if (
        /date_trunc\(\s*'milliseconds',\s*clock_timestamp/.test(await readFile(new URL(path, root), 'utf8'))
      )
        places.push(path);
    }
    assert.deepEqual(places, ['database/main/migrations/0009-baseline.sql']);
  });
});
