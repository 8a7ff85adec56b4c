import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type RaisedRevisions, raiseRevisions } from '../analytics/store/revision-floor-store.ts';
import { StoreTrouble } from '../analytics/store/store-databases.ts';
import { BackupError } from '../backup/archive.ts';
import { openBackup, refusal } from '../backup/manifest.ts';
import {
  assertEmptyDatabase,
  finishSchema,
  type RestoreSummary,
  restoreBackup,
} from '../backup/restore-store.ts';
import { createBackup } from '../backup/snapshot-store.ts';
import { openJobQueue } from '../jobs/job-queue.ts';
import { passwordHint } from '../lib/addresses.ts';
import { Closing } from '../lib/closing.ts';
import type { Log } from '../lib/log.ts';
import { type DatabaseAddress, databaseUrlForm, isDatabaseUrl } from '../postgres/connection-options.ts';
import { packageVersion, StartError } from '../serve/lifetime.ts';
import { startMainDatabase } from '../serve/main-database.ts';
import { connect, openInstallation } from '../serve/open-installation.ts';
import type { CommandContext } from './command.ts';
import { type DoctorContext, doctor } from './maintenance.ts';
import { dataSize } from './text-table.ts';

type BackupContext = Pick<CommandContext, 'config' | 'log' | 'cancelled'>;

/** Writes all data to a new file, next to a server. @throws BackupError, StartError, EmbeddedPostgresError, MigrationError */
export async function backup(context: CommandContext, file: string): Promise<number> {
  const { tables, rows, bytes, createdAt } = await writeBackup(context, file);
  context.write(`${file}: ${tables} tables, ${rows} rows, ${dataSize(bytes)}, as of ${createdAt}.\n`);
  return 0;
}

/** Writes a backup, and returns its summary and whether a server runs on the embedded database. */
export async function writeBackup({ config, log, cancelled }: BackupContext, file: string) {
  await using closing = new Closing();
  const { main, analytics } = await openInstallation(config, log, closing);
  try {
    const source = { main: main.address, analytics: config.analyticsUrl === null ? null : analytics };
    const options = { version: packageVersion, log, cancelled };
    return { ...(await createBackup(source, file, options)), isInUse: main.isInUse === true };
  } catch (error) {
    throw explained(error, cancelled, 'No backup was written');
  }
}

/** Errors of the system and of PostgreSQL as such for operators; others are defects and stay as they are. */
export function explained(error: unknown, cancelled: AbortSignal, outcome: string): unknown {
  if (cancelled.aborted) return new BackupError(`Stopped. ${outcome}.`);
  if (error instanceof StoreTrouble) return new BackupError(`${outcome}: ${error.message}`, { cause: error });
  const { code, message } = error as { code?: unknown; message: string };
  const isLost = message === 'Connection terminated unexpectedly';
  if (typeof code !== 'string' && !isLost) return error;
  return new BackupError(`${outcome}: ${message}`, { cause: error });
}

type RestoreContext = Pick<CommandContext, 'config' | 'log' | 'cancelled'>;

/**
 * Fills the configured databases, which must be empty, from a backup.
 * @throws BackupError, StartError, EmbeddedPostgresError, MigrationError
 */
export async function restore(context: CommandContext, file: string, verifies: boolean): Promise<number> {
  const { tables, rows, createdAt } = await restoreFrom(context, file);
  context.write(`Restored ${tables} tables, ${rows} rows, as of ${createdAt}.\n`);
  return verifies ? doctor(context) : 0;
}

/**
 * Raises the revisions of all datasets, so that no client believes that it is up to date [D298]: part of a restore, and a
 * command for after a recovery by PostgreSQL's own means. Safe to repeat, and next to a server.
 * @throws StartError, EmbeddedPostgresError, MigrationError
 */
export async function afterRecovery({ config, log, cancelled }: RestoreContext): Promise<RaisedRevisions> {
  await using closing = new Closing();
  const { analytics } = await openInstallation(config, log, closing);
  cancelled.throwIfAborted();
  return raise(analytics, log, closing);
}

async function raise(address: DatabaseAddress, log: Log, closing: Closing): Promise<RaisedRevisions> {
  const database = connect({ address, applicationName: 'brandport-restore', poolSize: 1 }, closing);
  const raised = await raiseRevisions(database);
  log('info', `datasets are at revision ${raised.revision}, with ${raised.days} days marked as changed`);
  return raised;
}

interface RestoredBackup extends RestoreSummary {
  /** The time of the snapshot that was restored. */
  readonly createdAt: string;
}

interface RestoreOptions {
  /** `'none'`: leaves the analytics store as it is. */
  readonly analytics: 'all' | 'none';
  /** True if changes after the snapshot are lost, which clients may have seen: raises the revisions. */
  readonly raises: boolean;
}

export async function restoreFrom(
  { config, log, cancelled }: RestoreContext,
  file: string,
  { analytics, raises }: RestoreOptions = { analytics: 'all', raises: true },
): Promise<RestoredBackup> {
  await using closing = new Closing();
  const failed = (error: unknown) => {
    throw explained(refusal(file, error), cancelled, 'Nothing was restored');
  };
  const { analyticsUrl } = config;
  const backup = await openBackup(file).catch(failed);
  closing.defer(() => backup.reader.close());
  log('info', `${file}: Brandport ${backup.manifest.brandport}, ${backup.manifest.created_at}`);
  const main = closing.adopt(await startMainDatabase(config, log, cancelled), (started) => started.stop());
  const target = {
    main: main.address,
    analytics: analytics === 'none' ? analytics : analyticsUrl === null ? null : { url: analyticsUrl },
    prepareQueue: () => createQueue(main.address),
  };
  const summary = await restoreBackup(backup, target, { log, cancelled }).catch(failed);
  await finishSchema(target);
  if (raises && target.analytics !== 'none') await raise(target.analytics ?? main.address, log, closing);
  for (const line of summary.leftOut) log('warn', `not restored: ${line}`);
  return { ...summary, createdAt: backup.manifest.created_at };
}

async function createQueue(address: DatabaseAddress): Promise<void> {
  await using closing = new Closing();
  const database = connect({ address, applicationName: 'brandport-restore', poolSize: 2 }, closing);
  const silent = { info: () => {}, error: () => {} };
  const queue = await openJobQueue(database, silent, false);
  await queue.stop(0);
}

/**
 * Copies all data to an empty database, by way of a backup in the data directory, which is removed. A separate analytics store
 * stays where it is, and so does what is in an engine.
 * @throws BackupError, StartError, EmbeddedPostgresError, MigrationError
 */
export async function moveTo(context: CommandContext, url: string): Promise<number> {
  const { config, log, cancelled, write } = context;
  if (!isDatabaseUrl(url)) throw new StartError(`The target must be ${databaseUrlForm}${passwordHint(url)}.`);
  // Before a backup is written, which may take hours.
  await assertEmptyDatabase({ url }).catch((error) => {
    throw explained(error, cancelled, 'Nothing was copied');
  });
  const target = { config: { ...config, databaseUrl: url }, log, cancelled, write };
  const { tables, rows, createdAt, isInUse } = await copy(context, target);
  write(`Copied ${tables} tables, ${rows} rows, as of ${createdAt}.\n`);
  const code = await doctor(target);
  if (isInUse)
    write(
      `A server is running on ${config.dataDir}. What it wrote since ${createdAt} is not in the new database: to move for ` +
        'good, stop it and run this again with an empty database.\n',
    );
  else write(`To use it, start the server with DATABASE_URL. Keep ${config.dataDir}: it has the secrets.\n`);
  return code;
}

async function copy(source: CommandContext, target: DoctorContext) {
  const { dataDir, analyticsUrl } = source.config;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await removeLeftFolders(dataDir);
  const folder = await mkdtemp(join(dataDir, 'move-'));
  try {
    const file = join(folder, 'brandport.tar');
    const { isInUse } = await writeBackup(source, file);
    // What a running server writes from now on is lost if the copy is used.
    const options = { analytics: analyticsUrl === null ? 'all' : 'none', raises: isInUse } as const;
    return { ...(await restoreFrom(target, file, options)), isInUse };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Removes what killed moves left: copies of all data. Two moves at a time have no use. */
async function removeLeftFolders(dataDir: string): Promise<void> {
  const names = (await readdir(dataDir)).filter((name) => /^move-\w{6}$/.test(name));
  for (const name of names) await rm(join(dataDir, name), { recursive: true, force: true });
}
