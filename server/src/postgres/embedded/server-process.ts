import { execFile } from 'node:child_process';
import { readdir, readFile, readlink, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Log } from '../../lib/log.ts';
import { EmbeddedPostgresError } from './data-dir.ts';
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

const leftoverFastMs = 15_000;
const orphansEndMs = 3_000;
const leftoverImmediateMs = 10_000;
const killedMs = 5_000;

/**
 * Stops processes that a killed Brandport left running on the cluster, and removes the pid file of a server that has exited. The
 * caller holds the data directory's lock. Orphaned child processes, next to which PostgreSQL does not start, are killed after a
 * while.
 * @throws EmbeddedPostgresError when a server that Brandport did not start uses the cluster, or one does not stop
 */
export async function endLeftoverProcesses(clusterDir: string, clusterName: string, log: Log): Promise<void> {
  const found = await listClusterProcesses(clusterName);
  if (found.length > 0) {
    const pids = found.map(({ pid }) => pid).join(', ');
    log('warn', `stopping database processes left behind by an earlier Brandport (${pids})`);
    const server = found.some(({ isServer }) => isServer);
    const ended =
      (server && (await signalAndWait(clusterName, 'SIGINT', leftoverFastMs, true))) ||
      (!server && (await waitUntilNone(clusterName, orphansEndMs))) ||
      (await signalAndWait(clusterName, 'SIGQUIT', leftoverImmediateMs)) ||
      (await signalAndWait(clusterName, 'SIGKILL', killedMs));
    if (!ended) {
      throw new EmbeddedPostgresError(
        `The leftover database processes ${pids} on ${clusterDir} cannot be stopped. Stop them, then start Brandport again.`,
      );
    }
  }
  await removeStalePidFile(clusterDir);
}

/** PostgreSQL would mistake any process that now has the old pid for its predecessor, and refuse to start. */
async function removeStalePidFile(clusterDir: string): Promise<void> {
  const path = join(clusterDir, 'postmaster.pid');
  const pid = Number.parseInt(await readFile(path, 'utf8').catch(() => ''), 10);
  if (pid > 0 && (await isServerOn(clusterDir, pid))) {
    throw new EmbeddedPostgresError(
      `A PostgreSQL server that Brandport did not start (process ${pid}) uses ${clusterDir}. Stop it, then start Brandport again.`,
    );
  }
  await rm(path, { force: true });
}

async function signalAndWait(
  clusterName: string,
  signal: NodeJS.Signals,
  limitMs: number,
  serverOnly = false,
): Promise<boolean> {
  for (const { pid, isServer } of await listClusterProcesses(clusterName)) {
    if (serverOnly && !isServer) continue;
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH'))
        throw notPermitted(pid, error);
    }
  }
  return waitUntilNone(clusterName, limitMs);
}

async function waitUntilNone(clusterName: string, limitMs: number): Promise<boolean> {
  for (const deadline = performance.now() + limitMs; ; await sleep(50)) {
    if ((await listClusterProcesses(clusterName)).length === 0) return true;
    if (performance.now() >= deadline) return false;
  }
}

function notPermitted(pid: number, cause: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The database process ${pid}, left behind by an earlier Brandport, belongs to another user and cannot be stopped ` +
      'from here. Stop it, or start Brandport as that user.',
    { cause },
  );
}

/** A PostgreSQL process of one cluster: the server, or one of its child processes. */
export interface ClusterProcess {
  readonly pid: number;
  readonly isServer: boolean;
}

/** The wrappers are replaced by the server at once, but may be killed before that. */
const serverProgram = /(^|\/)(postgres|setpriv)$/;

/**
 * Lists the live processes of the cluster with this name, found by their command lines: unlike a pid from a file, these cannot
 * belong to another program, which matters because these processes receive signals.
 */
export async function listClusterProcesses(clusterName: string): Promise<ClusterProcess[]> {
  const processes: ClusterProcess[] = [];
  for (const { pid, command } of await listCommands()) {
    const [program = '', ...args] = command.split(/[\0 ]/);
    const isServer = serverProgram.test(program) && args.includes(`cluster_name=${clusterName}`);
    if (isServer || command.startsWith(`postgres: ${clusterName}: `)) processes.push({ pid, isServer });
  }
  return processes;
}

async function isServerOn(clusterDir: string, pid: number): Promise<boolean> {
  const found = (await listCommands([pid])).find((entry) => entry.pid === pid);
  const [program = ''] = found?.command.split(/[\0 ]/) ?? [];
  if (found === undefined || !/(^|\/)(postgres|postmaster)$/.test(program)) return false;
  // a server's working directory is its cluster; it may be unreadable for this user
  const workingDir = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
  return workingDir === clusterDir || found.command.includes(clusterDir);
}

interface Command {
  readonly pid: number;
  readonly command: string;
}

/** Reads /proc where it exists, because small container images have no ps. */
async function listCommands(pids?: readonly number[]): Promise<Command[]> {
  if (process.platform !== 'linux') return listCommandsWithPs();
  const all = pids ?? (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  return Promise.all(
    // a process that has ended in the meantime, and a zombie, have no command line
    all.map(async (pid) => ({
      pid,
      command: await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
    })),
  );
}

async function listCommandsWithPs(): Promise<Command[]> {
  const { stdout } = await promisify(execFile)('ps', ['-axww', '-o', 'pid=,command='], {
    maxBuffer: 64 << 20,
  });
  return stdout.split('\n').map((line) => {
    const [, pid = '0', command = ''] = line.match(/^\s*(\d+) (.*)$/) ?? [];
    return { pid: Number(pid), command };
  });
}
