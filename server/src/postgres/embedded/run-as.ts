import { type ChildProcess, execFile, type StdioOptions, spawn } from 'node:child_process';
import { access } from 'node:fs/promises';
import { type Binaries, OWN_SERVER_INSTEAD } from './binaries.ts';
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
const ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
};

/** Enters every directory, then runs the program: what PostgreSQL has to be able to do. */
const PROBE =
  'program=$1; shift; for directory; do cd "$directory" || exit 9; done; exec "$program" --version';

/**
 * Takes the first of the candidates that can run the programs and enter the directories, by trying.
 *
 * @throws EmbeddedPostgresError with what was tried and why it failed
 */
export async function chooseRunAs(
  candidates: readonly RunAs[],
  binaries: Binaries,
  directories: readonly string[],
): Promise<RunAs> {
  const failures: string[] = [];
  for (const candidate of candidates) {
    const failure = await probe(candidate, binaries, directories);
    if (failure === undefined) return candidate;
    failures.push(`  ${candidate.description}: ${failure}`);
  }
  throw new EmbeddedPostgresError(
    `The embedded PostgreSQL cannot be run from ${binaries.root} on ${directories.join(', ')}. Tried\n` +
      `${failures.join('\n')}\n` +
      'Let the user that runs Brandport enter these folders (as root, PostgreSQL needs another user who can, or ' +
      `setpriv or unshare), or start Brandport as an ordinary user. ${OWN_SERVER_INSTEAD}`,
  );
}

/** Starts a program in a session of its own, so that Ctrl-C in the terminal does not reach it. */
export function spawnAs(
  runAs: RunAs,
  program: string,
  args: readonly string[],
  stdio: StdioOptions,
): ChildProcess {
  const [file = program, ...rest] = [...runAs.wrapper, program, ...args];
  return spawn(file, rest, { ...runAs.ids, env: ENVIRONMENT, cwd: '/', detached: true, stdio });
}

/**
 * Runs a program to its end.
 *
 * @throws EmbeddedPostgresError with the end of its output when it fails
 */
export async function runToolAs(
  runAs: RunAs,
  program: string,
  args: readonly string[],
  input = '',
): Promise<void> {
  const child = spawnAs(runAs, program, args, ['pipe', 'pipe', 'pipe']);
  let output = '';
  const keep = (text: string) => {
    output = (output + text).slice(-4000);
  };
  child.stdout?.setEncoding('utf8').on('data', keep);
  child.stderr?.setEncoding('utf8').on('data', keep);
  child.stdin?.on('error', () => {}); // a program that ends early says why on its standard error
  child.stdin?.end(input);
  const ending = await new Promise<string | undefined>((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code, signal) => resolve(code === 0 ? undefined : (signal ?? `exit code ${code}`)));
  });
  if (ending !== undefined) {
    throw new EmbeddedPostgresError(
      `${program} failed (${ending}). The end of its output:\n${output.trimEnd()}`,
    );
  }
}

async function probe(
  runAs: RunAs,
  binaries: Binaries,
  directories: readonly string[],
): Promise<string | undefined> {
  const [file = 'sh', ...rest] = [
    ...runAs.wrapper,
    '/bin/sh',
    '-c',
    PROBE,
    'sh',
    binaries.postgres,
    ...directories,
  ];
  const options = { ...runAs.ids, env: ENVIRONMENT, cwd: '/', timeout: 30_000 };
  const { error, stderr } = await new Promise<{ error: Error | null; stderr: string }>((resolve) => {
    execFile(file, rest, options, (error, _stdout, stderr) => resolve({ error, stderr }));
  });
  // PostgreSQL that cannot look at its own program file says so, but still answers --version
  if (error === null && !stderr.includes('invalid binary')) return undefined;
  if (error !== null && 'code' in error && error.code === 127 && (await exists(binaries.postgres))) {
    return `${stderr.trim()} (the program is there; it needs glibc, which Alpine Linux does not have)`;
  }
  return stderr.trim() || error?.message || 'unknown reason';
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
