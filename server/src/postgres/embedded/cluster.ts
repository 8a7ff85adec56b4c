import { createHash } from 'node:crypto';
import { lchown, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { Binaries } from './binaries.ts';
import { findPassword, generatePassword, keepPassword } from './cluster-password.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { type RunAs, runAsToEnd } from './run-as.ts';

/** The name of Brandport's role and database. It is no superuser, so that a flaw in a query does not endanger the machine. */
export const clusterRole = 'brandport';
const newPrefix = 'postgres.new-';

export interface ClusterTools {
  readonly binaries: Binaries;
  readonly runAs: RunAs;
  /** Kills the running program. */
  readonly cancelled: AbortSignal | undefined;
}

/** Only the socket, and only with a password; the superuser has none, so it cannot log in. */
const hostBasedAuthentication = 'local all all scram-sha-256\n';

/** Returns a name that is unique to this directory and identifies its processes in the process list. */
export async function clusterNameOf(clusterDir: string): Promise<string> {
  const { dev, ino } = await stat(clusterDir);
  return `brandport-${createHash('sha256').update(`${dev}:${ino}`).digest('hex').slice(0, 16)}`;
}

/**
 * Creates the cluster with Brandport's role and database, in a temporary directory that is renamed once everything is on disk, so
 * that an interruption leaves a complete cluster or none. The caller holds the data directory's lock.
 * @throws EmbeddedPostgresError when one of PostgreSQL's programs fails; the reason of `cancelled`
 */
export async function createCluster(dataDir: string, clusterDir: string, tools: ClusterTools): Promise<void> {
  const leftovers = (await readdir(dataDir)).filter((name) => name.startsWith(newPrefix));
  for (const name of leftovers) {
    await rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 5 });
  }
  const password = (await findPassword(dataDir)) ?? generatePassword();
  await keepPassword(dataDir, password);

  const newDir = join(dataDir, `${newPrefix}${process.pid}`);
  await mkdir(newDir, { mode: 0o700 });
  await lchown(newDir, tools.runAs.owner.uid, tools.runAs.owner.gid);
  // builtin C.UTF-8: the same collation on every machine, regardless of installed locales [D13]
  await runTool(tools, tools.binaries.initdb, [
    ...['-D', newDir, '--username=postgres', '--auth=reject', '--encoding=UTF8', '--data-checksums'],
    ...['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-instructions'],
  ]);
  await writeFile(join(newDir, 'pg_hba.conf'), hostBasedAuthentication);
  await runSql(newDir, tools, [
    `CREATE ROLE ${clusterRole} LOGIN CREATEDB PASSWORD ${pg.escapeLiteral(password)}`,
    `GRANT pg_monitor, pg_checkpoint TO ${clusterRole}`,
    // the client reports its failed statements; logging them here would put client data into the log
    `ALTER ROLE ${clusterRole} SET log_min_messages TO 'log'`,
    `CREATE DATABASE ${clusterRole} OWNER ${clusterRole}`,
  ]);
  await rename(newDir, clusterDir);
  await syncDirectory(dataDir);
}

/** Sets a new password of the role if the file with the old one is missing. The cluster must not be running. */
export async function ensurePassword(
  dataDir: string,
  clusterDir: string,
  tools: ClusterTools,
): Promise<string> {
  const kept = await findPassword(dataDir);
  if (kept !== undefined) return kept;
  const password = generatePassword();
  // in this order, so that the next start repeats an interrupted change
  await runSql(clusterDir, tools, [`ALTER ROLE ${clusterRole} PASSWORD ${pg.escapeLiteral(password)}`]);
  await keepPassword(dataDir, password);
  return password;
}

/** Runs SQL in single-user mode: without socket or login, and durable when the program exits. */
async function runSql(clusterDir: string, tools: ClusterTools, statements: string[]): Promise<void> {
  const args = ['--single', '-D', clusterDir, '-c', `cluster_name=${await clusterNameOf(clusterDir)}`];
  // an error ends the program, and its message omits the statement, which may contain the password
  args.push('-c', 'exit_on_error=on', '-c', 'log_min_error_statement=panic', 'postgres');
  await runTool(tools, tools.binaries.postgres, args, `${statements.join(';\n')};\n`);
}

async function runTool(
  { runAs, cancelled }: ClusterTools,
  program: string,
  args: readonly string[],
  input = '',
): Promise<void> {
  const { failure, output } = await runAsToEnd(runAs, program, args, { input, cancelled });
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
