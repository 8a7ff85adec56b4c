import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

/** A way to run PostgreSQL's programs, and the user who must own the cluster's files for it. */
export interface RunAs {
  readonly description: string;
  readonly owner: { readonly uid: number; readonly gid: number };
  /** A command that changes the user and then becomes the program (same process id). */
  readonly wrapper: readonly string[];
  /** The change of user that spawn itself makes. */
  readonly ids: { readonly uid?: number; readonly gid?: number };
}

/** Nothing of the surroundings (PGDATA, PGOPTIONS, LD_*, LANG) may change what PostgreSQL does. */
const childEnvironment = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
};

const keptOutputCharacters = 4000;

/**
 * Starts a program in its own session, so that Ctrl-C in the terminal does not reach it.
 *
 * @throws EmbeddedPostgresError when the change of user is refused; a missing program is reported by the
 * `error` event
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
    // For as long as it lives: a signal that may not be sent is an error event too, long after the start.
    for (const emitter of [child, ...child.stdio]) emitter?.on('error', () => {});
    return child;
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    throw new EmbeddedPostgresError(`${program} cannot be started ${runAs.description}: ${reason}`);
  }
}

export interface Ending {
  /** Why the run counts as failed; undefined when it went well. */
  readonly failure: string | undefined;
  readonly code: number | null;
  /** The end of what it wrote, standard output and error together. */
  readonly output: string;
}

/**
 * Runs a program to its end.
 *
 * @throws EmbeddedPostgresError when the change of user is refused
 */
export async function runAsToEnd(
  runAs: RunAs,
  program: string,
  args: readonly string[],
  input = '',
): Promise<Ending> {
  const child = spawnAs(runAs, program, args, 'pipe');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-keptOutputCharacters);
    });
  }
  child.stdin?.end(input);
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ failure: error.message, code: null, output: output.trim() }));
    child.on('close', (code, signal) => {
      const failure = code === 0 ? undefined : (signal ?? `exit code ${code}`);
      resolve({ failure, code, output: output.trim() });
    });
  });
}
