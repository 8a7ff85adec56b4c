import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { randomHex } from '../src/lib/ids.ts';
import type { Target } from './client/demo-brand.ts';
import { DemoError } from './demo-error.ts';

/** A server process started by the demo. */
export interface DemoServer extends Target {
  readonly pid: number;
  /** The environment of the process. */
  readonly env: NodeJS.ProcessEnv;
  /** Settles when the process exits unexpectedly, with its last output. */
  readonly endedByItself: Promise<DemoError>;
  /** Stops it with SIGTERM, and deletes its data. */
  stop(): Promise<void>;
}

export interface DemoServerOptions {
  /** Settings of the server in it are ignored. */
  readonly env: NodeJS.ProcessEnv;
  /** Without rate limits. */
  readonly fast: boolean;
  /** The embedded database by default, in a directory that `stop` deletes. */
  readonly databaseUrl?: string;
}

/** The command line of the server. */
export const serverMain = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const limits = [
  'CATALOG_READS',
  'CATALOG_WRITES',
  'CATALOG_BRAND',
  'ANALYTICS_KEY',
  'ANALYTICS_BRAND',
  'ADDRESS',
];
const startLimitMs = 120_000;
const stopLimitMs = 15_000;

/**
 * Starts a server as a user would, on free ports, and waits until it is ready.
 * @throws DemoError with the server's output if it does not start
 */
export async function startDemoServer({ env, fast, databaseUrl }: DemoServerOptions): Promise<DemoServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'brandport-demo-'));
  const adminToken = randomHex(32);
  const ownEnv = {
    ...withoutServerSettings(env),
    PORT: '0',
    BRANDPORT_INTERNAL_PORT: '0',
    BRANDPORT_DATA_DIR: dataDir,
    BRANDPORT_ADMIN_TOKEN: adminToken,
    BRANDPORT_DEMO: '0',
    LOG_LEVEL: 'warn',
    ...(fast && Object.fromEntries(limits.map((name) => [`BRANDPORT_LIMIT_${name}`, '0']))),
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
  };
  const child = spawn(process.execPath, [serverMain], { stdio: ['ignore', 'pipe', 'pipe'], env: ownEnv });
  const endNow = () => child.kill('SIGTERM');
  process.once('exit', endNow);
  const words = lastWords(child);
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let isStopping = false;

  async function stop(): Promise<void> {
    isStopping = true;
    process.off('exit', endNow);
    endNow();
    const kill = setTimeout(() => child.kill('SIGKILL'), stopLimitMs);
    await exited;
    clearTimeout(kill);
    await rm(dataDir, { recursive: true, force: true });
  }

  try {
    const { client, internal } = await readyLine(child, exited, words);
    const endedByItself = exited.then(() =>
      isStopping
        ? new Promise<never>(() => {})
        : new DemoError(`The server exited unexpectedly.\n${words()}`),
    );
    return {
      pid: child.pid as number,
      env: ownEnv,
      clientUrl: client,
      internalUrl: internal,
      adminToken,
      endedByItself,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Removes the terminal's settings for other servers. */
function withoutServerSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const names = ['HOST', 'PORT', 'DATABASE_URL', 'REDIS_URL', 'LOG_LEVEL'];
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !names.includes(name) && !name.startsWith('BRANDPORT_')),
  );
}

async function readyLine(
  child: ChildProcess,
  exited: Promise<void>,
  words: () => string,
): Promise<{ client: string; internal: string }> {
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const line = await Promise.race([
    once(lines, 'line', { signal: AbortSignal.timeout(startLimitMs) }).catch(() => null),
    exited.then(() => null),
  ]);
  if (line === null) throw new DemoError(`The server did not start.\n${words()}`);
  return JSON.parse(line[0]);
}

/** Collects the last output of the process on standard error. */
function lastWords(child: ChildProcess): () => string {
  let text = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-4_000);
  });
  child.once('error', (error) => {
    text += error.message;
  });
  return () => text.trim();
}
