import pg from 'pg';

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
