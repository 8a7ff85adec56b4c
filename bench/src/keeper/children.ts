import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../../server/src/postgres/embedded/embedded-postgres.ts';
import type { FinishedProgram, Program, StartedPostgres, StartedProgram } from './messages.ts';

/** Running children, with the promise of their end. */
const running = new Map<ChildProcess, Promise<number | null>>();

/** Starts a program that serves. Resolves with its first line. @throws Error when it exits without one */
export async function startProgram(program: Program): Promise<StartedProgram> {
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

/** Runs a program to its end. */
export async function runProgram(program: Program): Promise<FinishedProgram> {
  const child = spawnNode(program);
  const output = await text(child.stdout as NodeJS.ReadableStream);
  return { code: (await running.get(child)) ?? child.exitCode, output };
}

/** Sends SIGTERM and waits for the end. */
export async function stopProgram(pid: number): Promise<void> {
  for (const [child, exit] of running)
    if (child.pid === pid) {
      child.kill('SIGTERM');
      await exit;
    }
}

/** Kills all programs and waits for their end. */
export async function killPrograms(): Promise<void> {
  for (const child of running.keys()) child.kill('SIGKILL');
  await Promise.all(running.values());
}

function spawnNode({ args, env, showErrors }: Program): ChildProcess {
  const child = spawn(process.execPath, args, {
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

/** Starts the product's embedded PostgreSQL with its own defaults (fsync on). */
export async function keepPostgres(dataDir: string): Promise<StartedPostgres> {
  const postgres = startEmbeddedPostgres({
    dataDir,
    log: (level, message) => {
      if (level !== 'info') process.stderr.write(`${message}\n`);
    },
  });
  starting.push(postgres);
  const { connection } = await postgres;
  const pidFile = await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8');
  return { connection, pid: Number.parseInt(pidFile, 10) };
}

/** Shuts every PostgreSQL down and waits for its end. */
export async function stopPostgres(): Promise<void> {
  for (const each of await Promise.allSettled(starting))
    if (each.status === 'fulfilled') await each.value.stop();
}
