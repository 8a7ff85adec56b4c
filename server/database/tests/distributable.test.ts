import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { migrate } from '../../src/postgres/schema/migrate.ts';
import { analyticsSchema, mainSchema } from '../../src/postgres/schema/schema-files.ts';
import { createDatabase, runSql } from '../../test/support/fresh-database.ts';

/** Tables without `brand_id`, by the reason: a PostgreSQL that is distributed by brand needs it (docs/scale.md). */
const withoutBrand = {
  'of the operator, for any brands':
    'administrators alerts console_sessions console_sign_ins muted_concerns retention_runs unverified_refusals',
  'of the schema': 'schema_migrations schema_objects schema_revision',
  'of the schema of analytics':
    'analytics.schema_migrations analytics.schema_objects analytics.schema_revision',
  'shows whether the disk takes a row': 'write_probe',
  'its id is the brand': 'brands',
  'one row, which statements of a brand join':
    'analytics.clickhouse_store analytics.event_retention analytics.revision_floor',
};
/** Unique keys without the brand, with the reason. Their tables stay on the coordinator. */
const keysWithoutBrand: Readonly<Record<string, string>> = {
  api_keys_key_id_unique: 'a request brings the public id of its key, and its brand is found by it',
  audit_entries_pkey: 'one list over all brands; entries of the operator have none',
  feed_tokens_id_unique: 'the operator deletes a token by its id alone',
  feed_tokens_token_unique: 'a feed brings a token, and its brand is found by its hash',
};
const page = await readFile(new URL('../../../docs/scale.md', import.meta.url), 'utf8');
const address = await createDatabase();
for (const line of [mainSchema, analyticsSchema]) await migrate(address, line);
const ours = `from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname in ('public', 'analytics')
  left join pg_attribute b on b.attrelid = c.oid and b.attname = 'brand_id'`;
const tables = await runSql<{ name: string; type: string | null }>(
  address,
  `select c.oid::regclass::text as name, format_type(b.atttypid, b.atttypmod) || ' ' || b.attnotnull as type ${ours}
   where c.relkind in ('r', 'p') and not c.relispartition`,
);
const keys = await runSql<{ name: string; table: string; stays: boolean }>(
  address,
  `select i.indexrelid::regclass::text as name, c.oid::regclass::text as table,
     b.attnum = any((i.indkey::smallint[])[0 : i.indnkeyatts - 1]) as stays
   ${ours} join pg_index i on i.indrelid = c.oid and (i.indisunique or i.indisexclusion)
   where b.attnum is not null and not c.relispartition`,
);
/** `stays`: it has the brand at one position on both sides, and writes no key of a row. */
const references = await runSql<{ name: string; table: string; target: string; stays: boolean }>(
  address,
  `select f.conname as name, c.oid::regclass::text as table, f.confrelid::regclass::text as target,
     coalesce(f.confkey[array_position(f.conkey, b.attnum)] = t.attnum, false) and f.confdeltype in ('a', 'c')
       and f.confupdtype = 'a' as stays
   ${ours} join pg_constraint f on f.conrelid = c.oid and f.contype = 'f'
   left join pg_attribute t on t.attrelid = f.confrelid
     and t.attname = case f.confrelid when 'brands'::regclass then 'id' else 'brand_id' end
   where b.attnum is not null or t.attnum is not null`,
);
const leaving = [...keys, ...references].filter(({ stays }) => !stays);
const onCoordinator = new Set(leaving.map(({ table }) => table));
const distributed = tables.filter(({ name, type }) => type !== null && !onCoordinator.has(name));
test('tables and keys without the brand have a reason, and docs/scale.md distributes the others in order', () => {
  const without = tables.filter(({ type }) => type === null).map(({ name }) => name);
  assert.deepEqual(without.toSorted(), Object.values(withoutBrand).join(' ').split(' ').toSorted());
  assert.ok(distributed.length > 35 && distributed.every(({ type }) => type === 'integer true'));
  assert.deepEqual(leaving.map(({ name }) => name).toSorted(), Object.keys(keysWithoutBrand));
  const listed = /'\{([\w.,\s]+)\}'/.exec(page)?.[1]?.trim().split(/,\s*/) ?? [];
  assert.deepEqual(listed.toSorted(), distributed.map(({ name }) => name).toSorted());
  const copied = [...page.matchAll(/create_reference_table\('([\w.]+)'\)/g)].map((found) => found[1]);
  const joined = `${withoutBrand['its id is the brand']} ${withoutBrand['one row, which statements of a brand join']}`;
  assert.deepEqual(copied.toSorted(), joined.split(' ').toSorted());
  for (const { name, table, target } of references) {
    const before = [...copied, ...listed.slice(0, Math.max(0, listed.indexOf(table)))];
    assert.ok(before.includes(target), name);
  }
  for (const { name, table } of leaving) assert.match(page, new RegExp(`\`${name}\`[^]*\`${table}\``), name);
});
