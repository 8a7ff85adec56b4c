import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../lib/log.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { type RunAs, spawnAs } from './run-as.ts';

/** Recovery after a crash replays the log since the last checkpoint: seconds, or minutes on a slow disk. */
const readyLimitMs = 10 * 60_000;
const fastShutdownMs = 8_000;
const immediateShutdownMs = 6_000;
const lastWordsMs = 1_000;

export interface ServerProcess {
  readonly pid: number;
  readonly exited: Promise<{ code: number | null; signal: string | null }>;
  /** Resolves when the server accepts connections. @throws EmbeddedPostgresError if it exits; the reason of `cancelled` */
  waitUntilReady(clusterDir: string, cancelled?: AbortSignal): Promise<void>;
  /** Shuts down cleanly; after 8 s by force, and the next start recovers committed data from the log. */
  stop(): Promise<void>;
}

/** Starts the server in its own process group. @throws EmbeddedPostgresError when the program cannot be started at all */
export async function startServerProcess(
  runAs: RunAs,
  postgres: string,
  args: readonly string[],
  log: Log,
): Promise<ServerProcess> {
  const child = spawnAs(runAs, postgres, args, ['ignore', 'ignore', 'pipe']);
  let running = true;
  const exited = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.on('exit', (code, signal) => {
      running = false;
      resolve({ code, signal });
    });
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) =>
      reject(new EmbeddedPostgresError(`${postgres} cannot be started: ${error.message}`)),
    );
  });
  const { pid, stderr } = child;
  if (pid === undefined || stderr === null) throw new EmbeddedPostgresError(`${postgres} cannot be started`);
  const logged = forwardLog(stderr, log);
  const logEnd = new Promise<void>((resolve) => child.on('close', () => resolve()));

  return {
    pid,
    exited,
    async waitUntilReady(clusterDir, cancelled) {
      for (
        const deadline = performance.now() + readyLimitMs;
        running && performance.now() < deadline;
        await sleep(20)
      ) {
        cancelled?.throwIfAborted();
        if (await isReady(clusterDir, pid)) return;
      }
      // its last messages may still be in the pipe, which its child processes can keep open longer
      if (!running) await Promise.race([logEnd, sleep(lastWordsMs)]);
      const what = running ? 'is not ready after ten minutes' : `did not start (${describe(await exited)})`;
      throw new EmbeddedPostgresError(
        `The embedded PostgreSQL ${what}. The end of its log:\n${logged.tail()}`,
      );
    },
    async stop() {
      child.kill('SIGINT');
      const toQuit = setTimeout(() => child.kill('SIGQUIT'), fastShutdownMs);
      const toKill = setTimeout(() => child.kill('SIGKILL'), fastShutdownMs + immediateShutdownMs);
      await exited;
      clearTimeout(toQuit);
      clearTimeout(toKill);
    },
  };
}

/** Reads the state from the last line of the server's pid file, which avoids failed logins. */
async function isReady(clusterDir: string, pid: number): Promise<boolean> {
  const lines = (await readFile(join(clusterDir, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  return lines[0] === String(pid) && lines[7]?.trim() === 'ready';
}

function describe({ code, signal }: { code: number | null; signal: string | null }): string {
  return signal ?? `exit code ${code}`;
}

const tailLines = 30;
const maxLineCharacters = 2000;

/** Forwards PostgreSQL's log line by line, and keeps its last lines. */
function forwardLog(stream: Readable, log: Log): { tail(): string } {
  const lines: string[] = [];
  createInterface({ input: stream }).on('line', (line) => {
    const text = line.slice(0, maxLineCharacters);
    lines.push(text);
    if (lines.length > tailLines) lines.shift();
    log(levelOf(text), `postgres: ${text}`);
  });
  return { tail: () => lines.join('\n') };
}

/** FATAL ends one session (often just because of a shutdown), PANIC the server. */
function levelOf(line: string): 'info' | 'warn' | 'error' {
  if (line.startsWith('PANIC:')) return 'error';
  return /^(WARNING|ERROR|FATAL):/.test(line) ? 'warn' : 'info';
}
