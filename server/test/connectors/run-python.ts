import { type ChildProcess, spawn } from 'node:child_process';
import { findSystemProgram } from '../support/system-program.ts';

/** Debian's Python; null if it is not installed. */
export const python = findSystemProgram('python3', 'python3') === null ? null : '/usr/bin/python3';

export interface PythonRun {
  readonly child: ChildProcess;
  readonly ended: Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
}

/** Starts a Python program that leaves no compiled files next to its sources. */
export function startPython(args: readonly string[], env: Readonly<Record<string, string>>): PythonRun {
  const child = spawn(python as string, ['-B', ...args], {
    env: { PYTHONIOENCODING: 'utf-8', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
  return { child, ended };
}
