/** The SQL of a timestamp and of the digits after its milliseconds as one timestamp. */
export function withMicrosSql(at: string, micros: string): string {
  return `${at} + ${micros} * interval '1 microsecond'`;
}

/** The SQL of a timestamp as a `SourceTime`. */
export function sourceTimeSql(sql: string): string {
  return `to_char((${sql}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}
