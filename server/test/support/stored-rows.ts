import type { TestDatabase } from './test-database.ts';

/** Returns a digest of all stored rows by table, except those about the use of keys, which are written in the background. */
export async function digestStoredRows({ sql }: Pick<TestDatabase, 'sql'>): Promise<Record<string, string>> {
  const tables = await sql<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema', 'pgboss')
       and tablename not in ('api_key_usage', 'refusals', 'unverified_refusals', 'request_minutes') order by 1`,
  );
  const row = `(to_jsonb(t) - '{last_used_at,last_used_from,last_refused_at,last_refused_code}'::text[])::text`;
  const digests = tables.map(
    ({ name }) => `select '${name}' as name, count(*) as rows,
      md5(string_agg(${row}, ',' order by ${row})) as digest from ${name} t`,
  );
  const rows = await sql<{ name: string; rows: number; digest: string | null }>(digests.join(' union all '));
  return Object.fromEntries(rows.map(({ name, rows, digest }) => [name, `${rows} rows, ${digest}`]));
}
