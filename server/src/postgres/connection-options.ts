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

const int8 = 20;

// biome-ignore lint/suspicious/noExplicitAny: the signature is pg's own.
function getTypeParser(oid: number, format?: any): any {
  if (oid === int8 && format !== 'binary') return Number;
  return pg.types.getTypeParser(oid, format);
}
