import pg from 'pg';

const deadlockDetected = '40P01';
const serializationFailure = '40001';

/** Whether running the same transaction again may succeed. */
export function isRetryable(error: unknown): boolean {
  const code = sqlState(error);
  return code === deadlockDetected || code === serializationFailure;
}

/** The five-character SQLSTATE, or null when the error is not one of PostgreSQL's. */
export function sqlState(error: unknown): string | null {
  return error instanceof pg.DatabaseError ? (error.code ?? null) : null;
}

/** The name of the constraint that a statement broke, or null. */
export function brokenConstraint(error: unknown): string | null {
  return error instanceof pg.DatabaseError ? (error.constraint ?? null) : null;
}

// What Node says about a socket, and what pg says (as plain text, without a code) when a connection is gone.
const socketCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'EAI_AGAIN',
]);
const connectionMessage =
  /connection (terminated|ended|timeout|error)|timeout (exceeded )?when (trying to connect|connecting)|client (was closed|has encountered)|not queryable/i;

/**
 * Whether the database could not be reached or the connection to it was lost (as opposed to a statement that it
 * refused). Class 08 is "connection exception", 57P01 to 57P03 are shutdown and start-up, 53300 is "too many
 * connections".
 */
export function isConnectionFailure(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== null) return state.startsWith('08') || /^57P0[123]$/.test(state) || state === '53300';
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  if (code !== undefined && socketCodes.has(code)) return true;
  return connectionMessage.test(error.message);
}
