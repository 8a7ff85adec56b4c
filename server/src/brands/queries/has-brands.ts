import type { Queryable } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';

/** Returns whether any brand exists. */
export async function hasBrands(database: Queryable): Promise<boolean> {
  const rows = await database.run(
    statement<{ found: boolean }>('has_brands', 'select exists (select 1 from brands) as found'),
  );
  return rows[0]?.found === true;
}
