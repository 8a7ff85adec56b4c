import { ClickHouseFrozen } from './while-answering.ts';

/**
 * ClickHouse's error codes that mean "unavailable": too slow or cancelled (159, 160, 394), too many queries (202), the network
 * (209, 210), out of memory or space (241, 243), read-only replicas (242, 164), too many parts (252), replicas and quorum (285,
 * 286, 289, 319), Keeper (225, 999). The last ones mean "not prepared yet": no such table or database, or a user who may not.
 */
const awayCodes: ReadonlySet<string> = new Set(
  [
    159, 160, 394, 202, 209, 210, 241, 243, 242, 164, 252, 285, 286, 289, 319, 225, 999, 60, 81, 192, 193,
    194, 516,
  ].map(String),
);

/** The messages of the client and of Node's HTTP, which have no code of ClickHouse. */
const awayMessage = /^Timeout error|socket hang up|aborted|other side closed/i;

/**
 * Returns the number of ClickHouse's error as a string; null if the error is not ClickHouse's. Recognised by what it has: its
 * name is `Error`, and its class would load the client.
 */
function clickHouseCode(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { code, type } = error as { code?: unknown; type?: unknown };
  return typeof code === 'string' && /^\d+$/.test(code) && typeof type === 'string' ? code : null;
}

/** Returns whether ClickHouse has refused a request, with any of its errors. */
export function isClickHouseError(error: unknown): boolean {
  return clickHouseCode(error) !== null;
}

/** Returns whether ClickHouse is unavailable, out of time or resources, or has no tables yet. */
export function isClickHouseAway(error: unknown): boolean {
  if (error instanceof ClickHouseFrozen) return true;
  const code = clickHouseCode(error);
  if (code !== null) return awayCodes.has(code);
  return error instanceof Error && awayMessage.test(error.message);
}

/** Returns whether ClickHouse or its client gave up on a statement after its time limit. */
export function isClickHouseTimeout(error: unknown): boolean {
  return clickHouseCode(error) === '159' || (error instanceof Error && /^Timeout error/.test(error.message));
}
