import { join } from 'node:path';
import { dumpState, listStates, restoreState } from '../../../database/tests/schema-state.ts';
import { createDatabase, runSql } from '../../../test/support/fresh-database.ts';
import { makeDataDir } from '../../../test/support/server-process.ts';
import { openJobQueue } from '../../jobs/job-queue.ts';
import { Database } from '../../postgres/database.ts';
import { migrate } from '../../postgres/schema/migrate.ts';
import { analyticsSchema, mainSchema } from '../../postgres/schema/schema-files.ts';
import { openBackup } from '../manifest.ts';
import { finishSchema, restoreBackup } from '../restore-store.ts';
import { type BackupSource, createBackup } from '../snapshot-store.ts';

export type Address = Awaited<ReturnType<typeof createDatabase>>;

const never = new AbortController().signal;

/** Returns a path in a new folder, which is removed after the test. */
export async function newFile(): Promise<string> {
  return join(await makeDataDir(), 'backup.tar');
}

/** Creates a database with rows in every table: the newest saved state, or the oldest one without the upgrade. */
export async function filledDatabase({ isOld = false } = {}): Promise<Address> {
  const address = await createDatabase();
  const states = await listStates();
  await restoreState(address, (isOld ? states[0] : states.at(-1)) as string);
  if (!isOld) for (const line of [mainSchema, analyticsSchema]) await migrate(address, line);
  await startQueue(address);
  const queue = "insert into pgboss.job (name, data) values ('aggregate-window', '{\"brandId\": 1}')";
  await runSql(address, queue);
  return address;
}

export async function startQueue(address: Address): Promise<void> {
  const database = new Database({ address, applicationName: 'brandport-test' });
  const queue = await openJobQueue(database, { info: () => {}, error: () => {} }, false);
  await queue.stop(0);
  await database.close();
}

/** Returns everything that the database holds as sorted texts, but not the times at which files were applied. */
export async function stateOf(address: Address): Promise<string[]> {
  const database = new Database({ address, applicationName: 'brandport-test' });
  const state = await dumpState(database).finally(() => database.close());
  return state.filter((text) => !/^INSERT INTO (analytics\.)?schema_/.test(text)).sort();
}

export async function backUp(source: Address | BackupSource): Promise<string> {
  const file = await newFile();
  const from = 'main' in source ? source : { main: source, analytics: null };
  await createBackup(from, file, { version: '1.2.3', log: () => {}, cancelled: never });
  return file;
}

/** Restores into new databases and returns them. */
export async function restore(
  file: string,
  to: { main: Address; analytics: Address | null | 'none' },
): Promise<Awaited<ReturnType<typeof restoreBackup>>> {
  const backup = await openBackup(file);
  try {
    const target = { ...to, prepareQueue: () => startQueue(to.main) };
    const summary = await restoreBackup(backup, target, { log: () => {}, cancelled: never });
    await finishSchema(target);
    return summary;
  } finally {
    await backup.reader.close();
  }
}

/** The names of all tables, views and schemas of a database that it did not have from the start. */
export async function relationsOf(address: Address): Promise<string[]> {
  const rows = await runSql<{ name: string }>(
    address,
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
     union select nspname from pg_namespace where nspname !~ '^pg_' and nspname not in ('public', 'information_schema')`,
  );
  return rows.map(({ name }) => name);
}
