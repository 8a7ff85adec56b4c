import { access } from 'node:fs/promises';
import { type Binaries, ownServerInstead } from './binaries.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { type RunAs, runAsToEnd } from './run-as.ts';

/** Enters every directory, then runs the program, as PostgreSQL must be able to. */
const probeScript =
  'program=$1; shift; for directory; do cd "$directory" || exit 9; done; exec "$program" --version';

/** The shell's exit code if the program or its loader is missing. */
const notFound = 127;

/**
 * Tries the candidates in order and returns the first that can run the programs and enter the directories.
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
