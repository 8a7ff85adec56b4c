import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../../postgres/database.ts';
import { deleteExpiredSignIns } from './sign-in-store.ts';

const batchRows = 5_000;

/** Deletes the single sign-ons that were begun and not finished in time, and returns their number. */
export async function purgeExpiredSignIns(database: Database, clock: Clock): Promise<number> {
  const now = new Date(clock.now());
  for (let total = 0; ; ) {
    const deleted = await database.transaction((tx) => deleteExpiredSignIns(tx, now, batchRows));
    total += deleted;
    if (deleted < batchRows) return total;
  }
}
