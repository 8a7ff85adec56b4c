import type pg from 'pg';
import { connectionOptions, type DatabaseAddress, withSettings } from '../connection-options.ts';
import { isLockTimeout, isRetryable } from '../database-errors.ts';
import { openConnection, type SessionClient } from '../sessions/session-client.ts';
import {
  applyObjects,
  createBookkeeping,
  hasRun,
  isCurrent,
  lockMigrations,
  readHistory,
  requireKnownHistory,
  runMigration,
  type SchemaHistory,
} from './bookkeeping.ts';
import { type LockWaiting, lockPatienceMs, withLockPatience } from './lock-patience.ts';
import { type ManagedSchema, MigrationError, readSchemaFiles, type SchemaFiles } from './schema-files.ts';
import { findWhyUnusable } from './usable-database.ts';

/** Lock timeout of a statement of an upgrade. It is short because requests queue behind it. */
const lockWaitMs = 2_000;
const lockRetryMs = 500;

/**
 * Upgrades a database to the schema of this version: pending migrations, then changed views and routines, in one transaction.
 * Processes may call it concurrently. Returns the names of the applied files.
 * @throws MigrationError if the database is newer, too old or not in UTF-8, an upgrade fails, or its locks are not free for a
 * minute; the reason of `cancelled`
 */
export async function migrate(
  address: DatabaseAddress,
  managed: ManagedSchema,
  waiting: LockWaiting = {},
): Promise<string[]> {
  const files = await readSchemaFiles(managed);
  return withConnection(address, async (client) => {
    await lockMigrations(client, waiting);
    const history = await readHistory(client, managed.schema);
    requireKnownHistory(files, history);
    if (isCurrent(files, history)) return [];
    return retryForLocks(waiting, () => upgrade(client, managed, files, history));
  });
}

/** Checks that the database has the schema of this version. @throws MigrationError if its schema is older, missing or newer */
export async function requireMigrated(address: DatabaseAddress, managed: ManagedSchema): Promise<void> {
  const files = await readSchemaFiles(managed);
  const history = await withConnection(address, (client) => readHistory(client, managed.schema));
  requireKnownHistory(files, history);
  if (!isCurrent(files, history))
    throw new MigrationError('The database has an older schema; run `brandport migrate` first.');
}

async function withConnection<T>(
  address: DatabaseAddress,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const open = () =>
    openConnection(
      withSettings(connectionOptions(address, 'brandport-migrate'), { lock_timeout: String(lockPatienceMs) }),
    );
  const client = await open();
  try {
    const reason = await findWhyUnusable(client);
    if (reason !== null) throw new MigrationError(`${reason} Nothing was written.`);
    if (client.isPooled) await requireSessionPooling(client, open);
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Repeats an upgrade that did not get a lock in time or met a deadlock. A statement that waits for a lock blocks everything
 * behind it, so it gives up soon, and the whole upgrade is repeated later.
 */
function retryForLocks<T>(waiting: LockWaiting, work: () => Promise<T>): Promise<T> {
  return withLockPatience(work, waiting, {
    isBusy: (error) => [error, error.cause].some((one) => isLockTimeout(one) || isRetryable(one)),
    late: (error, seconds) =>
      new MigrationError(
        `The upgrade did not get its locks within ${seconds} s. docs/monitoring.md, "Locks", finds the session ` +
          `that holds them. Nothing was changed. (${error.message})`,
        { cause: error },
      ),
    retryMs: lockRetryMs,
  });
}

async function upgrade(
  client: pg.Client,
  managed: ManagedSchema,
  files: SchemaFiles,
  history: SchemaHistory,
): Promise<string[]> {
  await client.query('begin');
  try {
    await client.query(`set local lock_timeout = ${lockWaitMs}`);
    await createBookkeeping(client, managed.schema);
    const pending = files.migrations.filter((migration) => !hasRun(migration, history.migrations));
    for (const migration of pending) await runMigration(client, managed.schema, migration);
    const objects = await applyObjects(client, managed.schema, files);
    await client.query('commit');
    return [...pending.map(({ name }) => name), ...objects];
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/** Sessions that are opened at once: with one alone, a pooler that takes its server connections in turn would look right. */
const others = 3;

const sessionState = `select pg_backend_pid() as pid, current_setting('timezone') as timezone,
  current_setting('lock_timeout') as lock_timeout`;

/**
 * Checks a connection through a pooler: its session must stay in one process of PostgreSQL, and keep its settings, while other
 * sessions run transactions. `open` opens another connection to the same address.
 * @throws MigrationError with what to use instead
 */
async function requireSessionPooling(
  client: SessionClient,
  open: () => Promise<SessionClient>,
): Promise<void> {
  const before = await readSessionState(client);
  const opened: SessionClient[] = [];
  try {
    const pids: number[] = [];
    for (let n = 0; n < others; n += 1) {
      const other = await open();
      opened.push(other);
      await other.query('begin').catch((error: Error) => {
        // A pooler by statement refuses it.
        throw refusal(error);
      });
      pids.push((await readSessionState(other)).pid);
    }
    const after = await readSessionState(client);
    const isKept = JSON.stringify(before) === JSON.stringify(after);
    if (!isKept || pids.includes(before.pid)) throw refusal();
  } finally {
    for (const other of opened) await other.end();
  }
}

async function readSessionState(client: SessionClient): Promise<{ pid: number }> {
  const { rows } = await client.query<{ pid: number }>(sessionState);
  return rows[0] as { pid: number };
}

function refusal(cause?: Error): MigrationError {
  return new MigrationError(
    'The address of the database leads to a connection pooler that does not keep a session in one process of PostgreSQL, ' +
      'or drops its settings (PgBouncer: pool_mode=transaction or statement). Brandport uses session settings, prepared ' +
      'statements and advisory locks: set pool_mode=session for its database, or connect to PostgreSQL directly.',
    { cause },
  );
}
