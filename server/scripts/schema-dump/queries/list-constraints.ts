import type { Database } from '../../../src/postgres/database.ts';
import { statement } from '../../../src/postgres/statement.ts';
import { isOwnSchema } from './own-schemas.ts';

export interface ConstraintRow {
  readonly relationOid: number;
  readonly name: string;
  /** The text after the name, such as `CHECK (…)`. */
  readonly definition: string;
}

/**
 * Lists the constraints of all tables: keys first, then foreign keys, then checks. Omits NOT NULL, which is
 * part of the columns, and constraints that partitions inherit.
 */
export function listConstraints(database: Database): Promise<ConstraintRow[]> {
  return database.run(
    statement<ConstraintRow>(
      'list_constraints',
      `select o.conrelid as "relationOid", quote_ident(o.conname) as name, pg_get_constraintdef(o.oid, true) as definition
       from pg_constraint o
       join pg_namespace n on n.oid = o.connamespace
       where ${isOwnSchema('n')} and o.conrelid <> 0 and o.contype in ('p', 'u', 'x', 'f', 'c') and o.conislocal
         and o.conparentid = 0
       order by o.conrelid, position(o.contype::text in 'puxfc'), o.oid`,
      [],
      { long: true },
    ),
  );
}
