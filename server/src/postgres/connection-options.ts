import pg from 'pg';
import { isUrl } from '../lib/addresses.ts';
import { parseJsonValue } from './large-json.ts';
import type { SessionConfig } from './sessions/session-client.ts';

/** A PostgreSQL: a URL, or the embedded one (`host`: its socket's directory). */
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
 * The settings on which the meaning of statements and results depends. Every session sets them, so that no default of a role, a
 * database or `postgresql.conf` counts [D184].
 */
const meaningSettings = {
  timezone: 'UTC',
  datestyle: 'ISO',
  intervalstyle: 'postgres',
  bytea_output: 'hex',
  // Numbers with all their digits.
  extra_float_digits: '1',
  array_nulls: 'on',
  standard_conforming_strings: 'on',
  transform_null_equals: 'off',
  // No index leaves out rows.
  gin_fuzzy_search_limit: '0',
  search_path: 'public',
  // Policies that apply to our role are errors: they would hide rows.
  row_security: 'off',
  default_transaction_read_only: 'off',
  default_transaction_isolation: 'read committed',
  default_transaction_deferrable: 'off',
  exit_on_error: 'off',
};

/**
 * The options that every connection of the server shares. `int8` is parsed to a number, because no id or sum comes near 2^53, and
 * `numeric` to a string (prices become numbers only on the wire).
 */
export function connectionOptions(address: DatabaseAddress, applicationName: string): SessionConfig {
  return {
    ...('url' in address ? { connectionString: withExactMode(address.url) } : address),
    application_name: applicationName,
    session: { settings: meaningSettings },
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    types: { getTypeParser },
  };
}

/** `pg` takes these modes of libpq as `verify-full`, and warns in eight lines that a later version will not. */
function withExactMode(url: string): string {
  if (/[?&]uselibpqcompat=/.test(url)) return url;
  return url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full');
}

export function withSettings(
  config: SessionConfig,
  settings: Readonly<Record<string, string>>,
): SessionConfig {
  return { ...config, session: { ...config.session, settings: { ...config.session.settings, ...settings } } };
}

/** Time limits in milliseconds; 0 = unlimited. */
export interface WaitLimits {
  /** For a connection, new or from the pool. */
  readonly connect: number;
  readonly lock: number;
  readonly statement: number;
  readonly answer: number;
  readonly idleTransaction: number;
}

/** Time limits, in milliseconds, of everything that a request waits for [D31]. */
export const waitLimits = {
  /** For a new or free connection. */
  connect: 5_000,
  /** For a short read on the shared connection, including the reads ahead of it. */
  read: 5_000,
  /** For a lock that another transaction holds. Brandport's own transactions hold locks for milliseconds. */
  lock: 10_000,
  /** For one statement. The slowest ones take a few seconds: the largest bodies on a slow disk. */
  statement: 20_000,
  /** For the response, on the client side: a little longer, for a server that does not even report the statement timeout. */
  answer: 22_000,
  /** For an idle transaction: its process hangs or is disconnected, and others wait for its locks. */
  idleTransaction: 30_000,
} as const;

/**
 * The options of the connections that serve requests. Every wait is bounded: most HTTP clients and load balancers give up after
 * 30 s or more; the limits are below that, and the response is a retryable 503. `plannerSettings` are for connections that serve
 * one kind of statement.
 */
export function requestConnectionOptions(
  address: DatabaseAddress,
  applicationName: string,
  limits: WaitLimits = waitLimits,
  plannerSettings: Readonly<Record<string, string>> = {},
): SessionConfig {
  const shared = connectionOptions(address, applicationName);
  const settings = {
    statement_timeout: String(limits.statement),
    lock_timeout: String(limits.lock),
    idle_in_transaction_session_timeout: String(limits.idleTransaction),
    ...plannerSettings,
  };
  return {
    ...withSettings(shared, settings),
    connectionTimeoutMillis: limits.connect,
    query_timeout: limits.answer,
  };
}

/** The options of the connections of short reads, which limit the wait for each of them. */
export function readConnectionOptions(address: DatabaseAddress, applicationName: string): SessionConfig {
  return { ...readingLargeJson(requestConnectionOptions(address, applicationName)), query_timeout: 0 };
}

/** Leaves large JSON values to `completeRows`: for connections whose rows go through it. */
export function readingLargeJson(config: SessionConfig): SessionConfig {
  // biome-ignore lint/suspicious/noExplicitAny: the signature is pg's own.
  const parserOf = (oid: number, format?: any): any =>
    jsonTypes.has(oid) && format !== 'binary' ? parseJsonValue : getTypeParser(oid, format);
  return { ...config, types: { getTypeParser: parserOf } };
}

const jsonTypes: ReadonlySet<number> = new Set([114, 3802]);
const int8 = 20;
const timestamptz = 1184;
const usualTimestamptz = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?\+00$/;
const parseAnyTimestamptz = pg.types.getTypeParser(timestamptz);

/** Parses a timestamp as an ISO date, in a third of the time of the driver, which unusual values are left to. */
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

/** Completes "DATABASE_URL must be" and "The target must be". */
export const databaseUrlForm =
  'a URL that starts with postgres:// or postgresql:// and has one host (in front of several servers, the address of HAProxy ' +
  'or PgBouncer)';

const form = /^postgres(?:ql)?:\/\/(?:[^/?#@]*@)?([^/?#]*)/;

/** Returns whether `pg` understands a URL. Lists of hosts, which libpq has, are none: `pg` would look up their text as a name. */
export function isDatabaseUrl(text: string): boolean {
  const [, authority] = form.exec(text) ?? [];
  if (authority === undefined || authority.includes(',') || !isUrl(text)) return false;
  const parameters = new URL(text).searchParams;
  return !['host', 'port'].some((name) => parameters.get(name)?.includes(','));
}
