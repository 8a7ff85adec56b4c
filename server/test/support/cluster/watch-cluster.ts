import pg from 'pg';
import type { Log } from '../../../src/lib/log.ts';
import { keeperName } from './cluster-place.ts';
import type { Connection } from './find-or-start-cluster.ts';
import { templatePrefix } from './template-database.ts';

/** The interval of the keeper's checks; also its delay in noticing the last disconnect. */
const intervalMs = 15_000;
/** A test database without connections for this long belongs to a test that was killed. */
const abandonedMs = 5 * 60_000;

export interface ClusterWatch {
  /** Settles when nobody used the cluster for the idle time, after `end()`, or when PostgreSQL is lost. */
  readonly ended: Promise<void>;
  end(): void;
}

/**
 * Watches who uses the cluster, over one connection that also proves to tests that the keeper is alive. Drops
 * databases that killed tests left behind: all of them at the start, later those without connections for five minutes.
 */
export async function watchCluster(connection: Connection, idleMs: number, log: Log): Promise<ClusterWatch> {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const client = new pg.Client(connection);
  client.on('error', () => end());
  await client.connect();
  await dropDatabases(client, await listUnused(client), log);
  // From here on tests accept the cluster.
  await client.query(`set application_name = '${keeperName}'`);

  const unusedSince = new Map<string, number>();
  let lastUse = performance.now();
  let lastSessions = '';
  const look = async () => {
    const now = performance.now();
    const { sessions, clients } = await countUse(client);
    // Each connection counts as a session, so one that came and went between two looks is noticed too.
    if (clients > 0 || sessions !== lastSessions) lastUse = now;
    lastSessions = sessions;
    const unused = new Set(await listUnused(client));
    for (const name of unusedSince.keys()) if (!unused.has(name)) unusedSince.delete(name);
    for (const name of unused) if (!unusedSince.has(name)) unusedSince.set(name, now);
    const abandoned = [...unusedSince]
      .filter(([, since]) => now - since >= abandonedMs)
      .map(([name]) => name);
    await dropDatabases(client, abandoned, log);
    if (now - lastUse >= idleMs) end();
  };
  let looking = false;
  const timer = setInterval(
    () => {
      if (looking) return;
      looking = true;
      void look()
        .catch(() => end())
        .finally(() => {
          looking = false;
        });
    },
    Math.min(intervalMs, idleMs / 4),
  );
  void ended.then(() => {
    clearInterval(timer);
    return client.end().catch(() => {});
  });
  return { ended, end };
}

async function countUse(client: pg.Client): Promise<{ sessions: string; clients: number }> {
  const { rows } = await client.query<{ sessions: string; clients: number }>(
    `select (select sum(sessions) from pg_stat_database) as sessions,
            (select count(*)::int from pg_stat_activity
              where backend_type = 'client backend' and pid <> pg_backend_pid()) as clients`,
  );
  return rows[0] ?? { sessions: '', clients: 0 };
}

/** The databases of tests that nobody is connected to. */
async function listUnused(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ datname: string }>(
    `select datname from pg_database
      where not datistemplate and datname not in ('postgres', current_database()) and not starts_with(datname, $1)
        and not exists (select from pg_stat_activity a where a.datname = pg_database.datname)`,
    [templatePrefix],
  );
  return rows.map(({ datname }) => datname);
}

async function dropDatabases(client: pg.Client, names: readonly string[], log: Log): Promise<void> {
  for (const name of names) {
    log('info', `dropping the database ${name} of a test that ended without it`);
    await client.query(`drop database if exists ${pg.escapeIdentifier(name)}`).catch((error: Error) => {
      log('warn', error.message);
    });
  }
}
