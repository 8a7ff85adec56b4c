import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { migrate } from '../../src/postgres/schema/migrate.ts';
import { mainSchema } from '../../src/postgres/schema/schema-line.ts';
import { createDatabase, runSql } from '../../test/support/fresh-database.ts';
import { restoreState } from './schema-state.ts';

const address = await createDatabase();
await restoreState(address, 'main-0001-analytics-0001.sql');
// As a large table was divided by ids, with an end that was announced and proved.
await runSql(
  address,
  `alter table audit_entries detach partition audit_entries_p1;
   alter table audit_entries_p1 add constraint audit_entries_p1_end check (id < 1000);
   alter table audit_entries attach partition audit_entries_p1 for values from (minvalue) to (1000);
   create table audit_entries_p2 partition of audit_entries for values from (1000) to (maxvalue);
   select setval('audit_entries_id_seq', 1500);
   insert into audit_entries (at, action, brand_id, resource_type, resource_id)
     select now() - n * interval '1 day', 'test', b.id, 'test', n::text from generate_series(1, 900) n, brands b`,
);
const entries = () =>
  runSql(address, 'select to_jsonb(e)::text as entry from audit_entries e order by id').then((rows) => rows);

// [D198]
describe('the migration of the audit to months', async () => {
  const before = await entries();
  await migrate(address, mainSchema);

  it('keeps every entry, in the partition of all time before the next month', async () => {
    assert.deepEqual(await entries(), before);
    const [{ is_next_month: isNextMonth, ...partition }] = (await runSql(
      address,
      `select name, begins_at, ends_before = date_trunc('month', now() at time zone 'UTC') at time zone 'UTC' + interval '1 month'
         as is_next_month from audit_partitions`,
    )) as [{ is_next_month: boolean }];
    assert.deepEqual(partition, { name: 'audit_entries_p1', begins_at: null });
    assert.equal(isNextMonth, true);
  });

  it('continues the ids, and makes the months that follow', async () => {
    const [added] = await runSql(
      address,
      `insert into audit_entries (action, resource_type, resource_id) values ('a', 'b', 'c')
       returning id::integer, tableoid::regclass::text as partition`,
    );
    assert.deepEqual(added, { id: 2_401, partition: 'audit_entries_p1' });
    const made = await runSql(
      address,
      `select make_audit_partition(now()) as this, make_audit_partition(date_trunc('month', now()) + interval '40 days') like
         'audit_entries_20__\\___' as next`,
    );
    assert.deepEqual(made, [{ this: null, next: true }]);
  });
});
