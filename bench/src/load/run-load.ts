import { spawn } from 'node:child_process';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { LoadResult, LoadSpec } from './load-spec.ts';

const program = fileURLToPath(new URL('load-process.ts', import.meta.url));
let nextNumber = 0;

/**
 * Runs a load in its own process and waits until it finished. @throws Error on an unexpected status or a missing
 * response
 */
export async function runLoad(spec: LoadSpec): Promise<LoadResult> {
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.on('error', () => {});
  // Standard input stays open: its end tells the process that this one is gone. Numbers are unique within a run,
  // because a repeated Idempotency-Key would be a replay.
  child.stdin.write(`${JSON.stringify({ firstNumber: nextNumber, ...spec })}\n`);
  nextNumber += 1_000_000;
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  const output = await text(child.stdout);
  if ((await exit) !== 0) throw new Error(`a load on ${spec.url} failed`);
  return JSON.parse(output) as LoadResult;
}
