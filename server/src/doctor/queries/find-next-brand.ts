import type { Database } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';

/** The id of the brand that follows `after`; null after the last one. */
export async function findNextBrand(database: Database, after: number): Promise<number | null> {
  const rows = await database.run(
    statement<{ id: number }>(
      'find_next_brand',
      'select id from brands where id > $1 order by id limit 1',
      [after],
      { long: true },
    ),
  );
  return rows[0]?.id ?? null;
}
