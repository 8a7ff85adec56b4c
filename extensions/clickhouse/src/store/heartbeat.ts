import { statement } from '../../../../server/src/postgres/statement.ts';
import type { Transaction } from '../../../../server/src/postgres/transaction.ts';
import { startBeats, untilLost } from './beats.ts';

const beatMs = 10_000;

/**
 * Runs work in ClickHouse for a transaction that holds a lock and would otherwise be idle: PostgreSQL ends idle transactions, and
 * nothing else would notice that the lock is lost. The work is aborted then.
 * @throws the reason of the lost transaction
 */
export async function withHeartbeat<T>(
  tx: Transaction,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const beats = startBeats(beatMs, async () => {
    await tx.run(statement<never>('heartbeat', 'select 1', []));
  });
  return untilLost(beats, work).finally(() => beats.stop());
}
