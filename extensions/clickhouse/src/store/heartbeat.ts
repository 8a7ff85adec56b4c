import { setInterval } from 'node:timers/promises';
import { statement } from '../../../../server/src/postgres/statement.ts';
import type { Transaction } from '../../../../server/src/postgres/transaction.ts';

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
  const done = new AbortController();
  const lost = new AbortController();
  const beating = (async () => {
    try {
      for await (const _ of setInterval(beatMs, undefined, { signal: done.signal, ref: false }))
        await tx.run(statement<never>('heartbeat', 'select 1', []));
    } catch (error) {
      if (!done.signal.aborted) lost.abort(error);
    }
  })();
  try {
    return await work(lost.signal);
  } catch (error) {
    throw lost.signal.aborted ? lost.signal.reason : error;
  } finally {
    done.abort();
    await beating;
  }
}
