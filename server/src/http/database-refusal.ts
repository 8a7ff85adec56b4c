import { ApiError } from '../errors/api-error.ts';
import type { DatabaseTrouble } from '../postgres/database-trouble.ts';

interface Refusal {
  /** What the client is told. */
  readonly message?: string;
  /** What the log says. */
  readonly line: string;
  readonly retryAfterSeconds: number;
}

const refusals: Readonly<Record<DatabaseTrouble, Refusal>> = {
  unreachable: { line: 'the database cannot be reached', retryAfterSeconds: 5 },
  disk_full: {
    message: 'The disk of the service’s database is full. Nothing can be written until there is space again.',
    line: 'the disk of the database is full',
    retryAfterSeconds: 30,
  },
  read_only: {
    message: 'The service’s database is read-only right now. Nothing can be written.',
    line: 'the database is read-only',
    retryAfterSeconds: 30,
  },
  out_of_memory: {
    message: 'The service’s database is out of memory right now.',
    line: 'the database is out of memory',
    retryAfterSeconds: 5,
  },
  no_turn: {
    message: 'Too many requests are waiting for the service’s database right now.',
    line: 'no connection or turn was free in time',
    retryAfterSeconds: 5,
  },
  overloaded: {
    message: 'The service’s database is overloaded right now.',
    line: 'the database is overloaded',
    retryAfterSeconds: 5,
  },
};

/** The 503 for a database that cannot do what a request needs; it names a full disk [platform-21]. */
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
