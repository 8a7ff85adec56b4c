// soak: migrates whole databases, also in many processes
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listSchemaStatements } from '../../scripts/schema-dump/dump-schema.ts';
import { Database } from '../../src/postgres/database.ts';
import { migrate, requireMigrated } from '../../src/postgres/schema/migrate.ts';
import { analyticsSchema, mainSchema } from '../../src/postgres/schema/schema-line.ts';
import { createDatabase, runSql } from '../../test/support/fresh-database.ts';
import { readRows, restoreState } from './schema-state.ts';

const lines = [mainSchema, analyticsSchema];

/** A database at the baseline. */
async function baselineDatabase() {
  const address = await createDatabase();
  await restoreState(address, 'main-0001-analytics-0001.sql');
  return address;
}

/** A database whose record of migrations ends with the last of those that the baseline replaced. */
async function unreleasedDatabase(change = 'select 1') {
  const address = await baselineDatabase();
  for (const { schema, replaced } of lines) {
    await runSql(address, `update ${schema}.schema_migrations set name = '0001-schema', checksum = 'older'`);
    await runSql(
      address,
      `insert into ${schema}.schema_migrations (name, checksum) values ('0002-more', 'old'), ($1, $2)`,
      [replaced.at(-1)?.name, replaced.at(-1)?.checksum],
    );
  }
  await runSql(address, change);
  return address;
}

/** Makes the schema of `0014-cells` of that of the baseline: what the two migrations after it have made is undone. */
const beforeBrandStocks = `
  create table kept as
    select brand_id, feed_id, line, sku, location_code, quantity, reserved, updated_at, result from stock_feed_lines;
  drop table stock_feed_packs cascade;
  create table stock_feed_lines (
    brand_id integer not null,
    feed_id bigint not null,
    line integer not null,
    sku text collate "C" not null,
    location_code text collate "C" not null,
    quantity integer not null,
    reserved integer,
    updated_at timestamptz(3) not null,
    result text,
    primary key (brand_id, feed_id, line)
  ) partition by range (feed_id);
  create table stock_feed_lines_p1 partition of stock_feed_lines for values from (minvalue) to (maxvalue);
  insert into stock_feed_lines select * from kept;
  drop table kept;
  create index stock_feeds_with_lines_by_id on stock_feeds (id) where lines_dropped_at is null;
  create table brand_stock_versions (
    brand_id integer references brands,
    slot smallint,
    version bigint not null,
    primary key (brand_id, slot)
  );
  insert into brand_stock_versions select brand_id, 3, version from brand_stocks;
  drop table stock_changes, brand_stocks cascade;
  update schema_migrations
  set name = '0014-cells', checksum = '${mainSchema.replaced[0]?.checksum}' where name = '0016-feed-packs';`;

async function stateOf(address: Awaited<ReturnType<typeof createDatabase>>) {
  const database = new Database({ address, applicationName: 'brandport-test' });
  const rows = await readRows(database);
  const tables = (await listSchemaStatements(database)).filter((statement) =>
    /^CREATE TABLE (?!audit_entries)/.test(statement),
  );
  await database.close();
  return { tables, rows: [...rows].filter(([table]) => !/(^|\.)schema_/.test(table)).sort() };
}

// [D79]
describe('a database at the last of the migrations that the baseline replaced', () => {
  it('counts as one at the baseline, and has the same tables and rows after the migrations behind it', async () => {
    const expected = await baselineDatabase();
    const address = await unreleasedDatabase();
    for (const line of lines) {
      await migrate(expected, line);
      await assert.rejects(requireMigrated(address, line), /older schema; run `brandport migrate` first/);
      assert.equal((await migrate(address, line))[0], '0001-baseline (adopted)');
      await requireMigrated(address, line);
      assert.deepEqual(await migrate(address, line), []);
    }
    assert.deepEqual(await stateOf(address), await stateOf(expected));
  });

  it('counts as one at the baseline once the replaced migrations that it lacks have run', async () => {
    const expected = await unreleasedDatabase();
    await migrate(expected, mainSchema);
    const address = await unreleasedDatabase(beforeBrandStocks);
    assert.equal((await migrate(address, mainSchema))[0], '0001-baseline (adopted)');
    await requireMigrated(address, mainSchema);
    const [before, after] = [await stateOf(expected), await stateOf(address)];
    // In the order of their creation, which differs.
    assert.deepEqual(after.tables.sort(), before.tables.sort());
    // The list of changed levels begins with the migration.
    const kept = ({ rows }: typeof after) =>
      rows.filter(([table]) => !['stock_changes', 'brand_stocks'].includes(table));
    assert.deepEqual(kept(after), kept(before));
    const versions = 'select brand_id, version from brand_stocks order by brand_id';
    assert.deepEqual(await runSql(address, versions), await runSql(expected, versions));
  });

  it('is taken over once by many processes', async () => {
    const address = await unreleasedDatabase();
    const ran = await Promise.all(Array.from({ length: 6 }, () => migrate(address, mainSchema)));
    assert.equal(ran.filter((names) => names.length > 0).length, 1);
  });

  for (const [what, change] of [
    ['is missing', `delete from schema_migrations where name like '0016-%'`],
    ['was changed', `update schema_migrations set checksum = 'x' where name like '0016-%'`],
  ] as const)
    it(`is refused, and not changed, when the last one ${what}`, async () => {
      const address = await unreleasedDatabase(change);
      const history = () => runSql(address, 'select name, checksum from schema_migrations order by name');
      const before = await history();
      for (const start of [migrate, requireMigrated])
        await assert.rejects(
          start(address, mainSchema),
          /the migration 0001-schema, which .* by an unreleased one/,
        );
      assert.deepEqual(await history(), before);
    });
});
