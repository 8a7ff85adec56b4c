import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { EmbeddedPostgres } from '../../../src/postgres/embedded/embedded-postgres.ts';
import { findRunningCluster } from '../../../src/postgres/embedded/embedded-postgres.ts';
import { clusterLogFile, defaultIdleMinutes, keeperName } from './cluster-place.ts';

export type Connection = EmbeddedPostgres['connection'];

const startLimitMs = 120_000;
const connectLimitMs = 10_000;
/** A keeper that lost the directory to another one is not replaced before this age. */
const respawnMs = 2_000;
const keeperScript = fileURLToPath(new URL('./keep-cluster.ts', import.meta.url));

/**
 * Returns the connection of the shared test cluster in `dir`, and starts the cluster when none accepts connections [D83].
 * Safe for any number of processes at once: their keepers compete for the directory's lock, and one of them wins.
 *
 * @throws Error with the end of the cluster's log when it does not start
 */
export async function findOrStartCluster(
  dir: string,
  { idleMinutes = defaultIdleMinutes }: { idleMinutes?: number } = {},
): Promise<Connection> {
  const deadline = performance.now() + startLimitMs;
  let keeper: Keeper | undefined;
  for (;;) {
    const connection = await findKeptCluster(dir);
    if (connection !== undefined) return connection;
    if (keeper?.state() === 'failed' || performance.now() > deadline)
      throw new Error(
        `The PostgreSQL of the tests did not start. The end of ${clusterLogFile(dir)}:\n${tail(dir)}`,
      );
    if (keeper === undefined || (keeper.state() === 'ended' && keeper.age() > respawnMs))
      keeper = spawnKeeper(dir, idleMinutes);
    await delay(50);
  }
}

/** The cluster that runs in `dir`, accepts connections and has a keeper. */
async function findKeptCluster(dir: string): Promise<Connection | undefined> {
  const connection = await findRunningCluster(dir);
  if (connection === undefined) return undefined;
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: connectLimitMs });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query('select from pg_stat_activity where application_name = $1', [
      keeperName,
    ]);
    return rows.length > 0 ? connection : undefined;
  } catch {
    return undefined;
  } finally {
    await client.end().catch(() => {});
  }
}

interface Keeper {
  /** `ended`: it left the directory to another keeper, which may end before it serves. */
  state(): 'running' | 'ended' | 'failed';
  /** Milliseconds since its start. */
  age(): number;
}

/** The exit code of a keeper that found the directory taken. */
export const directoryTaken = 3;

function spawnKeeper(dir: string, idleMinutes: number): Keeper {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const log = openSync(clusterLogFile(dir), 'a', 0o600);
  const child = spawn(process.execPath, [keeperScript, dir, String(idleMinutes)], {
    detached: true,
    stdio: ['ignore', log, log],
    cwd: '/',
    // The keeper outlives the test, so it does not inherit the test's environment.
    env: { PATH: process.env['PATH'], TMPDIR: process.env['TMPDIR'] },
  });
  closeSync(log);
  child.unref();
  const startedAt = performance.now();
  let state: ReturnType<Keeper['state']> = 'running';
  child.on('exit', (code) => {
    state = code === 0 || code === directoryTaken ? 'ended' : 'failed';
  });
  child.on('error', () => {
    state = 'failed';
  });
  return { state: () => state, age: () => performance.now() - startedAt };
}

function tail(dir: string): string {
  try {
    return readFileSync(clusterLogFile(dir), 'utf8').split('\n').slice(-20).join('\n');
  } catch {
    return '(no log)';
  }
}
