import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../server/src/postgres/embedded/embedded-postgres.ts';

/** A Node program. */
export interface Program {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Passes its standard error on. */
  readonly showErrors: boolean;
}

/** Running children, with the promise of their end. */
const running = new Map<ChildProcess, Promise<number | null>>();

/**
 * Starts a program that serves, and resolves with its pid and its first line. It ends with this process, also after `kill -9`.
 * @throws Error when it exits without a line
 */
export async function startProgram(
  program: Program,
): Promise<{ readonly pid: number; readonly line: string }> {
  const child = spawnNode(program);
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const line = await new Promise<string>((resolve, reject) => {
    lines.once('line', (first) => {
      resolve(first);
      // Discards the following lines, so that the process never waits for a reader.
      lines.on('line', () => {});
    });
    child.once('error', reject);
    child.once('exit', (code) =>
      reject(new Error(`${program.args.at(-1)} exited with ${code} instead of starting`)),
    );
  });
  return { pid: child.pid as number, line };
}

/** Runs a program to its end. It ends with this process, also after `kill -9`. */
export async function runProgram(
  program: Program,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawnNode(program);
  const output = await text(child.stdout as NodeJS.ReadableStream);
  return { code: (await running.get(child)) ?? child.exitCode, output };
}

/** Sends SIGTERM to a program and waits for its end. */
export async function stopProgram(pid: number): Promise<void> {
  for (const [child, exit] of running)
    if (child.pid === pid) {
      child.kill('SIGTERM');
      await exit;
    }
}

function spawnNode({ args, env, showErrors }: Program): ChildProcess {
  const child = spawn('setpriv', ['--pdeathsig=KILL', '--', process.execPath, ...args], {
    env,
    stdio: ['ignore', 'pipe', showErrors ? 'inherit' : 'ignore'],
  });
  const exit = new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null));
    child.once('close', resolve);
  });
  running.set(child, exit);
  void exit.then(() => running.delete(child));
  return child;
}

/** All that were started, also those that are still starting. */
const starting: Promise<EmbeddedPostgres>[] = [];

/**
 * Starts the product's embedded PostgreSQL with its own defaults (fsync on), and resolves with its connection and the pid of its
 * postmaster. It ends with this process, also after `kill -9`.
 */
export async function startDatabase(
  dataDir: string,
): Promise<{ readonly connection: EmbeddedPostgres['connection']; readonly pid: number }> {
  const postgres = startEmbeddedPostgres({
    dataDir,
    endsWithParent: true,
    log: (level, message) => {
      if (level !== 'info') process.stderr.write(`${message}\n`);
    },
  });
  starting.push(postgres);
  const { connection } = await postgres;
  const pidFile = await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8');
  return { connection, pid: Number.parseInt(pidFile, 10) };
}

/** Kills all programs, shuts every PostgreSQL down and waits for their end. */
export async function endChildren(): Promise<void> {
  for (const child of running.keys()) child.kill('SIGKILL');
  await Promise.all(running.values());
  for (const each of await Promise.allSettled(starting))
    if (each.status === 'fulfilled') await each.value.stop();
}

const dirName = /^brandport-bench-(\d+)-/;

/**
 * Creates a temporary directory for the data of a run, which `removeDir` removes. First removes those of runs that have ended
 * without that, as by `kill -9`: the name has the pid.
 */
export async function makeRunDir(): Promise<string> {
  for (const name of await readdir(tmpdir())) {
    const [, pid] = dirName.exec(name) ?? [];
    if (pid !== undefined && !isRunning(Number(pid))) await removeDir(join(tmpdir(), name));
  }
  return mkdtemp(join(tmpdir(), `brandport-bench-${process.pid}-`));
}

/** Removes a directory with everything in it. */
export async function removeDir(dir: string): Promise<void> {
  await rm(dir, { recursive: true, force: true, maxRetries: 5 });
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
