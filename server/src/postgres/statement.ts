import pg from 'pg';

/** One SQL statement with its values. `name` makes it a prepared statement, so the same name must always have the same text. */
export interface Statement<Row> {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
  /** True if it may take more than a few milliseconds. If so, it runs on a separate connection outside of transactions. */
  readonly long?: boolean;
  /** True for the reads with which every request begins: that of its credential. They and probes have a separate connection. */
  readonly vital?: boolean;
  /** Never set; carries the type of a result row. */
  readonly row?: Row;
}

export function statement<Row>(
  name: string,
  text: string,
  values: readonly unknown[] = [],
  options: { readonly long?: boolean; readonly vital?: boolean } = {},
): Statement<Row> {
  return { name, text, values, ...options };
}

/** The SQL of a timestamp and of the digits after its milliseconds as one timestamp. */
export function withMicrosSql(at: string, micros: string): string {
  return `${at} + ${micros} * interval '1 microsecond'`;
}

/** The SQL of a timestamp as a `SourceTime`. */
export function sourceTimeSql(sql: string): string {
  return `to_char((${sql}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}

/** SQL that ends later waits of the transaction for a lock after 50 ms: a column of a statement, which saves a separate one. */
export const briefLockWaits = `set_config('lock_timeout', '50ms', true)`;

type Sent = (error: Error | null, result: pg.QueryResult) => void;

/**
 * Sends a statement on a connection and calls `sent` once, with its error or its result. The driver copies a query's
 * configuration with its property descriptors, but not a string: that copy was 4 % of a point read in this process.
 */
export function sendStatement(
  client: pg.ClientBase,
  { name, text, values }: Statement<unknown>,
  sent: Sent,
): void {
  const query = new pg.Query(text, values as unknown[], sent as ConstructorParameters<typeof pg.Query>[2]);
  client.query(Object.assign(query, { name }));
}
