import { execFile } from 'node:child_process';
import process from 'node:process';
import { promisify } from 'node:util';

/**
 * Runs a line as pasted into a shell. Returns its output. @throws Error when it fails; the message names a program that
 * is not installed
 */
export async function pasteIntoShell(line: string, env: Record<string, string> = {}): Promise<string> {
  const options = { env: { PATH: process.env['PATH'], ...env }, timeout: 20_000 };
  try {
    return (await promisify(execFile)('/bin/sh', ['-c', line], options)).stdout;
  } catch (error) {
    if ((error as { code?: unknown }).code !== 127) throw error;
    const program = line.trim().split(' ')[0];
    throw new Error(`${program} is not installed, and this test pastes a line with it into a shell`);
  }
}
