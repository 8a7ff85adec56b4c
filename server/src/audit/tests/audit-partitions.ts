import type { TestDatabase } from '../../../test/support/test-database.ts';

type Sql = Pick<TestDatabase, 'sql'>;

/** The partitions of the audit but the default one, the oldest first. */
export function partitionsOf({ sql }: Sql): Promise<{ name: string; from: string | null; to: string }[]> {
  return sql(
    `select name, begins_at::date::text as from, ends_before::date::text as to from audit_partitions order by ends_before`,
  );
}

/** Adds entries that were received at a time. Returns the partition that has them. */
export async function addEntries({ sql }: Sql, at: Date, count = 1): Promise<string> {
  const rows = await sql<{ partition: string }>(
    `insert into audit_entries (at, action, resource_type, resource_id)
     select $2, 'test', 'test', n::text from generate_series(1, $1) n
     returning tableoid::regclass::text as partition`,
    [count, at],
  );
  return rows[0]?.partition as string;
}
