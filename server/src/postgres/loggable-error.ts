import pg from 'pg';

export interface LoggableError {
  readonly type: string;
  readonly message: string;
  /** Node's code, or PostgreSQL's SQLSTATE. */
  readonly code?: string;
  /** Of a failed statement. */
  readonly table?: string;
  readonly column?: string;
  readonly constraint?: string;
  /** The frames alone: the first line of a stack repeats the message. */
  readonly stack?: string;
  readonly cause?: LoggableError;
}

/**
 * What a log may show of an error: a closed list of properties. Errors carry what clients sent in properties of their
 * own (PostgreSQL's `detail` holds rows, Node's parser error the raw request with its headers, an invalid URL itself),
 * and none of that belongs into a log.
 */
export function loggableError(error: unknown): LoggableError {
  if (!(error instanceof Error)) return { type: typeof error, message: 'not an Error' };
  const { code } = error as NodeJS.ErrnoException;
  const stack = error.stack?.split('\n').filter((line) => /^\s+at /.test(line));
  return {
    type: error.constructor.name,
    message: error instanceof pg.DatabaseError ? withoutValues(error) : error.message,
    ...(typeof code === 'string' && { code }),
    ...(error instanceof pg.DatabaseError && {
      ...(error.table !== undefined && { table: error.table }),
      ...(error.column !== undefined && { column: error.column }),
      ...(error.constraint !== undefined && { constraint: error.constraint }),
    }),
    ...(stack !== undefined && stack.length > 0 && { stack: stack.join('\n') }),
    ...(error.cause instanceof Error && { cause: loggableError(error.cause) }),
  };
}

/** "invalid input syntax for type integer: "…"": data exceptions (class 22) quote the value after a colon. */
function withoutValues({ code, message }: pg.DatabaseError): string {
  return code?.startsWith('22') ? (message.split(':')[0] as string) : message;
}
