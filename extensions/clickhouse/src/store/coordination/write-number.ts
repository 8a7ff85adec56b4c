/**
 * An SQL expression for the number of a batch or generation: milliseconds since 2025 and 13 bits of the transaction's id, so
 * that two transactions never have the same, later ones have greater ones, and the number tells its age. Fits a JavaScript
 * number until 2059.
 */
export const writeNumber = (at = 'clock_timestamp()') =>
  `((floor(extract(epoch from ${at}) * 1000)::bigint - 1735689600000) * 8192 + pg_current_xact_id()::text::bigint % 8192)`;
