import { access, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Binaries, ownServerInstead } from './binaries.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { type RunAs, runAsToEnd } from './run-as.ts';

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
