import type { Log } from '../lib/log.ts';

/** Returns a function that logs whose lock a start waits for. */
export function lockReport(log: Log): (holders: string) => void {
  return (holders) => log('warn', `waiting for a lock that is held by ${holders}`);
}
