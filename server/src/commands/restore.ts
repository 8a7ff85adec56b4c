import { openBackup, refusal } from '../backup/manifest.ts';
import { finishSchema, type RestoreSummary, restoreBackup } from '../backup/restore-store.ts';
import { openJobQueue } from '../jobs/job-queue.ts';
import { Closing } from '../lib/closing.ts';
import type { DatabaseAddress } from '../postgres/connection-options.ts';
import { connect } from '../serve/open-installation.ts';
import { startMainDatabase } from '../serve/open-main-database.ts';
import { explained } from './backup.ts';
import type { CommandContext } from './command.ts';
import { doctor } from './doctor.ts';

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

interface RestoredBackup extends RestoreSummary {
  /** The time of the snapshot that was restored. */
  readonly createdAt: string;
}

/** Restores a backup. @param analytics `'none'`: leaves the analytics store as it is */
export async function restoreFrom(
  { config, log, cancelled }: RestoreContext,
  file: string,
  analytics: 'all' | 'none' = 'all',
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
