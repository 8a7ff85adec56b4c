import { StoreTrouble } from '../../../../server/src/analytics/store/access.ts';
import { isConnectionFailure } from '../../../../server/src/postgres/database-errors.ts';

const named = 'ClickHouse (BRANDPORT_CLICKHOUSE_URL)';

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

/** Returns the number of ClickHouse's error as a string; null for others. Its name is only `Error`. */
function clickHouseCode(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { code, type } = error as { code?: unknown; type?: unknown };
  return typeof code === 'string' && /^\d+$/.test(code) && typeof type === 'string' ? code : null;
}

/** Returns the trouble that an error of the client means; other errors, such as those of sockets, unchanged. */
export function troubleFrom(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StoreTrouble || isConnectionFailure(error)) return error;
  const code = clickHouseCode(error);
  if (code !== null)
    return new StoreTrouble(`${named} refused a statement: ${error.message}`, awayCodes.has(code), error);
  if (awayMessage.test(error.message))
    return new StoreTrouble(`${named} did not answer: ${error.message}`, true, error);
  return error;
}

/** Returns whether ClickHouse or its client gave up on a statement after its time limit. */
export function isClickHouseTimeout(error: unknown): boolean {
  const { cause } = error as { cause?: unknown };
  return clickHouseCode(cause) === '159' || (cause instanceof Error && /^Timeout error/.test(cause.message));
}
