import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import process from 'node:process';
import { findSystemProgram } from '../support/system-program.ts';

/** Debian's Python, with its packages; null if it is not installed. */
export const python = findSystemProgram('python3', 'python3') === null ? null : '/usr/bin/python3';

/**
 * Returns whether Debian's Python has a module.
 * @throws Error if it is missing in a run that requires all programs
 */
export function hasModule(name: string, debianPackage: string): boolean {
  if (python === null) return false;
  if (spawnSync(python, ['-c', `import ${name}`]).status === 0) return true;
  const message = `Python's ${name} is not installed (Debian: apt-get install ${debianPackage})`;
  if (process.env['BRANDPORT_REQUIRE_PROGRAMS'] === '1') throw new Error(message);
  process.stderr.write(`\n*** NOT TESTED: ${message} ***\n\n`);
  return false;
}

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
