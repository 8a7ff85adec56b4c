import type { Database } from '../../../src/postgres/database.ts';
import { statement } from '../../../src/postgres/statement.ts';
import { isOwnSchema } from './own-schemas.ts';

export interface ConstraintRow {
  readonly relationOid: number;
  readonly name: string;
  /** As it stands behind the name, such as `CHECK (…)`. */
  readonly definition: string;
}

/**
 * The constraints of every table: keys first, then foreign keys, then checks. NOT NULL is said by the columns; what a
 * partition has from its table is said there.
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
