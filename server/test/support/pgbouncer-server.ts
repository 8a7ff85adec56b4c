import { spawn } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { after } from 'node:test';
import type { Connection } from './cluster/find-or-start-cluster.ts';
import { findFreePort } from './free-port.ts';
import { runSql } from './fresh-database.ts';
import { startTcpProxy } from './tcp-proxy.ts';
import { waitFor } from './wait-for.ts';

export type PoolMode = 'session' | 'transaction' | 'statement';

/** Starts PgBouncer in front of a database, on a loopback port. Returns a `DATABASE_URL`. It stops with the file. */
export async function startPgbouncer(
  program: string,
  { host, port, user, password, database }: Connection,
  poolMode: PoolMode,
): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'brandport-pgbouncer-'));
  await chmod(directory, 0o755);
  const own = await findFreePort();
  // PgBouncer's user may not enter the directory of the socket.
  const server = await startTcpProxy({ host, port });
  const file = join(directory, 'pgbouncer.ini');
  await writeFile(
    file,
    `[databases]
${database} = host=127.0.0.1 port=${server.port} dbname=${database} user=${user} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
pool_mode = ${poolMode}
default_pool_size = 60
max_client_conn = 200
${process.getuid?.() === 0 ? 'user = postgres' : ''}
`,
  );
  const child = spawn(program, [file], { stdio: 'ignore' });
  child.on('error', () => {});
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  after(async () => {
    process.off('exit', kill);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    if (child.exitCode === null && kill()) await ended;
    await rm(directory, { recursive: true, force: true });
  });
  const address = { host: '127.0.0.1', port: own, user, password, database };
  await waitFor('PgBouncer', async () => (await runSql(address, 'select 1')).length === 1);
  return `postgresql://${user}:${encodeURIComponent(password)}@127.0.0.1:${own}/${database}`;
}
