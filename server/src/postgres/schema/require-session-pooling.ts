import type { SessionClient } from '../sessions/session-client.ts';
import { MigrationError } from './schema-file.ts';

/** Sessions that are opened at once: with one alone, a pooler that takes its server connections in turn would look right. */
const others = 3;

const sessionState = `select pg_backend_pid() as pid, current_setting('timezone') as timezone,
  current_setting('lock_timeout') as lock_timeout`;

/**
 * Checks a connection through a pooler: its session must stay in one process of PostgreSQL, and keep its settings, while other
 * sessions run transactions. `open` opens another connection to the same address.
 * @throws MigrationError with what to use instead
 */
export async function requireSessionPooling(
  client: SessionClient,
  open: () => Promise<SessionClient>,
): Promise<void> {
  const before = await stateOf(client);
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
      pids.push((await stateOf(other)).pid);
    }
    const after = await stateOf(client);
    const isKept = JSON.stringify(before) === JSON.stringify(after);
    if (!isKept || pids.includes(before.pid)) throw refusal();
  } finally {
    for (const other of opened) await other.end();
  }
}

async function stateOf(client: SessionClient): Promise<{ pid: number }> {
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
