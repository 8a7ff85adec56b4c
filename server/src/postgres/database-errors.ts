import pg from 'pg';
import { TurnError } from '../lib/turn-wait.ts';

const deadlockDetected = '40P01';
const serializationFailure = '40001';
const lockNotAvailable = '55P03';
const queryCanceled = '57014';

/** The server that accepted the connection is a standby, or has not finished its recovery: it accepts no writes. */
export class RecoveringError extends Error {
  constructor() {
    super('the database server is in recovery: a standby, or a primary that is not promoted yet');
    this.name = 'RecoveringError';
  }
}

/**
 * The server was reached and no session was opened, for a reason that its operator has to remove: the login, the name of the
 * database, the certificate or the lack of TLS. For a request the database is unavailable; a start fails at once.
 */
export class RefusedConnectionError extends Error {
  constructor(cause: Error) {
    super(cause.message, { cause });
    this.name = 'RefusedConnectionError';
  }
}

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

export type DatabaseTrouble =
  | 'unreachable'
  | 'disk_full'
  | 'read_only'
  | 'out_of_memory'
  /** No connection or turn became free in time. */
  | 'no_turn'
  /** A statement or lock timed out, or another resource is exhausted. */
  | 'overloaded';

/** The troubles that do not affect reads. */
export type WriteTrouble = Extract<DatabaseTrouble, 'disk_full' | 'read_only'>;

const diskFull = '53100';
const outOfMemory = '53200';
/** A standby, or a database that its operator, or its provider because of a full disk, made read-only. */
const readOnlyTransaction = '25006';
/** The operating system's message; some of PostgreSQL's errors about files have no SQLSTATE for it. */
const noSpaceMessage = /No space left on device|Disk quota exceeded/;
const noSpaceCodes = new Set(['ENOSPC', 'EDQUOT']);

/** Returns the trouble behind a failure; null if the failure is the statement's own. */
export function troubleOf(error: unknown): DatabaseTrouble | null {
  if (error instanceof TurnError) return 'no_turn';
  const writeTrouble = writeTroubleOf(error);
  if (writeTrouble !== null) return writeTrouble;
  if (sqlState(error) === outOfMemory) return 'out_of_memory';
  if (isConnectionFailure(error)) return 'unreachable';
  return isOverload(error) ? 'overloaded' : null;
}

/** Returns whether a failure may come from a database that does not respond. A full disk, say, is another trouble. */
export function isDatabaseLost(error: unknown): error is Error {
  const trouble = troubleOf(error);
  return trouble === 'unreachable' || trouble === 'no_turn' || trouble === 'overloaded';
}

export function writeTroubleOf(error: unknown): WriteTrouble | null {
  const state = sqlState(error);
  if (state === readOnlyTransaction) return 'read_only';
  if (state === diskFull) return 'disk_full';
  if (!(error instanceof Error)) return null;
  if (state !== null) return noSpaceMessage.test(error.message) ? 'disk_full' : null;
  return noSpaceCodes.has((error as NodeJS.ErrnoException).code ?? '') ? 'disk_full' : null;
}

export interface LoggableError {
  readonly type: string;
  readonly message: string;
  /** Node's code, or PostgreSQL's SQLSTATE. */
  readonly code?: string;
  readonly queue?: string;
  readonly table?: string;
  readonly column?: string;
  readonly constraint?: string;
  /** Only the frames: the first line of a stack repeats the message. */
  readonly stack?: string;
  readonly cause?: LoggableError;
}

/**
 * The properties of an error that may be logged: a closed list. Others carry client data (PostgreSQL's `detail` has rows, Node's
 * parser error the raw request with its headers, an invalid URL itself).
 */
export function loggableError(error: unknown): LoggableError {
  if (!isErrorLike(error)) return { type: typeof error, message: 'not an Error' };
  const { code, queue, cause } = error;
  const stack = error.stack?.split('\n').filter((line) => /^\s+at /.test(line));
  return {
    type: error instanceof Error ? error.constructor.name : (error.name ?? 'Error'),
    message: withoutValues(error),
    ...(typeof code === 'string' && { code }),
    ...(typeof queue === 'string' && { queue }),
    ...(isOfDatabase(error) && {
      ...(error.table !== undefined && { table: error.table }),
      ...(error.column !== undefined && { column: error.column }),
      ...(error.constraint !== undefined && { constraint: error.constraint }),
    }),
    ...(stack !== undefined && stack.length > 0 && { stack: stack.join('\n') }),
    ...(isErrorLike(cause) && { cause: loggableError(cause) }),
  };
}

/** An Error, or the job queue's plain copy of one: its properties, message and stack. */
interface ErrorLike {
  readonly message: string;
  readonly name?: string;
  readonly stack?: string;
  readonly code?: unknown;
  readonly queue?: unknown;
  readonly severity?: unknown;
  readonly cause?: unknown;
  readonly table?: string;
  readonly column?: string;
  readonly constraint?: string;
}

function isErrorLike(value: unknown): value is ErrorLike {
  if (value instanceof Error) return true;
  if (typeof value !== 'object' || value === null) return false;
  const { message, stack } = value as Partial<ErrorLike>;
  return typeof message === 'string' && typeof stack === 'string';
}

function isOfDatabase(error: ErrorLike): boolean {
  return (
    error instanceof pg.DatabaseError || (!(error instanceof Error) && typeof error.severity === 'string')
  );
}

/** "invalid input syntax for type integer: "…"": data exceptions (class 22) quote the value after a colon. */
function withoutValues(error: ErrorLike): string {
  const { code, message } = error;
  const quotes = isOfDatabase(error) && typeof code === 'string' && code.startsWith('22');
  return quotes ? (message.split(':')[0] as string) : message;
}
