import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../../postgres/database.ts';
import { sessionIdleMs } from './session.ts';
import { deleteEndedSessions } from './session-store.ts';

const batchRows = 5_000;

/** Deletes the sessions that have ended, and returns their number. The audit keeps when they began and who ended them. */
export async function purgeEndedSessions(database: Database, clock: Clock): Promise<number> {
  const now = clock.now();
  const ended = { now: new Date(now), idleSince: new Date(now - sessionIdleMs) };
  for (let total = 0; ; ) {
    const deleted = await database.transaction((tx) => deleteEndedSessions(tx, ended, batchRows));
    total += deleted;
    if (deleted < batchRows) return total;
  }
}
