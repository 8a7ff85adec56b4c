import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { databaseUrlForm, parseDatabaseUrl } from '../postgres/sessions/database-url.ts';
import { type BackupContext, runBackupCommand } from './backup-command.ts';
import { type RestoredBackup, runRestoreCommand } from './restore-command.ts';
import { StartError } from './start-error.ts';

export interface MovedDatabase extends RestoredBackup {
  /** True if a server was running, whose later writes are not in the new database. */
  readonly isInUse: boolean;
}

/** The configuration with which a server would use the database at the URL. @throws StartError when it is no such URL */
export function configAt(config: Config, url: string): Config {
  if (parseDatabaseUrl(url) === null) throw new StartError(`DATABASE_URL must be ${databaseUrlForm}.`);
  return { ...config, databaseUrl: url };
}

/** Removes what killed moves left: copies of all data. Two moves at a time have no use. */
async function removeLeftFolders(dataDir: string): Promise<void> {
  const names = (await readdir(dataDir)).filter((name) => /^move-\w{6}$/.test(name));
  for (const name of names) await rm(join(dataDir, name), { recursive: true, force: true });
}

/**
 * `brandport move-to`: copies all data to an empty database, by way of a backup in the data directory, which is removed. An
 * separate analytics store stays where it is, and so does what is in an engine.
 * @throws BackupError, StartError, EmbeddedPostgresError, MigrationError
 */
export async function runMoveCommand(context: BackupContext, url: string): Promise<MovedDatabase> {
  const { config } = context;
  const target = configAt(config, url);
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  await removeLeftFolders(config.dataDir);
  const folder = await mkdtemp(join(config.dataDir, 'move-'));
  try {
    const file = join(folder, 'brandport.tar');
    const { isInUse } = await runBackupCommand(context, file, 'none');
    const analytics = config.analyticsUrl === null ? 'all' : 'none';
    return { ...(await runRestoreCommand({ ...context, config: target }, file, analytics)), isInUse };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
