import type { Queryable } from './database.ts';
import { statement } from './statement.ts';

export interface ServerSession {
  readonly pid: number;
  readonly application_name: string | null;
  readonly client_addr: string | null;
  readonly state: string | null;
  readonly wait: string | null;
  readonly blocked_by: readonly number[];
  readonly backend_start: Date | null;
  readonly xact_start: Date | null;
  readonly query_start: Date | null;
  /** Up to its first value: text in a statement may be a secret. */
  readonly query: string | null;
}

/** Lists the sessions of the current database, the oldest transaction first. */
export async function listSessions(database: Queryable): Promise<ServerSession[]> {
  const rows = await database.run(
    statement<ServerSession>(
      'list_sessions',
      `select pid, application_name, client_addr::text, state, nullif(concat_ws(': ', wait_event_type, wait_event), '') as wait,
         pg_blocking_pids(pid) as blocked_by, backend_start, xact_start, query_start, query
       from pg_stat_activity
       where datname = current_database()
       order by xact_start nulls last, backend_start`,
      [],
      { long: true },
    ),
  );
  return rows.map((row) => ({ ...row, query: row.query === null ? null : withoutValues(row.query) }));
}

/** Cuts a statement at the first character with which a value, a parameter or a comment can begin. */
function withoutValues(query: string): string {
  return query.split(/['"$\d]|--|\/\*/)[0] as string;
}

export async function readServerVersion(database: Queryable): Promise<string> {
  const text = `select current_setting('server_version') as version`;
  const [row] = await database.run(statement<{ version: string }>('read_server_version', text));
  return row?.version ?? '';
}

/** Returns the bytes on disk of the database: PostgreSQL adds up the sizes of its files, without reading any. */
export async function readDatabaseSize(database: Queryable): Promise<number> {
  const rows = await database.run(
    statement<{ bytes: number }>(
      'read_database_size',
      'select pg_database_size(current_database())::float8 as bytes',
      [],
      { long: true },
    ),
  );
  return rows[0]?.bytes ?? 0;
}
