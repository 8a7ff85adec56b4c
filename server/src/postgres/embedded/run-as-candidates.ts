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
 * Lists the ways to run PostgreSQL, those with the fewest privileges first. It refuses to run as root, so root runs it as another
 * user, who may lack access to the data directory.
 */
export async function listRunAsCandidates(clusterDir: string): Promise<RunAs[]> {
  const self = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  if (self.uid !== 0) return [{ description: 'as the current user', owner: self, wrapper: [], ids: {} }];

  const user = (await findOrdinaryOwner(clusterDir)) ?? (await findServiceUser());
  return [
    { description: `as uid ${user.uid}`, owner: user, wrapper: [], ids: user },
    withCapability(user, 'dac_read_search'),
    // Writes too: containers usually leave root this capability and not the other one.
    withCapability(user, 'dac_override'),
    // Needs no capability, but PostgreSQL then writes as the owner of root's files.
    {
      description: `in a user namespace as uid ${user.uid}`,
      owner: self,
      wrapper: ['unshare', '--user', `--map-user=${user.uid}`, `--map-group=${user.gid}`, '--'],
      ids: {},
    },
  ];
}

/**
 * Keeps a capability, which enters every folder. PostgreSQL asks access() about its own program file, and the kernel disregards
 * capabilities there unless the securebit no_setuid_fixup is set.
 */
function withCapability(user: Ids, capability: string): RunAs {
  return {
    description: `as uid ${user.uid} with the capability ${capability}`,
    owner: user,
    wrapper: [
      'setpriv',
      `--reuid=${user.uid}`,
      `--regid=${user.gid}`,
      '--clear-groups',
      '--no-new-privs',
      '--securebits=+no_setuid_fixup',
      `--inh-caps=+${capability}`,
      `--ambient-caps=+${capability}`,
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

/** Returns the first candidate that can run the programs. @throws EmbeddedPostgresError with what was tried */
export async function chooseRunAs(
  candidates: readonly RunAs[],
  binaries: Binaries,
  directories: readonly string[],
): Promise<RunAs> {
  const failures: string[] = [];
  for (const candidate of candidates) {
    const failure = await probe(candidate, binaries, directories).catch((error: Error) => error.message);
    if (failure === undefined) return candidate;
    failures.push(`  ${candidate.description}: ${failure}`);
  }
  throw new EmbeddedPostgresError(
    `The embedded PostgreSQL cannot be run from ${binaries.root} on ${directories.join(', ')}. Tried\n` +
      `${failures.join('\n')}\n` +
      'Start Brandport as an unprivileged user with access to these folders. As root, PostgreSQL must run as another ' +
      `user: let that one enter them, or install setpriv (util-linux). ${ownServerInstead}`,
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
