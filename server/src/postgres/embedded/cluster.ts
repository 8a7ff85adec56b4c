import { createHash } from 'node:crypto';
import { lchown, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { Binaries } from './binaries.ts';
import { findPassword, generatePassword, keepPassword } from './cluster-password.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { type RunAs, runAsToEnd } from './run-as.ts';

/** Role and database that Brandport uses. Not a superuser: a hole in a query must not become a hole in the machine. */
export const clusterRole = 'brandport';
const newPrefix = 'postgres.new-';

/** Nobody but through the socket, and no one without a password; the superuser has none, so it cannot log in. */
const hostBasedAuthentication = 'local all all scram-sha-256\n';

/** A name that belongs to this directory alone, by which its processes are recognised in the list of processes. */
export async function clusterNameOf(clusterDir: string): Promise<string> {
  const { dev, ino } = await stat(clusterDir);
  return `brandport-${createHash('sha256').update(`${dev}:${ino}`).digest('hex').slice(0, 16)}`;
}

/**
 * Creates the cluster with Brandport's role and database, in a temporary directory that is renamed when
 * everything in it is on disk: if this is killed, there is a whole cluster or none. The caller holds the data
 * directory's lock, so leftovers of an earlier attempt can be removed.
 *
 * @throws EmbeddedPostgresError when one of PostgreSQL's programs fails
 */
export async function createCluster(
  dataDir: string,
  clusterDir: string,
  binaries: Binaries,
  runAs: RunAs,
): Promise<void> {
  const leftovers = (await readdir(dataDir)).filter((name) => name.startsWith(newPrefix));
  for (const name of leftovers) {
    await rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 5 });
  }
  const password = (await findPassword(dataDir)) ?? generatePassword();
  await keepPassword(dataDir, password);

  const newDir = join(dataDir, `${newPrefix}${process.pid}`);
  await mkdir(newDir, { mode: 0o700 });
  await lchown(newDir, runAs.owner.uid, runAs.owner.gid);
  // builtin C.UTF-8: the same collation on every machine, with any installed locales [D13]
  await runTool(runAs, binaries.initdb, [
    ...['-D', newDir, '--username=postgres', '--auth=reject', '--encoding=UTF8', '--data-checksums'],
    ...['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-instructions'],
  ]);
  await writeFile(join(newDir, 'pg_hba.conf'), hostBasedAuthentication);
  await runSql(newDir, binaries, runAs, [
    `CREATE ROLE ${clusterRole} LOGIN CREATEDB PASSWORD ${pg.escapeLiteral(password)}`,
    `GRANT pg_monitor, pg_checkpoint TO ${clusterRole}`,
    // a failed statement is its client's to report; logging it here as well would put clients' data into the log
    `ALTER ROLE ${clusterRole} SET log_min_messages TO 'log'`,
    `CREATE DATABASE ${clusterRole} OWNER ${clusterRole}`,
  ]);
  await rename(newDir, clusterDir);
  await syncDirectory(dataDir);
}

/** Gives the role a new password when the file with the old one is gone. The cluster must not be running. */
export async function ensurePassword(
  dataDir: string,
  clusterDir: string,
  binaries: Binaries,
  runAs: RunAs,
): Promise<string> {
  const kept = await findPassword(dataDir);
  if (kept !== undefined) return kept;
  const password = generatePassword();
  // in this order: killed in between, the next start does it again
  await runSql(clusterDir, binaries, runAs, [
    `ALTER ROLE ${clusterRole} PASSWORD ${pg.escapeLiteral(password)}`,
  ]);
  await keepPassword(dataDir, password);
  return password;
}

/** In single-user mode: no socket, no login, and done and on disk when the program ends. */
async function runSql(
  clusterDir: string,
  binaries: Binaries,
  runAs: RunAs,
  statements: string[],
): Promise<void> {
  const args = ['--single', '-D', clusterDir, '-c', `cluster_name=${await clusterNameOf(clusterDir)}`];
  // an error ends the program, and its message does not show the statement: that may hold the password
  args.push('-c', 'exit_on_error=on', '-c', 'log_min_error_statement=panic', 'postgres');
  await runTool(runAs, binaries.postgres, args, `${statements.join(';\n')};\n`);
}

async function runTool(runAs: RunAs, program: string, args: readonly string[], input = ''): Promise<void> {
  const { failure, output } = await runAsToEnd(runAs, program, args, input);
  if (failure === undefined) return;
  throw new EmbeddedPostgresError(`${program} failed (${failure}). The end of its output:\n${output}`);
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path);
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
