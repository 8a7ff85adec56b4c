import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { engineNames } from '../../../../server/src/analytics/store/coordination/engine-store.ts';
import { type Address, filledDatabase } from '../../../../server/src/backup/tests/backup-run.ts';
import { migrate } from '../../../../server/src/postgres/schema/migrate.ts';
import { analyticsSchema, mainSchema } from '../../../../server/src/postgres/schema/schema-line.ts';
import { createDatabase, runSql } from '../../../../server/test/support/fresh-database.ts';
import { listBrandTables } from '../brand-tables-store.ts';
import { openBrand } from '../close-brand.ts';
import { exportBrand } from '../export-brand.ts';
import { withCell } from '../move-connection.ts';
import { removeBrand } from '../remove-brand.ts';
import { alone, close, digestBrand, exportTo, importFrom, newBrandFile, withClient } from './moved-brand.ts';

const cancelled = new AbortController().signal;
const quietly = { version: '1.2.3', log: () => {}, cancelled };

/** A cell with a brand, and events dropped as far as in the saved state. */
async function otherCell(): Promise<Address> {
  const address = await createDatabase();
  for (const line of [mainSchema, analyticsSchema]) await migrate(address, line);
  await runSql(
    address,
    `select analytics.drop_events_before('2020-01-01');
     insert into brands (id, name) overriding system value values (8388608, 'Here before');
     insert into brand_catalogs (brand_id, version, changed_at) values (8388608, 1, now());
     insert into audit_entries (action, brand_id, resource_type, resource_id) 
       values ('brand.create', 8388608, 'brand', '8388608');
     insert into sku_claims (brand_id, sku, kind, tu_id) values (8388608, 'SIMPLE', 'product', 'other');
     insert into products (brand_id, tu_id, sku, type, title, default_language, versions, price_value, price_currency, tax_class,
         is_active, created_at, updated_at)
       values (8388608, 'other', 'SIMPLE', 'simple', 'Other', 'en', '{}', 1, 'EUR', 'standard', true, now(), now())`,
  );
  return address;
}

/** Tables that belong to a cell, not to a brand: they stay where they are. */
const withoutBrand = [
  'public.alerts',
  'public.administrators',
  'public.cell',
  'public.console_sessions',
  'public.console_sign_ins',
  'public.retention_runs',
  'public.write_probe',
  `analytics.${engineNames.part}_store`,
  'analytics.event_retention',
];

/** Unique keys that do not begin with the brand: each has to stay unique when brands of two cells meet. */
const uniqueAcrossBrands = [
  'public.api_keys(key_id)',
  'public.audit_entries(id,at)',
  'public.brands(id)',
  'public.feed_tokens(id)',
  'public.feed_tokens(token_sha256)',
];

describe('the tables of a brand', () => {
  // [D202]
  it('are all tables of the database but those that belong to the cell', async () => {
    const address = await filledDatabase();
    const all = await runSql<{ name: string }>(
      address,
      `select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname in ('public', 'analytics') and c.relkind in ('r', 'p') and not c.relispartition
         and c.relname !~ '^schema_'`,
    );
    const moved = await withClient(address, async (client) => [
      ...(await listBrandTables(client, 'public')),
      ...(await listBrandTables(client, 'analytics')),
    ]);
    const names = moved.map(({ schema, name }) => `${schema}.${name}`);
    assert.deepEqual([...names, ...withoutBrand].sort(), all.map(({ name }) => name).sort());
    const empty = Object.entries(await digestBrand(address, 1)).filter(([, digest]) =>
      digest.startsWith('0 '),
    );
    assert.deepEqual(empty, [], 'the saved state has rows of the brand in every table');
  });

  it('have no unique key across brands but those whose values differ between cells', async () => {
    const address = await filledDatabase();
    const keys = await runSql<{ key: string }>(
      address,
      `select n.nspname || '.' || c.relname || '(' || string_agg(a.attname, ',' order by k.place) || ')' as key
       from pg_index i join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace
       cross join lateral unnest(i.indkey::smallint[]) with ordinality as k (attnum, place)
       join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
       where n.nspname in ('public', 'analytics') and i.indisunique and not c.relispartition
         and n.nspname || '.' || c.relname <> all ($1) and c.relname !~ '^schema_'
       group by n.nspname, c.relname, i.indexrelid
       having min(a.attname) filter (where k.place = 1) <> 'brand_id'`,
      [withoutBrand],
    );
    assert.deepEqual(keys.map(({ key }) => key).sort(), uniqueAcrossBrands);
  });
});

describe('a moved brand', () => {
  // [D202] [D203]
  it('has the same rows in the other cell, and new rows get new ids; the other brand there is as before', async () => {
    const [source, target] = [await filledDatabase(), await otherCell()];
    const wanted = await digestBrand(source, 1);
    const before = await digestBrand(target, 8388608);
    const file = await exportTo(alone(source), 1);
    const { rows } = await importFrom(file, alone(target));
    assert.ok(rows > 50, `${rows} rows`);
    const { ['public.audit_entries']: movedAudit, ...moved } = await digestBrand(target, 1);
    const { ['public.audit_entries']: audit, ...rest } = wanted;
    assert.deepEqual(moved, rest);
    assert.equal(
      Number.parseInt(movedAudit ?? '', 10),
      Number.parseInt(audit ?? '', 10) + 1,
      'and brand.close',
    );
    assert.deepEqual(await digestBrand(target, 8388608), before);
    assert.deepEqual(
      await runSql(target, 'select closed_at, exported_at from brands where id = 1 union select null, null'),
      [{ closed_at: null, exported_at: null }],
    );
    assert.deepEqual(await runSql(target, 'select from api_keys where brand_is_closed'), []);
    const behind = await runSql<{ table: string }>(target, sequencesBehind);
    assert.deepEqual(behind, []);
  });

  it('is removed from its cell completely, which leaves the others as they were', async () => {
    const source = await filledDatabase();
    await runSql(source, `insert into brands (name) values ('Stays')`);
    const before = await digestBrand(source, 2);
    await exportTo(alone(source), 1);
    await withCell(alone(source), (cell) => removeBrand(cell, 1, quietly));
    for (const [table, digest] of Object.entries(await digestBrand(source, 1)))
      assert.match(digest, /^0 rows/, table);
    assert.deepEqual(await digestBrand(source, 2), before);
    assert.deepEqual(await runSql(source, `select tgname from pg_trigger where tgname like 'brand\\_%'`), []);
    const [entry] = await runSql(
      source,
      `select resource_id, brand_id from audit_entries where action = 'brand.remove'`,
    );
    assert.deepEqual(entry, { resource_id: '1', brand_id: null });
  });

  it('moves with its analytics in a separate database, and replaces what a crash left there', async () => {
    const source = await filledDatabase();
    const file = await exportTo(alone(source), 1);
    const [main, analytics] = [await createDatabase(), await createDatabase()];
    await migrate(main, mainSchema);
    await migrate(analytics, analyticsSchema);
    await runSql(analytics, `select analytics.drop_events_before('2020-01-01')`);
    await runSql(
      analytics,
      `insert into analytics.event_claims (brand_id, event_id, day) values (1, 'left', '2026-01-01')`,
    );
    await importFrom(file, { main, analytics });
    const count = 'select count(*)::integer as claims from analytics.event_claims where brand_id = 1';
    assert.deepEqual(await runSql(analytics, count), await runSql(source, count));
    const back = await exportTo({ main, analytics }, 1);
    await runSql(source, 'select 1');
    const third = await otherCell();
    await importFrom(back, alone(third));
    const { ['public.audit_entries']: _, ...rest } = await digestBrand(third, 1);
    const { ['public.audit_entries']: __, ...wanted } = await digestBrand(source, 1);
    assert.deepEqual(rest, wanted);
  });
});

/** Lists the sequences that would generate an id which exists, as rows. */
const sequencesBehind = `
  select format('%I.%I', n.nspname, c.relname) as table
  from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
  cross join lateral (select pg_get_serial_sequence(format('%I.%I', n.nspname, c.relname), a.attname) as name) s
  where n.nspname in ('public', 'analytics')
    and a.attnum > 0 and s.name is not null and c.relname not in ('brands', 'feed_tokens')
    and coalesce(pg_sequence_last_value(s.name::regclass), 0) < coalesce((xpath('//max/text()',
      query_to_xml(format('select max(%I) from %I.%I', a.attname, n.nspname, c.relname), true, true, '')))[1]::text::bigint, 0)`;

describe('an export', () => {
  it('is refused for a brand that is open, was opened, or does not exist', async () => {
    const source = await filledDatabase();
    const attempt = async (id: number) => exportBrand(alone(source), id, await newBrandFile(), quietly);
    await assert.rejects(attempt(1), /The brand 1 is open.*brandport brand close 1/);
    await assert.rejects(attempt(77), /There is no brand 77/);
    await exportTo(alone(source), 1);
    await assert.rejects(
      withCell(alone(source), (cell) => openBrand(cell, 1, false)),
      /was exported at .*--abandon-export/,
    );
    await withCell(alone(source), (cell) => openBrand(cell, 1, true));
    await assert.rejects(attempt(1), /The brand 1 is open/);
    await assert.rejects(
      withCell(alone(source), (cell) => removeBrand(cell, 1, quietly)),
      /The brand 1 is open/,
    );
    await close(alone(source), 1);
    await assert.rejects(
      withCell(alone(source), (cell) => removeBrand(cell, 1, quietly)),
      /was not exported since it was closed/,
    );
  });
});
