import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { chown, mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { ApiClient } from './api-client.ts';
import { registerCanary } from './canaries.ts';
import { assertDocumentedAnswer } from './documented-answer.ts';
import { createHttpClient } from './http-client.ts';
import { endPostgres, findPostgresPid } from './postgres-process.ts';
import { keepOutput, type ServerOutput } from './server-output.ts';
import { copyStartedDataDir } from './started-data-dir.ts';
import { waitFor } from './wait-for.ts';

export const projectDir = fileURLToPath(new URL('../../..', import.meta.url));
const startLimitMs = 60_000;
const endLimitMs = 30_000;

export const processAdminToken = 'process-admin-token-canary-77c0e4';

export interface ServerProcessOptions {
  /** Added to the environment of every test server: free ports, its own data directory and admin token, no demo. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The working directory; default: the project. */
  readonly cwd?: string;
  /** The project's directory; default: this one. */
  readonly project?: string;
  /** The program and its arguments; default: Node with the source of the project. */
  readonly command?: readonly [string, ...string[]];
  readonly uid?: number;
  readonly gid?: number;
  /** The limit of open files (`ulimit -n`); default: that of the test. */
  readonly openFiles?: number;
  /** The milliseconds until it has to be ready; default: a minute. */
  readonly startLimitMs?: number;
  /** A file descriptor for its standard error; `stderr()` then stays empty. Default: a pipe that is read here. */
  readonly stderr?: number;
}

export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A server process that may not be ready, or may never become ready. */
export interface SpawnedServer {
  readonly pid: number;
  readonly dataDir: string;
  stdout(): string;
  stderr(): string;
  readonly exit: Promise<Ending>;
  signal(name: NodeJS.Signals): void;
}

/** A server that is ready. */
export interface ServerProcess extends SpawnedServer {
  readonly clientUrl: string;
  readonly internalUrl: string;
  /** The internal surface with the admin token of the test. */
  readonly admin: ApiClient;
  /** The client API (`/v1/client`) with a key. */
  clientWith(apiKey: string): ApiClient;
  /** Sends SIGTERM and waits until it exited. */
  stop(): Promise<Ending>;
  /** Kills only the server, as a crash would. Its PostgreSQL keeps running until the next start or the end of the test. */
  kill9(): Promise<void>;
}

/** Creates a directory. After the test (or the file) it is removed, and any server that still runs on it is stopped. */
export async function makeDataDir(owner?: { uid: number; gid: number }): Promise<string> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'brandport-whole-')));
  if (owner !== undefined) await chown(dir, owner.uid, owner.gid);
  madeDirs.add(dir);
  after(async () => {
    await Promise.all([...running].filter(({ dataDir }) => dataDir.startsWith(dir)).map(end));
    // Native, and a fraction of the work of the asynchronous one: a database is a thousand files.
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
    madeDirs.delete(dir);
  });
  return dir;
}

/** Starts the server as a user does and returns immediately. It stops with the test (or the file) at the latest. */
export async function spawnServer(options: ServerProcessOptions = {}): Promise<SpawnedServer> {
  const { project = projectDir, cwd = project, uid, gid, openFiles } = options;
  const env: NodeJS.ProcessEnv = {
    PATH: process.env['PATH'],
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    PORT: '0',
    BRANDPORT_INTERNAL_PORT: '0',
    BRANDPORT_ADMIN_TOKEN: processAdminToken,
    BRANDPORT_DEMO: '0',
    LOG_FORMAT: 'json',
    BRANDPORT_DATA_DIR: options.env?.['BRANDPORT_DATA_DIR'] ?? join(await makeDataDir(), 'data'),
    ...options.env,
  };
  registerCanary(processAdminToken);
  const main = options.command ?? [process.execPath, join(project, 'server/src/main.ts'), 'serve'];
  const [program, ...args] =
    openFiles === undefined ? main : ['/bin/sh', '-c', `ulimit -n ${openFiles} && exec "$0" "$@"`, ...main];
  const child = spawn(program as string, args, {
    cwd,
    env,
    stdio: ['ignore', 'pipe', options.stderr ?? 'pipe'],
    ...(uid !== undefined && { uid }),
    ...(gid !== undefined && { gid }),
  });
  const dataDir = env['BRANDPORT_DATA_DIR'] ?? join(cwd, 'data');
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  const exit = new Promise<Ending>((resolve, reject) => {
    child.once('error', reject);
    // 'close' and not 'exit': all output has been read by then.
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  exit.catch(() => {});
  const server = { child, exit, dataDir, output };
  running.add(server);
  after(() => end(server));
  return {
    pid: child.pid ?? 0,
    dataDir,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    exit,
    signal: (name) => void child.kill(name),
  };
}

/**
 * Starts the server and waits for its ready line. It is not the first start on its data directory, unless the options
 * name the directory, a database, the demonstration brand, a project or a user.
 *
 * @throws Error with its output when it exits instead
 */
export async function startServerProcess(options: ServerProcessOptions = {}): Promise<ServerProcess> {
  const server = await spawnServer(mayCopyDataDir(options) ? await withStartedDataDir(options) : options);
  let ending: Ending | null = null;
  void server.exit.then((how) => {
    ending = how;
  });
  const isReady = () => server.stdout().includes('\n');
  await waitFor(
    'the ready line',
    () => ending !== null || isReady(),
    options.startLimitMs ?? startLimitMs,
  ).catch((error: Error) => {
    throw new Error(`${error.message}\n${server.stderr()}`);
  });
  // Output before the ready line arrives through another pipe and is read in the same turn.
  await new Promise((resolve) => setImmediate(resolve));
  if (!isReady()) throw new Error(`the server ended instead of serving:\n${server.stderr()}`);
  const { client: clientUrl, internal: internalUrl } = JSON.parse(server.stdout());
  return {
    ...server,
    clientUrl,
    internalUrl,
    admin: createHttpClient(
      `${internalUrl}/internal/v1`,
      options.env?.['BRANDPORT_ADMIN_TOKEN'] ?? processAdminToken,
      assertDocumentedAnswer,
    ),
    clientWith: (apiKey) => createHttpClient(`${clientUrl}/v1/client`, apiKey, assertDocumentedAnswer),
    stop: async () => {
      server.signal('SIGTERM');
      return server.exit;
    },
    kill9: async () => {
      server.signal('SIGKILL');
      await server.exit;
    },
  };
}

function mayCopyDataDir({ env = {}, project, uid }: ServerProcessOptions): boolean {
  const decisive = ['BRANDPORT_DATA_DIR', 'DATABASE_URL', 'BRANDPORT_DEMO'];
  return project === undefined && uid === undefined && decisive.every((name) => !Object.hasOwn(env, name));
}

async function withStartedDataDir(options: ServerProcessOptions): Promise<ServerProcessOptions> {
  const dataDir = join(await makeDataDir(), 'data');
  await copyStartedDataDir(dataDir, async (original) => {
    const server = await startServerProcess({ env: { BRANDPORT_DATA_DIR: original } });
    await server.stop();
  });
  return { ...options, env: { ...options.env, BRANDPORT_DATA_DIR: dataDir } };
}

interface Running {
  readonly child: ChildProcess;
  readonly exit: Promise<Ending>;
  readonly dataDir: string;
  readonly output: ServerOutput;
}

const running = new Set<Running>();
const madeDirs = new Set<string>();

async function end(server: Running): Promise<void> {
  if (!running.delete(server)) return;
  if (server.child.exitCode === null && server.child.signalCode === null) server.child.kill('SIGKILL');
  await server.exit.catch(() => {});
  endPostgres(server.dataDir);
  await waitFor('the end of PostgreSQL', () => findPostgresPid(server.dataDir) === null, endLimitMs);
  keepOutput(server.output);
}

// For a test file that is stopped early, by the runner's time limit or by Ctrl-C.
process.once('exit', () => {
  for (const { child, dataDir } of running) {
    child.kill('SIGKILL');
    endPostgres(dataDir);
  }
  for (const dir of madeDirs) rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
});
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1));
