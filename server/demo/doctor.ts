import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { DemoError } from './demo-error.ts';
import { type DemoServer, serverMain } from './demo-server.ts';

/** The report of `brandport doctor` about a database. */
export interface Diagnosis {
  /** True if every rollup, counter and ledger sum agrees with the data. */
  readonly isSound: boolean;
  readonly text: string;
}

/**
 * Recomputes all derived data of a running server.
 * @throws DemoError if the doctor cannot run; the signal's reason
 */
export async function examine({ env }: Pick<DemoServer, 'env'>, signal: AbortSignal): Promise<Diagnosis> {
  signal.throwIfAborted();
  const child = spawn(process.execPath, [serverMain, 'doctor'], { stdio: ['ignore', 'pipe', 'pipe'], env });
  const end = () => child.kill('SIGTERM');
  signal.addEventListener('abort', end);
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
    });
  const [code] = await once(child, 'close');
  signal.removeEventListener('abort', end);
  signal.throwIfAborted();
  // The doctor prints a specific sentence when an examination finishes.
  const isDone = /^Examined /m.test(said.stdout);
  if (!isDone) throw new DemoError(`The doctor ended with exit code ${code}.\n${said.stderr.slice(-4_000)}`);
  return { isSound: code === 0, text: said.stdout };
}
