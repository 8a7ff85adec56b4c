import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../../postgres/database.ts';
import { retentionMs } from './idempotency-key.ts';
import { purgeIdempotencyRecords } from './idempotency-store.ts';

const bite = 5_000;

/**
 * Deletes the records that are older than 24 hours, and returns their number. Processes may run this concurrently; an
 * expired record that is not deleted yet counts as absent everywhere.
 */
export async function purgeExpiredIdempotencyRecords(database: Database, clock: Clock): Promise<number> {
  const notAfter = new Date(clock.now() - retentionMs);
  for (let total = 0; ; ) {
    const purged = await database.transaction((tx) => purgeIdempotencyRecords(tx, notAfter, bite));
    total += purged;
    if (purged < bite) return total;
  }
}
