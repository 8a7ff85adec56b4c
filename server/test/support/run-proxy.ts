import { execFile, spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import process from 'node:process';
import { after } from 'node:test';
import { promisify } from 'node:util';
import { waitFor } from './wait-for.ts';

const execute = promisify(execFile);

export interface ProxyProgram {
  readonly program: string;
  /** The arguments that check the configuration. */
  readonly check: readonly string[];
  /** The arguments that run it in the foreground. */
  readonly run: readonly string[];
  /** With its configuration; removed when the test file ends. */
  readonly directory: string;
  readonly port: number;
  /** nginx leaves its workers behind when it is killed. */
  readonly endWith: 'SIGKILL' | 'SIGTERM';
}

/** Checks the configuration of a proxy, starts it, and waits until its port is open. It stops with the test file. */
export async function runProxy({
  program,
  check,
  run,
  directory,
  port,
  endWith,
}: ProxyProgram): Promise<void> {
  await execute(program, check);
  const child = spawn(program, run, { stdio: 'ignore' });
  const end = () => child.kill(endWith);
  process.once('exit', end);
  after(async () => {
    process.off('exit', end);
    if (child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      end();
      await ended;
    }
    await rm(directory, { recursive: true, force: true });
  });
  await waitFor(program, () => isOpen(port), 20_000);
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
      .once('connect', () => resolve(true))
      .once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
