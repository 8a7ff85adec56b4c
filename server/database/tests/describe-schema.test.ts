import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Database } from '../../src/postgres/database.ts';
import { createDatabase, runSql } from '../../test/support/fresh-database.ts';
import { describeSchema } from './describe-schema.ts';

/** Changes, each with what takes it back. */
const changes = [
  ['create table other (id integer)', 'drop table other'],
  ['alter table things set (fillfactor = 70)', 'alter table things reset (fillfactor)'],
  ['alter table things alter name type varchar(9)', 'alter table things alter name type text'],
  ['alter table things alter name set default 1', 'alter table things alter name drop default'],
  [
    'alter table things alter name set storage external',
    'alter table things alter name set storage extended',
  ],
  [
    'alter table things alter id add generated always as identity',
    'alter table things alter id drop identity',
  ],
  ['alter table things add check (id > 1) not valid', 'alter table things drop constraint things_id_check'],
  ['alter table things enable row level security', 'alter table things disable row level security'],
  ['comment on column things.id is $$One.$$', 'comment on column things.id is null'],
  ['create index by_name on things (name)', 'drop index by_name'],
  ['create view few as select id from things', 'drop view few'],
  ['create function one() returns integer language sql as $$select 1$$', 'drop function one'],
  [
    'create trigger same before update on things for each row execute function suppress_redundant_updates_trigger()',
    'drop trigger same on things',
  ],
  ['create sequence counter', 'drop sequence counter'],
  [`create type mood as enum ('good')`, 'drop type mood'],
  ['create materialized view kept as select 1 as one', 'drop materialized view kept'],
  ['create statistics pair on id, name from things', 'drop statistics pair'],
] as const;

it('the description of a schema is another one after each kind of change, and the same once it is taken back', async () => {
  const address = await createDatabase();
  await runSql(address, 'create table things (id integer not null, name text)');
  const database = new Database({ address, applicationName: 'brandport-test' });
  try {
    const before = await describeSchema(database);
    assert.ok(before.length > 2);
    for (const [change, back] of changes) {
      await runSql(address, change);
      assert.notDeepEqual(await describeSchema(database), before, change);
      await runSql(address, back);
      assert.deepEqual(await describeSchema(database), before, back);
    }
  } finally {
    await database.close();
  }
});
