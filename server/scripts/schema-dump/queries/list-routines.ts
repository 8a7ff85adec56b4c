import type { Database } from '../../../src/postgres/database.ts';
import { statement } from '../../../src/postgres/statement.ts';
import { isOwnSchema } from './list-schemas.ts';

export interface RoutineRow {
  readonly oid: number;
  /** The whole statement. */
  readonly definition: string;
  /** The name with the types of the arguments. */
  readonly signature: string;
  readonly comment: string | null;
}

/** Lists functions and procedures. */
export function listRoutines(database: Database): Promise<RoutineRow[]> {
  return database.run(
    statement<RoutineRow>(
      'list_routines',
      `select p.oid, pg_get_functiondef(p.oid) as definition, p.oid::regprocedure::text as signature,
         obj_description(p.oid, 'pg_proc') as comment
       from pg_proc p
       join pg_namespace n on n.oid = p.pronamespace
       where ${isOwnSchema('n')} and p.prokind in ('f', 'p')
       order by p.oid`,
      [],
      { long: true },
    ),
  );
}

export interface TriggerRow {
  readonly oid: number;
  /** The whole statement. */
  readonly definition: string;
}

/** Lists triggers, except those that implement foreign keys and those that partitions inherit. */
export function listTriggers(database: Database): Promise<TriggerRow[]> {
  return database.run(
    statement<TriggerRow>(
      'list_triggers',
      `select t.oid, pg_get_triggerdef(t.oid, true) as definition
       from pg_trigger t
       join pg_class c on c.oid = t.tgrelid
       join pg_namespace n on n.oid = c.relnamespace
       where ${isOwnSchema('n')} and not t.tgisinternal and t.tgparentid = 0
       order by t.oid`,
      [],
      { long: true },
    ),
  );
}
