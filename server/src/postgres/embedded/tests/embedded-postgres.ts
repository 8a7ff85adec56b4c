import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { glob, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { readClusterName } from '../cluster.ts';
import type { EmbeddedPostgres } from '../embedded-postgres.ts';
import { type ClusterProcess, listClusterProcesses } from '../server-process.ts';
import type { StandInAnswer, StandInRequest } from './server-stand-in.ts';

/** The one test, or the whole file, after which something is cleaned up. */
interface Scope {
  after(clean: () => unknown): void;
}

/** Creates an empty private directory; afterwards, all PostgreSQL processes below it are killed and it is removed. */
export async function makeTestDir(t: Scope): Promise<string> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'brandport-test-')));
  t.after(async () => {
    const dataDirs: string[] = [];
    for await (const path of glob('{,*/,*/*/}postgres', { cwd: dir })) dataDirs.push(join(dir, path, '..'));
    for (const dataDir of dataDirs) {
      for (const { pid } of await listProcesses(dataDir)) kill(pid);
      await waitFor(async () => (await listProcesses(dataDir)).length === 0);
    }
    await rm(dir, { recursive: true, force: true, maxRetries: 3 });
  });
  return dir;
}

/** The PostgreSQL processes of the cluster in a data directory; none when there is no cluster. */
export async function listProcesses(dataDir: string): Promise<ClusterProcess[]> {
  const name = await readClusterName(join(dataDir, 'postgres')).catch(() => undefined);
  return name === undefined ? [] : listClusterProcesses(name);
}

export async function readServerPid(dataDir: string): Promise<number> {
  return Number.parseInt(await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);
}

export interface StandIn {
  readonly process: ChildProcess;
  readonly answer: Promise<StandInAnswer>;
}

/** Starts a process that does what Brandport's server does with a data directory. It dies with the test. */
export function startStandIn(
  t: Scope,
  request: StandInRequest,
  ids: { uid?: number; gid?: number } = {},
): StandIn {
  const child = fork(join(import.meta.dirname, 'server-stand-in.ts'), {
    ...ids,
    detached: true,
    cwd: '/',
  });
  t.after(() => killAndWait(child));
  const answer = Promise.race([
    once(child, 'message').then(([message]) => message as StandInAnswer),
    // Not 'exit', which may come before a message that was sent.
    once(child, 'disconnect').then(() => {
      throw new Error('the stand-in ended without an answer');
    }),
  ]);
  answer.catch(() => {}); // a test that kills it before does not wait for its answer
  child.send(request);
  return { process: child, answer };
}

/** Starts a stand-in with PostgreSQL and waits until it serves. */
export async function startPostgresStandIn(t: Scope, dataDir: string) {
  const standIn = startStandIn(t, { take: 'postgres', dataDir });
  const answer = await standIn.answer;
  if (!answer.taken || answer.connection === undefined)
    throw new Error(`no PostgreSQL: ${JSON.stringify(answer)}`);
  return {
    process: standIn.process,
    connection: answer.connection,
    postgresPid: await readServerPid(dataDir),
  };
}

export async function killAndWait(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/** Runs one statement on a new connection. */
export async function query(connection: EmbeddedPostgres['connection'], sql: string) {
  const client = new pg.Client(connection);
  client.on('error', () => {}); // the server may be killed under it
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

export async function waitFor(condition: () => Promise<boolean>, limitMs = 20_000): Promise<void> {
  for (const deadline = Date.now() + limitMs; !(await condition()); await sleep(2)) {
    if (Date.now() > deadline) throw new Error(`not true after ${limitMs} ms: ${condition}`);
  }
}

export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // already exited
  }
}

export const quiet = () => {};
