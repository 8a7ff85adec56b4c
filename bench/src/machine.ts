import { cpus, release, totalmem, type } from 'node:os';
import process from 'node:process';
import type pg from 'pg';

/** Describes the machine of a measurement, one fact per line. */
export async function describeMachine(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; setting: string }>(
    `select name, current_setting(name) as setting from pg_settings
     where name in ('server_version', 'shared_buffers', 'fsync', 'synchronous_commit', 'max_wal_size')
     order by name`,
  );
  const processors = cpus();
  return [
    `${processors.length} x ${processors[0]?.model ?? 'unknown processor'}, shared by PostgreSQL, the server and the load generator`,
    `${Math.round(totalmem() / 1024 ** 3)} GiB of memory, ${type()} ${release()}`,
    `Node ${process.version}; PostgreSQL: ${rows.map(({ name, setting }) => `${name} ${setting}`).join(', ')}`,
  ];
}
