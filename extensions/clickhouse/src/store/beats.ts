import { setInterval } from 'node:timers/promises';
import { statement } from '../../../../server/src/postgres/statement.ts';
import type { Transaction } from '../../../../server/src/postgres/transaction.ts';

export interface Beats {
  /** Aborted with the reason of the first beat that failed. */
  readonly lost: AbortSignal;
  stop(): Promise<void>;
}

/** Calls `beat` again and again until it fails or the beats are stopped. */
export function startBeats(everyMs: number, beat: () => Promise<void>): Beats {
  const done = new AbortController();
  const lost = new AbortController();
  const beating = (async () => {
    try {
      for await (const _ of setInterval(everyMs, undefined, { signal: done.signal, ref: false }))
        await beat();
    } catch (error) {
      if (!done.signal.aborted) lost.abort(error);
    }
  })();
  return {
    lost: lost.signal,
    stop: () => {
      done.abort();
      return beating;
    },
  };
}

/** Runs work that ends with the beats. @throws the reason of the lost beats, or the error of the work */
export async function untilLost<T>({ lost }: Beats, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  try {
    return await work(lost);
  } catch (error) {
    throw lost.aborted ? lost.reason : error;
  }
}

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
