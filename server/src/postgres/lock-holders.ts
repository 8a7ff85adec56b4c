import type pg from 'pg';

interface HolderRow {
  readonly pid: number;
  readonly application: string | null;
  readonly state?: string | null;
  readonly since: Date | null;
}

/** Describes the sessions that keep the given backends of Brandport waiting; null if none waits. */
export async function listLockHolders(
  client: pg.Client,
  waitingPids: readonly number[],
  own: 'with own' | 'without own',
): Promise<string | null> {
  const { rows } = await client.query<HolderRow>(
    `select distinct h.pid, h.application_name as application, h.state, coalesce(h.xact_start, h.backend_start) as since
     from pg_stat_activity w
     cross join unnest(pg_blocking_pids(w.pid)) as blocking (pid)
     join pg_stat_activity h on h.pid = blocking.pid
     where w.pid = any($1::integer[]) and w.wait_event_type = 'Lock' and w.application_name like 'brandport%'
       and ($2 or h.pid <> all($1::integer[]))
     order by h.pid`,
    [waitingPids, own === 'with own'],
  );
  return describe(rows);
}

/** Describes the sessions that hold an advisory lock of one key in the current database; null if none holds it. */
export async function listAdvisoryLockHolders(client: pg.Client, key: number): Promise<string | null> {
  const { rows } = await client.query<HolderRow>(
    `select h.pid, h.application_name as application, coalesce(h.xact_start, h.backend_start) as since
     from pg_locks l
     join pg_stat_activity h on h.pid = l.pid
     where l.locktype = 'advisory' and l.granted and l.objsubid = 1 and l.classid::bigint = 0 and l.objid::bigint = $1
       and l.database = (select oid from pg_database where datname = current_database())
     order by h.pid`,
    [key],
  );
  return describe(rows);
}

/** "pid 4711 (psql, idle in transaction, since 2026-03-01T10:00:00.000Z)". PostgreSQL hides states and times of other roles. */
function describe(rows: readonly HolderRow[]): string | null {
  const sessions = rows.map(({ pid, application, state, since }) => {
    const parts = [application || 'no application name', state, since && `since ${since.toISOString()}`];
    return `pid ${pid} (${parts.filter(Boolean).join(', ')})`;
  });
  return sessions.length === 0 ? null : sessions.join(', ');
}
