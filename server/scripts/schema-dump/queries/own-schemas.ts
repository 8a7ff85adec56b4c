/**
 * Returns the condition that a namespace belongs to Brandport, not to PostgreSQL or pg-boss. `alias` is that
 * of `pg_namespace`.
 */
export function isOwnSchema(alias: string): string {
  return `${alias}.nspname !~ '^pg_' and ${alias}.nspname not in ('information_schema', 'pgboss')`;
}
