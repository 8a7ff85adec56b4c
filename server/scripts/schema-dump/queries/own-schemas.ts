/**
 * The condition that a namespace is one of Brandport's own: not PostgreSQL's, nor the one that pg-boss makes and keeps
 * by itself. `alias` is that of `pg_namespace`.
 */
export function isOwnSchema(alias: string): string {
  return `${alias}.nspname !~ '^pg_' and ${alias}.nspname not in ('information_schema', 'pgboss')`;
}
