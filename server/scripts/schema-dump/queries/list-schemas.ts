import type { Database } from '../../../src/postgres/database.ts';
import { statement } from '../../../src/postgres/statement.ts';

export interface SchemaRow {
  readonly name: string;
  readonly comment: string | null;
}

/** Lists Brandport's schemas except `public`, which every database has. */
export function listSchemas(database: Database): Promise<SchemaRow[]> {
  return database.run(
    statement<SchemaRow>(
      'list_schemas',
      `select quote_ident(n.nspname) as name, obj_description(n.oid, 'pg_namespace') as comment
       from pg_namespace n
       where ${isOwnSchema('n')} and n.nspname <> 'public'
       order by n.nspname`,
      [],
      { long: true },
    ),
  );
}

/**
 * Returns the condition that a namespace belongs to Brandport, not to PostgreSQL or pg-boss. `alias` is that
 * of `pg_namespace`.
 */
export function isOwnSchema(alias: string): string {
  return `${alias}.nspname !~ '^pg_' and ${alias}.nspname not in ('information_schema', 'pgboss')`;
}
