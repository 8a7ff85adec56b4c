import type pg from 'pg';

export interface StoredTable {
  readonly schema: string;
  readonly name: string;
  /** Those that are stored, not computed, in order. */
  readonly columns: readonly string[];
}

/**
 * Lists the tables of the schemas with their columns, in order of creation. Not listed: partitions, which are part of their
 * table, tables of extensions, and the bookkeeping of migrations, which a restore writes itself. Of the job queue's schema,
 * only the jobs are listed.
 */
export async function listTables(client: pg.Client, schemas: readonly string[]): Promise<StoredTable[]> {
  const { rows } = await client.query<StoredTable>(
    `select n.nspname as schema, c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c
     join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relkind in ('r', 'p') and not c.relispartition
       and (n.nspname = any ($1) and c.relname not in ('schema_migrations', 'schema_objects', 'schema_revision')
         or n.nspname = 'pgboss' and c.relname = 'job' and 'public' = any ($1))
       and not exists (select from pg_depend d
         where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
     group by n.nspname, c.relname, c.oid order by c.oid`,
    [schemas],
  );
  return rows;
}

export interface StoredSequence {
  readonly schema: string;
  readonly name: string;
  readonly last_value: string;
}

/** Lists the sequences that were used. Their values are current ones in any transaction, never behind its rows. */
export async function listSequences(client: pg.Client, schema: string): Promise<StoredSequence[]> {
  const { rows } = await client.query<StoredSequence>(
    `select s.schemaname::text as schema, s.sequencename::text as name, s.last_value::text as last_value
     from pg_sequences s
     where s.schemaname = $1 and s.last_value is not null
     order by s.sequencename`,
    [schema],
  );
  return rows;
}

/** Lists the months that have a partition of learning events, such as `2026-03`. */
export async function listEventMonths(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ month: string }>(
    `select replace(right(c.relname, 7), '_', '-') as month
     from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = to_regclass('analytics.learning_events') and c.relname ~ '^learning_events_\\d{4}_\\d\\d$'
     order by 1`,
  );
  return rows.map(({ month }) => month);
}

/** The version of the job queue's schema; null where there is none. */
export async function findQueueVersion(client: pg.Client): Promise<number | null> {
  const { rows: found } = await client.query(`select to_regclass('pgboss.version') is not null as exists`);
  if (!found[0].exists) return null;
  const { rows } = await client.query<{ version: number }>('select version from pgboss.version');
  return rows[0]?.version ?? null;
}

/** Lists the names of relations that a database must not have for a restore; a job queue without jobs is allowed. */
export async function listStrangers(client: pg.Client): Promise<string[]> {
  const { rows: queue } = await client.query(`select to_regclass('pgboss.job') is not null as exists`);
  const hasJobs =
    queue[0].exists &&
    (await client.query('select exists (select from pgboss.job) as found')).rows[0].found === true;
  const { rows } = await client.query<{ name: string }>(
    `select format('%s.%s', n.nspname, c.relname) as name
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
       and n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and (n.nspname <> 'pgboss' or $1)
       and not exists (select from pg_depend d
         where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
     order by 1`,
    [hasJobs],
  );
  return rows.map(({ name }) => name);
}
