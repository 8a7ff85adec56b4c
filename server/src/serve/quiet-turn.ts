import { setImmediate as nextTurn } from 'node:timers/promises';

const quietMs = 0.1;
const maxTurns = 2_000;

/**
 * Resolves in a turn of the event loop that had nothing to do: all events of the system, such as new connections, were handled
 * a tenth of a millisecond ago. After 2,000 turns it resolves in any.
 */
export async function quietTurn(): Promise<void> {
  for (let turns = 0; turns < maxTurns; turns += 1) {
    const start = performance.now();
    await nextTurn();
    if (performance.now() - start < quietMs) return;
  }
}
