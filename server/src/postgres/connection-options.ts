import pg, { type ClientConfig } from 'pg';

/** Where a PostgreSQL is: a URL, or the parts that the embedded server hands out (`host` = its socket's directory). */
export type DatabaseAddress =
  | { readonly url: string }
  | {
      readonly host: string;
      readonly port: number;
      readonly user: string;
      readonly password: string;
      readonly database: string;
    };

/**
 * The options that every connection of the server shares. Sessions run in UTC, so that no default of a role or a
 * database can move a day. `int8` arrives as number: no id or sum of Brandport comes near 2^53. Timestamps arrive as
 * `Date`, `numeric` as text (money is turned into a number only on the wire).
 */
export function connectionOptions(address: DatabaseAddress, applicationName: string): ClientConfig {
  return {
    ...('url' in address ? { connectionString: address.url } : address),
    application_name: applicationName,
    options: '-c timezone=UTC',
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    types: { getTypeParser },
  };
}

/** Time limits in milliseconds; 0 = unlimited. */
export interface WaitLimits {
  /** Until a connection is there, new or from the pool. */
  readonly connect: number;
  readonly lock: number;
  readonly statement: number;
  readonly answer: number;
  readonly idleTransaction: number;
}

/** Time limits, in milliseconds, of everything that a request waits for [D31]. */
export const waitLimits = {
  /** A new connection, or one that is free. */
  connect: 5_000,
  /** One short read on the shared connection, behind those that were asked before it. */
  read: 5_000,
  /** A lock that another transaction holds. Brandport's own hold theirs for milliseconds. */
  lock: 10_000,
  /** One statement. The slowest that a request needs take a few seconds, with the largest bodies on a slow disk. */
  statement: 20_000,
  /** Client side, a little longer: the server did not even answer that the statement took too long. */
  answer: 22_000,
  /** A transaction in which nothing is asked: its process hangs or is cut off, and others wait for its locks. */
  idleTransaction: 30_000,
} as const;

/**
 * The options of the connections that serve requests. Every wait is bounded, so that no client hangs for minutes
 * however the database does: away, frozen, cut off without a word, or blocked by a lock that somebody forgot. Most HTTP
 * clients and load balancers give up after 30 s or more; the bounds are below that, and the answer is a 503 that may be
 * retried. `plannerSettings` are for connections that serve one kind of statement.
 */
export function requestConnectionOptions(
  address: DatabaseAddress,
  applicationName: string,
  limits: WaitLimits = waitLimits,
  plannerSettings: Readonly<Record<string, string>> = {},
): ClientConfig {
  const shared = connectionOptions(address, applicationName);
  const settings = {
    statement_timeout: limits.statement,
    lock_timeout: limits.lock,
    idle_in_transaction_session_timeout: limits.idleTransaction,
    ...plannerSettings,
  };
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  return {
    ...shared,
    options: [shared.options, ...options].join(' '),
    connectionTimeoutMillis: limits.connect,
    query_timeout: limits.answer,
  };
}

/** The options for requests, with the shorter limit of short reads. */
export function readConnectionOptions(address: DatabaseAddress, applicationName: string): ClientConfig {
  return { ...requestConnectionOptions(address, applicationName), query_timeout: waitLimits.read };
}

const int8 = 20;
const timestamptz = 1184;
const usualTimestamptz = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?\+00$/;
const parseAnyTimestamptz = pg.types.getTypeParser(timestamptz);

/**
 * A timestamp of a session in UTC, by the engine's own parser of ISO dates: the driver's takes three times as long, which a list
 * of 50 with its 150 timestamps notices. What looks unusual (infinity, years before 0 or after 9999) is left to the driver.
 */
function parseTimestamptz(text: string): unknown {
  return usualTimestamptz.test(text)
    ? new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`)
    : parseAnyTimestamptz(text);
}

// biome-ignore lint/suspicious/noExplicitAny: the signature is pg's own.
function getTypeParser(oid: number, format?: any): any {
  if (oid === int8 && format !== 'binary') return Number;
  if (oid === timestamptz && format !== 'binary') return parseTimestamptz;
  return pg.types.getTypeParser(oid, format);
}
