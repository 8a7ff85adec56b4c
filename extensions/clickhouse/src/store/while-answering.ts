import { setInterval } from 'node:timers/promises';
import { StoreTrouble } from '../../../../server/src/analytics/store/store-trouble.ts';

const beatMs = 5_000;
/** Consecutive pings without an answer after which the server counts as frozen: a busy one may miss one. */
const missedPings = 2;

/** ClickHouse keeps its connections open and answers nothing. */
class ClickHouseFrozen extends StoreTrouble {
  constructor() {
    super(`ClickHouse has not answered for ${(beatMs * (missedPings + 1)) / 1_000} seconds`, true);
  }
}

/**
 * Runs a statement that may take hours, and aborts it when the server no longer answers: only pings distinguish a long statement
 * from a frozen server. `ping` resolves to false after `beatMs` at most.
 * @throws ClickHouseFrozen
 */
export async function whileAnswering<T>(
  ping: (limitMs: number) => Promise<boolean>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const done = new AbortController();
  const frozen = new AbortController();
  const pinging = (async () => {
    try {
      let missed = 0;
      for await (const _ of setInterval(beatMs, undefined, { signal: done.signal, ref: false })) {
        missed = (await ping(beatMs)) ? 0 : missed + 1;
        if (missed === missedPings) return frozen.abort(new ClickHouseFrozen());
      }
    } catch {
      // The statement has ended.
    }
  })();
  try {
    return await work(frozen.signal);
  } catch (error) {
    throw frozen.signal.aborted ? frozen.signal.reason : error;
  } finally {
    done.abort();
    void pinging;
  }
}
