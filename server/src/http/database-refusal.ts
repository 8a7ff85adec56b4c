import { ApiError } from '../errors/api-error.ts';
import type { DatabaseTrouble } from '../postgres/database-trouble.ts';

interface Refusal {
  /** The message for the client. */
  readonly message?: string;
  /** The log line. */
  readonly line: string;
  readonly retryAfterSeconds: number;
}

const refusals: Readonly<Record<DatabaseTrouble, Refusal>> = {
  unreachable: { line: 'database unreachable', retryAfterSeconds: 5 },
  disk_full: {
    message: 'The database’s disk is full. Writes are rejected until space is available.',
    line: 'database disk full',
    retryAfterSeconds: 30,
  },
  read_only: {
    message: 'The database is currently read-only. Writes are rejected.',
    line: 'database read-only',
    retryAfterSeconds: 30,
  },
  out_of_memory: {
    message: 'The database is currently out of memory.',
    line: 'database out of memory',
    retryAfterSeconds: 5,
  },
  no_turn: {
    message: 'Too many requests are waiting for the database.',
    line: 'timed out waiting for a connection or turn',
    retryAfterSeconds: 5,
  },
  overloaded: {
    message: 'The database is currently overloaded.',
    line: 'database overloaded',
    retryAfterSeconds: 5,
  },
};

/** Returns the 503 for a database trouble; it names a full disk [platform-21]. */
export function databaseRefusal(trouble: DatabaseTrouble): ApiError {
  const { message, retryAfterSeconds } = refusals[trouble];
  return new ApiError('service_unavailable', {
    ...(message !== undefined && { message }),
    headers: { 'retry-after': String(retryAfterSeconds) },
  });
}

export function refusalLine(trouble: DatabaseTrouble): string {
  return refusals[trouble].line;
}
