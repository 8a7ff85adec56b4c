import { type ChildProcess, execFile } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { projectDir } from './server-process.ts';

export interface CommandOutcome {
  /** null when it was killed. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningCommand {
  readonly child: ChildProcess;
  readonly outcome: Promise<CommandOutcome>;
}

/** Starts `brandport <args>` as an operator does; only `env` is in its environment. */
export function startCommand(env: Readonly<Record<string, string>>, ...args: string[]): RunningCommand {
  const command = [join(projectDir, 'server/src/main.ts'), ...args];
  const options = {
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], ...env },
    maxBuffer: 64 * 1024 * 1024,
  };
  let settle: (outcome: CommandOutcome) => void;
  const outcome = new Promise<CommandOutcome>((resolve) => {
    settle = resolve;
  });
  const child = execFile(process.execPath, command, options, (error, stdout, stderr) => {
    const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
    settle({ code, stdout, stderr });
  });
  return { child, outcome };
}

/** Runs `brandport <args>` to its end. */
export function runCommand(
  env: Readonly<Record<string, string>>,
  ...args: string[]
): Promise<CommandOutcome> {
  return startCommand(env, ...args).outcome;
}
