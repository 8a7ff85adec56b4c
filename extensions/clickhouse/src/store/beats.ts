import { setInterval } from 'node:timers/promises';
import { StoreTrouble } from '../../../../server/src/analytics/store/access.ts';
import { statement } from '../../../../server/src/postgres/statement.ts';
import type { Transaction } from '../../../../server/src/postgres/transaction.ts';

interface Beats {
  /** Aborted with the reason of the first beat that failed. */
  readonly lost: AbortSignal;
  stop(): Promise<void>;
}

/** Calls `beat` again and again until it fails or the beats are stopped. */
function startBeats(everyMs: number, beat: () => Promise<void>): Beats {
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
async function untilLost<T>({ lost }: Beats, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
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

const pingMs = 5_000;
/** Consecutive pings without an answer after which the server counts as frozen: a busy one may miss one. */
const missedPings = 2;

/** ClickHouse keeps its connections open and answers nothing. */
class ClickHouseFrozen extends StoreTrouble {
  constructor() {
    super(`ClickHouse has not answered for ${(pingMs * (missedPings + 1)) / 1_000} seconds`, true);
  }
}

/**
 * Runs a statement that may take hours, and aborts it when the server no longer answers: only pings distinguish a long statement
 * from a frozen server. `ping` resolves to false after `pingMs` at most.
 * @throws ClickHouseFrozen
 */
export async function whileAnswering<T>(
  ping: (limitMs: number) => Promise<boolean>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  let missed = 0;
  const pings = startBeats(pingMs, async () => {
    missed = (await ping(pingMs)) ? 0 : missed + 1;
    if (missed === missedPings) throw new ClickHouseFrozen();
  });
  // The last ping is not waited for: a frozen server does not answer it either.
  return untilLost(pings, work).finally(() => void pings.stop());
}
