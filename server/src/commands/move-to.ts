import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { passwordHint } from '../lib/urls.ts';
import { databaseUrlForm, isDatabaseUrl } from '../postgres/connection-options.ts';
import { StartError } from '../serve/start-error.ts';
import { writeBackup } from './backup.ts';
import type { CommandContext } from './command.ts';
import { type DoctorContext, doctor } from './doctor.ts';
import { restoreFrom } from './restore.ts';

/**
 * Copies all data to an empty database, by way of a backup in the data directory, which is removed. A separate analytics store
 * stays where it is, and so does what is in an engine.
 * @throws BackupError, StartError, EmbeddedPostgresError, MigrationError
 */
export async function moveTo(context: CommandContext, url: string): Promise<number> {
  const { config, log, cancelled, write } = context;
  if (!isDatabaseUrl(url))
    throw new StartError(`DATABASE_URL must be ${databaseUrlForm}${passwordHint(url)}.`);
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
    return { ...(await restoreFrom(target, file, analyticsUrl === null ? 'all' : 'none')), isInUse };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Removes what killed moves left: copies of all data. Two moves at a time have no use. */
async function removeLeftFolders(dataDir: string): Promise<void> {
  const names = (await readdir(dataDir)).filter((name) => /^move-\w{6}$/.test(name));
  for (const name of names) await rm(join(dataDir, name), { recursive: true, force: true });
}
