import pg from 'pg';
import { TurnError } from '../lib/limit-wait.ts';
import { RecoveringError, RefusedConnectionError } from './sessions/session-client.ts';

const deadlockDetected = '40P01';
const serializationFailure = '40001';
const lockNotAvailable = '55P03';
const queryCanceled = '57014';

/** Returns whether running the same transaction again may succeed. */
export function isRetryable(error: unknown): boolean {
  const code = sqlState(error);
  return code === deadlockDetected || code === serializationFailure;
}

/** Returns whether a lock was not granted within `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return sqlState(error) === lockNotAvailable;
}

/** Returns whether PostgreSQL ended a statement that ran longer than `statement_timeout`. */
export function isStatementTimeout(error: unknown): boolean {
  return sqlState(error) === queryCanceled;
}

/** Returns whether PostgreSQL refused the values of a statement, by their form or by a constraint. */
export function isInvalidData(error: unknown): boolean {
  return /^2[23]/.test(sqlState(error) ?? '');
}

/** The five-character SQLSTATE; null if the error is not PostgreSQL's. */
export function sqlState(error: unknown): string | null {
  return error instanceof pg.DatabaseError ? (error.code ?? null) : null;
}

/** The name of the constraint that a statement violated, or null. */
export function brokenConstraint(error: unknown): string | null {
  return error instanceof pg.DatabaseError ? (error.constraint ?? null) : null;
}

// Node's codes for a broken socket, and the messages of pg, which have no code, for a lost connection.
const socketCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'ECONNABORTED',
  'EAI_AGAIN',
]);
const connectionMessage =
  /connection (terminated|ended|timeout|error)|client (was closed|has encountered)|not queryable/i;
const timeoutMessage =
  /timeout (expired|exceeded)|timeout when (trying to connect|connecting)|query read timeout|due to connection timeout/i;

/**
 * Returns whether the database was unreachable or the connection was lost, as opposed to a rejected statement. Class 08 is
 * "connection exception", 57P01 to 57P03 are shutdown and start-up, 57P05 ends an idle session, 25P03 an idle transaction, 53300
 * is "too many connections". A server in recovery, or one that refuses the login or the certificate, counts as unreachable.
 */
export function isConnectionFailure(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== null) return state.startsWith('08') || /^57P0[1235]$|^25P03$|^53300$/.test(state);
  if (error instanceof RecoveringError || error instanceof RefusedConnectionError) return true;
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  if (code !== undefined && socketCodes.has(code)) return true;
  return connectionMessage.test(error.message) || isAnswerTimeout(error);
}

/**
 * Returns whether the server or the socket reported the loss of a working connection. Excludes sessions that the server ended
 * as idle for too long (25P03) and responses that timed out: a repetition would take as long again.
 */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof RefusedConnectionError || isAnswerTimeout(error)) return false;
  return isConnectionFailure(error) && !/^(25P03|53300)$/.test(sqlState(error) ?? '');
}

/** Returns whether a connection attempt or a statement timed out: the database may hang. */
export function isAnswerTimeout(error: unknown): boolean {
  return sqlState(error) === null && error instanceof Error && timeoutMessage.test(error.message);
}

/** Returns whether the database is out of resources (class 53), a statement or lock timed out, or no connection was free. */
export function isOverload(error: unknown): boolean {
  if (error instanceof TurnError) return true;
  const state = sqlState(error);
  return state !== null && (state.startsWith('53') || state === lockNotAvailable || state === queryCanceled);
}
