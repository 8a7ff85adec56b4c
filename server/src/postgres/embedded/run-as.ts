import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { access, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Binaries, ownServerInstead } from './binaries.ts';
import { EmbeddedPostgresError } from './data-dir.ts';

interface Ids {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Returns how to run PostgreSQL. It refuses to run as root, so root runs it as another user, with the capability to enter folders
 * of root's: a checkout and its data are often there, and containers leave root this capability.
 */
export async function chooseRunAs(clusterDir: string): Promise<RunAs> {
  const self = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  if (self.uid !== 0) return { description: 'as the current user', owner: self, wrapper: [], ids: {} };
  const user = (await findOrdinaryOwner(clusterDir)) ?? (await findServiceUser());
  return {
    description: `as uid ${user.uid} with the capability dac_override`,
    owner: user,
    wrapper: [
      'setpriv',
      `--reuid=${user.uid}`,
      `--regid=${user.gid}`,
      '--clear-groups',
      '--no-new-privs',
      // PostgreSQL asks access() about its own program file, and the kernel disregards capabilities there without it.
      '--securebits=+no_setuid_fixup',
      '--inh-caps=+dac_override',
      '--ambient-caps=+dac_override',
      '--',
    ],
    ids: {},
  };
}

/** Returns a way to run a program that is interrupted when this process ends, also by kill -9; Linux with util-linux only. */
export async function endingWithParent(runAs: RunAs): Promise<RunAs> {
  if (process.platform !== 'linux' || !(await exists('/usr/bin/setpriv'))) return runAs;
  const { wrapper } = runAs;
  const own = wrapper.length > 0 ? wrapper.slice(0, -1) : ['setpriv'];
  return { ...runAs, wrapper: [...own, '--pdeathsig=INT', '--'] };
}

/** The ordinary user of a cluster or data directory, who can reach most of it and keeps access to what is written. */
async function findOrdinaryOwner(clusterDir: string): Promise<Ids | undefined> {
  for (const path of [clusterDir, dirname(clusterDir)]) {
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined) return found.uid === 0 ? undefined : { uid: found.uid, gid: found.gid };
  }
  return undefined;
}

async function findServiceUser(): Promise<Ids> {
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '');
  for (const name of ['postgres', 'nobody']) {
    const [, uid, gid] = users.match(new RegExp(`^${name}:[^:]*:([1-9]\\d*):(\\d+):`, 'm')) ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  return { uid: 65534, gid: 65534 };
}

/** Enters every directory, then runs the program, as PostgreSQL must be able to. */
const probeScript =
  'program=$1; shift; for directory; do cd "$directory" || exit 9; done; exec "$program" --version';

/** The shell's exit code if the program or its loader is missing. */
const notFound = 127;

/** @throws EmbeddedPostgresError if the programs cannot be run, with what to do instead */
export async function requireRunnable(
  runAs: RunAs,
  binaries: Binaries,
  directories: readonly string[],
): Promise<void> {
  const failure = await probe(runAs, binaries, directories).catch((error: Error) => error.message);
  if (failure === undefined) return;
  const way =
    process.getuid?.() === 0
      ? 'Start Brandport as an ordinary user who owns this folder: useradd brandport && chown -R brandport . && ' +
        'runuser -u brandport -- npm start.'
      : 'Start it as a user with access to these folders.';
  throw new EmbeddedPostgresError(
    `The embedded PostgreSQL cannot be run ${runAs.description} from ${binaries.root} on ${directories.join(', ')}: ` +
      `${failure}. ${way} ${ownServerInstead}`,
  );
}

async function probe(
  runAs: RunAs,
  binaries: Binaries,
  directories: readonly string[],
): Promise<string | undefined> {
  const args = ['-c', probeScript, 'sh', binaries.postgres, ...directories];
  const { failure, code, output } = await runAsToEnd(runAs, '/bin/sh', args);
  // a PostgreSQL that cannot read its own program file reports that, but still responds to --version
  if (failure === undefined && !output.includes('invalid binary')) return undefined;
  if (code === notFound && output.includes(binaries.postgres) && (await exists(binaries.postgres))) {
    return `${output} (the program exists, but needs glibc, which Alpine Linux does not have)`;
  }
  return output || failure;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

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
