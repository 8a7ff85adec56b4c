import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/** A child process that serves ClickHouse's HTTP interface over chDB on loopback. */
export interface ClickHouseEngine {
  /** `http://127.0.0.1:<port>`; with credentials if the engine was started with a password. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Suspends it: connections stay open and receive no response. */
  pause(): void;
  resume(): void;
  /** Kills it, as a crash would. Its data directory stays. */
  kill(): Promise<void>;
  /** Kills it and removes a data directory that it created. A second call does nothing. */
  stop(): Promise<void>;
}

export interface ClickHouseEngineOptions {
  /** Default: a new directory, removed by `stop`. Only one process at a time can use a directory. */
  readonly directory?: string;
  /** The folder of the new directory; the temporary one by default. */
  readonly within?: string;
  /** Default: a free port. A test that restarts the engine passes the previous one. */
  readonly port?: number;
  /** The password of the user `default`; none by default. */
  readonly password?: string;
}

const folder = fileURLToPath(new URL('../engine/', import.meta.url));
const installHint = 'chDB is not installed (npm run install:clickhouse)';

/**
 * Returns whether the engine is installed, or `BRANDPORT_TEST_CLICKHOUSE_URL` names a server. Without either, a run that sets
 * `BRANDPORT_REQUIRE_PROGRAMS=1` fails; any other one says on standard error what is not tested.
 * @throws Error in a run that requires all programs
 */
export function isClickHouseInstalled(): boolean {
  if (process.env['BRANDPORT_TEST_CLICKHOUSE_URL'] !== undefined) return true;
  if (existsSync(join(folder, 'node_modules/@chdb/lib-linux-x64-gnu/libchdb.so'))) return true;
  if (process.env['BRANDPORT_REQUIRE_PROGRAMS'] === '1') throw new Error(installHint);
  const file = basename(process.argv[1] ?? 'this file');
  process.stderr.write(`\n*** NOT TESTED: ${installHint}, its tests of ${file} are SKIPPED ***\n\n`);
  return false;
}

/**
 * Starts the engine and waits until it accepts requests, which takes a second. It exits with this process, even if that is
 * killed; only a paused one does not.
 * @throws Error with what it printed when it exits instead of starting
 */
export async function startClickHouseEngine(
  options: ClickHouseEngineOptions = {},
): Promise<ClickHouseEngine> {
  const directory = options.directory ?? createDirectory(options.within ?? tmpdir());
  const args = [`--data=${directory}`, `--port=${options.port ?? 0}`, `--password=${options.password ?? ''}`];
  const child = spawn(process.execPath, [join(folder, 'src/main.ts'), ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    // A running query blocks a thread of libuv's pool.
    env: { PATH: process.env['PATH'], UV_THREADPOOL_SIZE: '16' },
  });
  function removeDirectory(): void {
    // A process that was just killed may still be writing.
    if (options.directory === undefined) rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  }
  function stopNow(): void {
    child.kill('SIGKILL');
    removeDirectory();
  }
  process.once('exit', stopNow);

  async function kill(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.ref();
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  async function stop(): Promise<void> {
    process.off('exit', stopNow);
    await kill();
    removeDirectory();
  }

  try {
    const port = await readPort(child);
    // The process of the tests exits when they are done, without stopping an engine that its files share.
    for (const handle of [child, child.stdin, child.stdout, child.stderr] as unknown as { unref(): void }[])
      handle.unref();
    const credentials =
      options.password === undefined ? '' : `default:${encodeURIComponent(options.password)}@`;
    return {
      url: `http://${credentials}127.0.0.1:${port}`,
      port,
      pid: child.pid as number,
      pause: () => void child.kill('SIGSTOP'),
      resume: () => void child.kill('SIGCONT'),
      kill,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function createDirectory(within: string): string {
  mkdirSync(within, { recursive: true });
  return mkdtempSync(join(within, 'brandport-clickhouse-'));
}

function readPort(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let output = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      output = (output + chunk).slice(-4_000);
    });
    child.stdout?.on('data', (chunk: Buffer) => {
      output = (output + chunk).slice(-4_000);
      const port = /^\{"port":(\d+)\}$/m.exec(output)?.[1];
      if (port !== undefined) resolve(Number(port));
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`the ClickHouse engine did not start:\n${output}`)));
  });
}
