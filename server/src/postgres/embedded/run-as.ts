import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

/** A way to run PostgreSQL's programs, and the user who must own the cluster's files for it. */
export interface RunAs {
  readonly description: string;
  readonly owner: { readonly uid: number; readonly gid: number };
  /** A command that changes the user and then executes the program (same process id). */
  readonly wrapper: readonly string[];
  /** The user that `spawn` itself changes to. */
  readonly ids: { readonly uid?: number; readonly gid?: number };
}

/** The environment (PGDATA, PGOPTIONS, LD_*, LANG) must not change what PostgreSQL does. */
const childEnvironment = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
};

const keptOutputCharacters = 4000;

/**
 * Starts a program in its own session, so that Ctrl-C in the terminal does not reach it.
 * @throws EmbeddedPostgresError if the user cannot be changed; a missing program is reported by the `error` event
 */
export function spawnAs(
  runAs: RunAs,
  program: string,
  args: readonly string[],
  stdio: StdioOptions,
): ChildProcess {
  const [file = program, ...rest] = [...runAs.wrapper, program, ...args];
  try {
    const child = spawn(file, rest, { ...runAs.ids, env: childEnvironment, cwd: '/', detached: true, stdio });
    // For its whole life: a signal that cannot be sent is an error event too, long after the start.
    for (const emitter of [child, ...child.stdio]) emitter?.on('error', () => {});
    return child;
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    throw new EmbeddedPostgresError(`${program} cannot be started ${runAs.description}: ${reason}`);
  }
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // All its processes are gone.
  }
}

export interface Ending {
  /** Why the run failed; undefined if it succeeded. */
  readonly failure: string | undefined;
  readonly code: number | null;
  readonly output: string;
}

/**
 * Runs a program to its end. `cancelled` kills it, with the processes that it started.
 * @throws EmbeddedPostgresError if the user cannot be changed; the reason of `cancelled` once the processes are gone
 */
export async function runAsToEnd(
  runAs: RunAs,
  program: string,
  args: readonly string[],
  { input = '', cancelled }: { readonly input?: string; readonly cancelled?: AbortSignal | undefined } = {},
): Promise<Ending> {
  cancelled?.throwIfAborted();
  const child = spawnAs(runAs, program, args, 'pipe');
  const kill = () => killGroup(child.pid);
  cancelled?.addEventListener('abort', kill);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-keptOutputCharacters);
    });
  }
  child.stdin?.end(input);
  const ending = await new Promise<Ending>((resolve) => {
    child.on('error', (error) => resolve({ failure: error.message, code: null, output: output.trim() }));
    // Later than the exit: the processes that it started have closed its output too.
    child.on('close', (code, signal) => {
      const failure = code === 0 ? undefined : (signal ?? `exit code ${code}`);
      resolve({ failure, code, output: output.trim() });
    });
  });
  cancelled?.removeEventListener('abort', kill);
  cancelled?.throwIfAborted();
  return ending;
}
