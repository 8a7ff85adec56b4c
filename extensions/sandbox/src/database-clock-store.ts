import type { Queryable } from '../../../server/src/postgres/database.ts';
import { statement } from '../../../server/src/postgres/statement.ts';

/**
 * Sets `now_ms()`, the current time of all SQL, ahead of the clock of the database. A function takes no parameter in its
 * definition; PostgreSQL plans the statements again that had inlined the former one [D283].
 */
export async function setDatabaseClock(database: Queryable, aheadMs: number): Promise<void> {
  await database.run(
    statement(
      `set_clock_${Math.trunc(aheadMs)}`,
      `create or replace function now_ms() returns timestamptz language sql volatile parallel safe
       return date_trunc('milliseconds', clock_timestamp() + interval '${Math.trunc(aheadMs)} milliseconds')`,
      [],
    ),
  );
}
