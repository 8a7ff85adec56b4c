import type { Database } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';

/** Returns the names of the given brands by id. */
export async function listBrandNames(
  database: Database,
  brandIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const rows = await database.run(
    statement<{ id: number; name: string }>(
      'list_brand_names',
      'select id, name from brands where id = any($1::integer[])',
      [brandIds],
    ),
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}
