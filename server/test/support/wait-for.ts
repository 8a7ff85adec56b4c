import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits until `condition` returns a truthy value and returns it. A condition that throws counts as not yet true.
 * @throws Error with `what` and the last failure, after `limitMs`
 */
export async function waitFor<T>(
  what: string,
  condition: () => Promise<T> | T,
  limitMs = 20_000,
): Promise<NonNullable<T>> {
  let failure: unknown;
  for (const deadline = Date.now() + limitMs; ; await sleep(10)) {
    try {
      const value = await condition();
      if (value) return value;
      failure = undefined;
    } catch (error) {
      failure = error;
    }
    if (Date.now() > deadline)
      throw new Error(`after ${limitMs} ms still waiting for: ${what}`, { cause: failure });
  }
}
