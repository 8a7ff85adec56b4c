import pg from 'pg';
import { TurnError } from './turn-error.ts';

const deadlockDetected = '40P01';
const serializationFailure = '40001';
const lockNotAvailable = '55P03';
const queryCanceled = '57014';

/** Whether running the same transaction again may succeed. */
export function isRetryable(error: unknown): boolean {
  const code = sqlState(error);
  return code === deadlockDetected || code === serializationFailure;
}

/** Whether a lock was not granted within `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return sqlState(error) === lockNotAvailable;
}

/** Whether PostgreSQL ended a statement that ran longer than `statement_timeout`. */
export function isStatementTimeout(error: unknown): boolean {
  return sqlState(error) === queryCanceled;
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
  /connection (terminated|ended|timeout|error)|client (was closed|has encountered)|not queryable/i;
const timeoutMessage =
  /timeout (expired|exceeded)|timeout when (trying to connect|connecting)|query read timeout/i;

/**
 * Whether the database could not be reached or the connection to it was lost (as opposed to a statement that it
 * refused). Class 08 is "connection exception", 57P01 to 57P03 are shutdown and start-up, 25P03 ends a session that
 * held its transaction open for too long, 53300 is "too many connections".
 */
export function isConnectionFailure(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== null) return state.startsWith('08') || /^57P0[123]$|^25P03$|^53300$/.test(state);
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  if (code !== undefined && socketCodes.has(code)) return true;
  return connectionMessage.test(error.message) || isAnswerTimeout(error);
}

/**
 * Whether a connection that worked is gone, by the word of the server or of the socket. Not a session that the server
 * ended because nothing was asked for too long (25P03), nor an answer that did not come in time: both would only take as
 * long again.
 */
export function isConnectionLost(error: unknown): boolean {
  return (
    isConnectionFailure(error) && !isAnswerTimeout(error) && !/^(25P03|53300)$/.test(sqlState(error) ?? '')
  );
}

/** Whether the database did not answer in time, to a connection or to a statement: it may just hang. */
export function isAnswerTimeout(error: unknown): boolean {
  return sqlState(error) === null && error instanceof Error && timeoutMessage.test(error.message);
}

/**
 * Whether the database answered that it cannot do this now: out of resources (class 53), or a statement over its time
 * or that of a lock (connection options); or there was no connection to ask it on. The same request may succeed later.
 */
export function isOverload(error: unknown): boolean {
  if (error instanceof TurnError) return true;
  const state = sqlState(error);
  return state !== null && (state.startsWith('53') || state === lockNotAvailable || state === queryCanceled);
}
