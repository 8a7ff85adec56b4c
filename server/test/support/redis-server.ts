import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { findFreePort } from './free-port.ts';

/** A Redis of one test file, empty, on a loopback port, without persistence. */
export interface TestRedis {
  /** `redis://127.0.0.1:<port>` */
  readonly url: string;
  readonly port: number;
  /** Suspends it: connections stay open and receive no response. */
  pause(): void;
  resume(): void;
  /** Kills it, as a crash would, and removes its directory. A second call does nothing. */
  stop(): Promise<void>;
}

export interface TestRedisOptions {
  /** Default: a free port. A test that restarts Redis passes the previous one. */
  readonly port?: number;
  /** Further arguments of redis-server, such as `--requirepass`. */
  readonly args?: readonly string[];
}

let toldThatMissing = false;
const running = new Set<() => void>();
process.once('exit', () => {
  for (const kill of running) kill();
});

/**
 * Starts the `redis-server` on PATH and waits until it accepts connections. It stops with this process at the latest,
 * unless that is killed with SIGKILL.
 * @returns `null` without the program; a line on standard error then names the tests that cannot run
 * @throws Error with the server's last lines when it exits instead of starting
 */
export async function startRedis(options: TestRedisOptions = {}): Promise<TestRedis | null> {
  const program = findOnPath('redis-server');
  if (program === null) {
    if (!toldThatMissing) {
      const file = basename(process.argv[1] ?? 'this file');
      process.stderr.write(
        `\n*** NOT TESTED: no redis-server on PATH, the tests on Redis of ${file} are SKIPPED ***\n\n`,
      );
    }
    toldThatMissing = true;
    return null;
  }
  for (let attempt = 1; ; attempt++) {
    // Another process can take the free port before Redis does.
    const port = options.port ?? (await findFreePort());
    try {
      return await startOn(program, port, options);
    } catch (error) {
      if (options.port !== undefined || attempt === 3) throw error;
    }
  }
}

async function startOn(program: string, port: number, options: TestRedisOptions): Promise<TestRedis> {
  const { args = [] } = options;
  const directory = mkdtempSync(join(tmpdir(), 'brandport-redis-'));
  const fixed = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--dir',
    directory,
    '--save',
    '',
    '--appendonly',
    'no',
  ];
  const child = spawn(program, [...fixed, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const killNow = () => child.kill('SIGKILL');
  running.add(killNow);

  async function stop(): Promise<void> {
    running.delete(killNow);
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
      const ended = once(child, 'exit');
      killNow();
      await ended;
    }
    rmSync(directory, { recursive: true, force: true });
  }

  try {
    await waitUntilReady(child);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    stop,
  };
}

function waitUntilReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      output = (output + chunk).slice(-2_000);
      if (/Ready to accept connections/.test(output)) resolve();
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`redis-server did not start:\n${output}`)));
  });
}

function findOnPath(name: string): string | null {
  const { PATH = '' } = process.env;
  const folders = PATH.split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}
