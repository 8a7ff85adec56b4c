import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { migrate } from '../../src/postgres/schema/migrate.ts';
import { mainSchema } from '../../src/postgres/schema/schema-files.ts';
import { createDatabase, runSql } from '../../test/support/fresh-database.ts';
import { restoreState } from './schema-state.ts';

const address = await createDatabase();
await restoreState(address, 'main-0003-analytics-0001.sql');
// Entries of a month with a partition, of one without, and of the time before there were months.
await runSql(
  address,
  `create table audit_entries_2031_05 partition of audit_entries
     for values from ('2031-05-01 00:00:00+00') to ('2031-06-01 00:00:00+00');
   create table audit_entries_p1 partition of audit_entries for values from (minvalue) to ('2020-01-01 00:00:00+00');
   select setval('audit_entries_id_seq', 1500);
   insert into audit_entries (at, action, brand_id, resource_type, resource_id, details, actor)
     select t.at, 'test', b.id, 'test', n::text, '{"größe": 1}', 'ada'
     from brands b, generate_series(1, 300) n,
       unnest(array['2031-05-17', '2031-09-01', '2019-12-31']::timestamptz[]) as t (at)`,
);
const entries = () => runSql(address, 'select to_jsonb(e)::text as entry from audit_entries e order by id');

describe('the migration of the audit to one table', async () => {
  const before = await entries();
  await migrate(address, mainSchema);

  it('keeps every entry of every partition', async () => {
    assert.ok(before.length > 900, `${before.length} entries`);
    assert.deepEqual(await entries(), before);
    const partitions = `select count(*)::integer as count from pg_class where relname like 'audit_entries\\__0%' or relname
      like 'audit_entries_p_' or relname in ('audit_entries_default', 'audit_entries_by_month')`;
    assert.deepEqual(await runSql(address, partitions), [{ count: 0 }]);
  });

  it('continues the ids', async () => {
    const [added] = await runSql(
      address,
      `insert into audit_entries (action, resource_type, resource_id) values ('a', 'b', 'c') returning id::integer`,
    );
    assert.deepEqual(added, { id: 2_401 });
  });
});
