import type { TestDatabase } from './test-database.ts';

/** Returns a digest of all stored rows by table, except those about the use of keys, which are written in the background. */
export async function digestStoredRows({ sql }: Pick<TestDatabase, 'sql'>): Promise<Record<string, string>> {
  const tables = await sql<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema', 'pgboss') and tablename <> 'api_key_usage' order by 1`,
  );
  const digests = tables.map(
    ({ name }) => `select '${name}' as name, count(*) as rows,
      md5(string_agg((to_jsonb(t) - 'last_used_at' - 'last_used_from')::text, ','
        order by (to_jsonb(t) - 'last_used_at' - 'last_used_from')::text)) as digest from ${name} t`,
  );
  const rows = await sql<{ name: string; rows: number; digest: string | null }>(digests.join(' union all '));
  return Object.fromEntries(rows.map(({ name, rows, digest }) => [name, `${rows} rows, ${digest}`]));
}
