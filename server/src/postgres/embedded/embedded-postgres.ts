import { readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../../lib/log.ts';
import { connectionOptions, type DatabaseAddress } from '../connection-options.ts';
import { openConnection } from '../sessions/session-client.ts';
import { type Binaries, binariesIn, ensureLibraryLinks, findBinaries } from './binaries.ts';
import {
  clusterRole,
  createCluster,
  ensureClusterOwner,
  ensurePassword,
  findClusterVersion,
  findPassword,
  readClusterName,
  refuseOtherVersion,
  settingsArguments,
} from './cluster.ts';
import {
  clusterPort,
  DataDirInUseError,
  type DataDirLock,
  EmbeddedPostgresError,
  lockDataDir,
  prepareSocketDir,
  socketParentDir,
} from './data-dir.ts';
import { chooseRunAs, endingWithParent, requireRunnable } from './run-as.ts';
import { endLeftoverProcesses, startServerProcess } from './server-process.ts';

export interface EmbeddedPostgres {
  /** Connection options for `pg`; `host` is the directory of the Unix socket. */
  readonly connection: Exclude<DatabaseAddress, { readonly url: string }>;
  /** Settles when the PostgreSQL process exits for any reason. */
  readonly exited: Promise<{ code: number | null; signal: string | null }>;
  /** Shuts PostgreSQL down, waits until it has exited and releases the data directory. Safe to call more than once. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  readonly dataDir: string;
  readonly log: Log;
  readonly settings?: Readonly<Record<string, string>>;
  /** For tests: writes are not flushed to disk, so a crash of the machine destroys the cluster. Default: false. */
  readonly isDisposable?: boolean;
  /** The lock of a caller that holds the data directory already and releases it itself. */
  readonly lock?: DataDirLock;
  /** True if nobody will start on the directory again, and stop a PostgreSQL that was left running. Default: false. */
  readonly endsWithParent?: boolean;
  /** Aborts the start by throwing its reason. */
  readonly cancelled?: AbortSignal | undefined;
  /** For tests: the folder of other PostgreSQL programs than those in node_modules. */
  readonly binariesDir?: string;
}

/**
 * Starts PostgreSQL on `<dataDir>/postgres`, which the first start creates, and resolves when it accepts connections. A data
 * directory has one process at a time. Processes that a killed predecessor left running are stopped first. If this rejects,
 * nothing is left running and the directory is free.
 * @throws EmbeddedPostgresError; the reason of `cancelled`
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const binaries = options.binariesDir === undefined ? findBinaries() : binariesIn(options.binariesDir);
  const lock = options.lock ?? (await lockOrExplain(options.dataDir));
  const release = async () => {
    if (options.lock === undefined) await lock.release();
  };
  try {
    return await startLocked(options, binaries, lock.dataDir, release);
  } catch (error) {
    await release();
    throw error;
  }
}

async function startLocked(
  { log, settings = {}, isDisposable = false, endsWithParent = false, cancelled }: EmbeddedPostgresOptions,
  binaries: Binaries,
  dataDir: string,
  release: () => Promise<void>,
): Promise<EmbeddedPostgres> {
  const clusterDir = join(dataDir, 'postgres');
  await ensureLibraryLinks(binaries);
  const toEnter = new Set([binaries.root, dataDir, socketParentDir(clusterDir)]);
  const runAs = await chooseRunAs(clusterDir);
  await requireRunnable(runAs, binaries, [...toEnter]);
  const tools = { binaries, runAs, cancelled };

  const version = await findClusterVersion(clusterDir);
  if (version === undefined) {
    log('info', `creating the embedded database in ${clusterDir}`);
    await createCluster(dataDir, clusterDir, tools);
  } else {
    await refuseOtherVersion(clusterDir, version, binaries);
  }
  const clusterName = await readClusterName(clusterDir);
  await endLeftoverProcesses(clusterDir, clusterName, log);
  await ensureClusterOwner(clusterDir, runAs.owner);
  const password = await ensurePassword(dataDir, clusterDir, tools);

  const socketDir = await prepareSocketDir(clusterDir, runAs.owner);
  const args = ['-D', clusterDir, ...settingsArguments(clusterName, socketDir.path, settings, isDisposable)];
  cancelled?.throwIfAborted();
  const serverRunAs = endsWithParent ? await endingWithParent(runAs) : runAs;
  const server = await startServerProcess(serverRunAs, binaries.postgres, args, log);
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= server.stop().then(socketDir.remove).finally(release));
  const connection = {
    host: socketDir.path,
    port: clusterPort,
    user: clusterRole,
    password,
    database: clusterRole,
  };
  try {
    await server.waitUntilReady(clusterDir, cancelled);
    await proveConnection(connection, dataDir);
    cancelled?.throwIfAborted();
  } catch (error) {
    await stop();
    throw error;
  }
  log(
    'info',
    `embedded PostgreSQL running ${runAs.description} (process ${server.pid}), data in ${clusterDir}`,
  );
  return { connection, exited: server.exited, stop };
}

async function lockOrExplain(dataDir: string): Promise<DataDirLock> {
  try {
    return await lockDataDir(dataDir);
  } catch (error) {
    if (error instanceof DataDirInUseError) throw new EmbeddedPostgresError(error.message, { cause: error });
    throw new EmbeddedPostgresError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

async function proveConnection(connection: EmbeddedPostgres['connection'], dataDir: string): Promise<void> {
  try {
    await (await openConnection(connectionOptions(connection, 'brandport'))).end();
  } catch (error) {
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL runs, but Brandport cannot log in: ${error instanceof Error ? error.message : error}. ` +
        `If ${join(dataDir, 'postgres-password')} belongs to another cluster, delete it: the next start sets a new password.`,
    );
  }
}

export async function hasCluster(dataDir: string): Promise<boolean> {
  return readFile(join(dataDir, 'postgres', 'PG_VERSION')).then(
    () => true,
    () => false,
  );
}

/**
 * Returns the connection to the embedded PostgreSQL that another process runs on this data directory; undefined if none accepts
 * connections, or this user has no access. Line 4 of the server's pid file is the port, 5 the socket's directory, 8 its state.
 */
export async function findRunningCluster(
  dataDir: string,
): Promise<EmbeddedPostgres['connection'] | undefined> {
  try {
    const realDir = await realpath(dataDir);
    const lines = (await readFile(join(realDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
    const [, , , port, socketDir, , , state] = lines;
    const password = await findPassword(realDir);
    if (state?.trim() !== 'ready' || socketDir === undefined || password === undefined) return undefined;
    return { host: socketDir, port: Number(port), user: clusterRole, password, database: clusterRole };
  } catch {
    return undefined;
  }
}
