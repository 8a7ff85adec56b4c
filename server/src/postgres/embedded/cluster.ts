import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  chmod,
  chown,
  lchown,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import pg from 'pg';
import { type Binaries, ownServerInstead } from './binaries.ts';
import { clusterPort, EmbeddedPostgresError } from './data-dir.ts';
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
export async function readClusterName(clusterDir: string): Promise<string> {
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
  // builtin C.UTF-8: the same collation on every machine, regardless of installed locales [D47]
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
  const args = ['--single', '-D', clusterDir, '-c', `cluster_name=${await readClusterName(clusterDir)}`];
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

/**
 * Returns the PostgreSQL major version that created the cluster; undefined if there is no cluster yet.
 * @throws EmbeddedPostgresError when the directory holds something else
 */
export async function findClusterVersion(clusterDir: string): Promise<string | undefined> {
  const entries = await readdir(clusterDir).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENOENT') return [];
    throw new EmbeddedPostgresError(
      `${clusterDir} cannot be read by the user that runs Brandport (uid ${process.getuid?.()}): ` +
        `${error.message}. Start Brandport as the user who owns it.`,
    );
  });
  if (entries.length === 0) return undefined;
  if (entries.includes('PG_VERSION')) return (await readFile(join(clusterDir, 'PG_VERSION'), 'utf8')).trim();
  throw new EmbeddedPostgresError(
    `${clusterDir} is not empty, but contains no PostgreSQL cluster. Move its content away, restore a backup into ` +
      'it, or choose another data directory (BRANDPORT_DATA_DIR).',
  );
}

/** @throws EmbeddedPostgresError if another major version than that of the programs created the cluster */
export async function refuseOtherVersion(
  clusterDir: string,
  version: string,
  binaries: Binaries,
): Promise<void> {
  const { stdout } = await promisify(execFile)(binaries.postgres, ['--version']);
  const own = stdout.match(/\(PostgreSQL\) (\d+)/)?.[1] ?? stdout.trim();
  if (version === own) return;
  throw new EmbeddedPostgresError(
    `The database in ${clusterDir} was created by PostgreSQL ${version}; this Brandport uses PostgreSQL ${own}, which ` +
      `cannot read it. Nothing was changed. Options: dump it with PostgreSQL ${version} (pg_dump), move the ` +
      `directory away, start Brandport once and restore the dump; or go back to the Brandport release with ` +
      `PostgreSQL ${version}; or run a PostgreSQL ${version} server on the directory and set DATABASE_URL to it.`,
  );
}

/**
 * Ensures that PostgreSQL's user owns the cluster. Root changes the owner of the files, and of the directory last, so that the
 * next start continues an interrupted change.
 * @throws EmbeddedPostgresError if the cluster belongs to another user and this process is not root
 */
export async function ensureClusterOwner(
  clusterDir: string,
  owner: { readonly uid: number; readonly gid: number },
): Promise<void> {
  const found = await stat(clusterDir);
  if (found.uid !== owner.uid) {
    if (process.getuid?.() !== 0) {
      throw new EmbeddedPostgresError(
        `${clusterDir} belongs to uid ${found.uid}, but Brandport runs as uid ${process.getuid?.()}. Start it as that ` +
          `user, or change the owner of the data directory (chown -R). ${ownServerInstead}`,
      );
    }
    const entries = await readdir(clusterDir, { recursive: true });
    for (const entry of entries) await lchown(join(clusterDir, entry), owner.uid, owner.gid);
    await chown(clusterDir, owner.uid, owner.gid);
  }
  if ((found.mode & 0o077) !== 0) await chmod(clusterDir, 0o700);
}

const defaultSettings: Readonly<Record<string, string>> = {
  max_connections: '100',
  maintenance_work_mem: '128MB',
  // fewer checkpoints while a catalog is loaded: after each, the next write of every page is logged in full, which is
  // most of a feed's log
  max_wal_size: '4GB',
  // for solid-state disks, where an index scan costs no seeks
  random_page_cost: '1.1',
  // JIT compilation costs more than these short statements
  jit: 'off',
  log_checkpoints: 'off',
  // statements contain client data; the error alone is sufficient
  log_min_error_statement: 'panic',
};

/**
 * Gives PostgreSQL's cache a quarter of the memory (in bytes), from 128 MB to 4 GB [D36]: if the cache is smaller than the pages
 * that writes touch, each write first has to evict a page.
 */
function memorySettings(memory: number): Readonly<Record<string, string>> {
  const megabytes = memory / 1024 ** 2;
  return {
    shared_buffers: `${Math.round(Math.min(Math.max(megabytes / 4, 128), 4096))}MB`,
    effective_cache_size: `${Math.round(Math.max(megabytes / 2, 256))}MB`,
  };
}

/** The machine's memory, or the container's limit. */
function availableMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/** Settings that safety and this supervisor depend on, on the command line, so that no file in the cluster can change them. */
function fixedSettings(
  clusterName: string,
  socketDir: string,
  isDisposable: boolean,
): Readonly<Record<string, string>> {
  const durable = isDisposable ? 'off' : 'on';
  return {
    fsync: durable,
    full_page_writes: durable,
    listen_addresses: '',
    port: String(clusterPort),
    unix_socket_directories: `"${socketDir.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    cluster_name: clusterName,
    update_process_title: 'on',
    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    log_destination: 'stderr',
    logging_collector: 'off',
    log_line_prefix: '',
  };
}

/**
 * Returns PostgreSQL's command-line arguments: the defaults, overridden by the given settings, and the fixed settings.
 * @throws EmbeddedPostgresError if a given setting is a fixed one
 */
export function settingsArguments(
  clusterName: string,
  socketDir: string,
  settings: Readonly<Record<string, string>>,
  isDisposable = false,
): string[] {
  const fixed = fixedSettings(clusterName, socketDir, isDisposable);
  for (const name of Object.keys(settings)) {
    if (name.toLowerCase() in fixed) {
      throw new EmbeddedPostgresError(`The embedded PostgreSQL's setting ${name} cannot be changed.`);
    }
  }
  const all = { ...defaultSettings, ...memorySettings(availableMemory()), ...settings, ...fixed };
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

const passwordFileName = 'postgres-password';

/** Returns the password that the data directory stores for its cluster; undefined if there is none. */
export async function findPassword(dataDir: string): Promise<string | undefined> {
  const content = await readFile(join(dataDir, passwordFileName), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    },
  );
  return content.trim() || undefined;
}

/** Contains only letters, digits, - and _, because it is used in SQL and URLs without escaping. */
function generatePassword(): string {
  return randomBytes(32).toString('base64url');
}

/** Stores the password on disk, readable only by its owner, completely or not at all. */
async function keepPassword(dataDir: string, password: string): Promise<void> {
  const path = join(dataDir, passwordFileName);
  const file = await open(`${path}.new`, 'w', 0o600);
  try {
    await file.writeFile(`${password}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
}
