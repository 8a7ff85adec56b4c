import { StoreTrouble } from '../../../../server/src/analytics/store/access.ts';
import { startBeats, untilLost } from './beats.ts';

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
  let missed = 0;
  const pings = startBeats(beatMs, async () => {
    missed = (await ping(beatMs)) ? 0 : missed + 1;
    if (missed === missedPings) throw new ClickHouseFrozen();
  });
  // The last ping is not waited for: a frozen server does not answer it either.
  return untilLost(pings, work).finally(() => void pings.stop());
}
