import { readFileSync } from 'node:fs';
import process from 'node:process';

/** Returns the pids of a process's children. */
export function childPids(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
  } catch {
    return [];
  }
}

/** Sends a signal to a process, if it still runs. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    if (pid > 1) process.kill(pid, signal);
  } catch {
    // It has exited already.
  }
}
