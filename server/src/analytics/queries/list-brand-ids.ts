import type { Queryable } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';

/** All brands, oldest first. */
export async function listBrandIds(database: Queryable): Promise<number[]> {
  const rows = await database.run(
    statement<{ id: number }>('list_brand_ids', 'select id from brands order by id'),
  );
  return rows.map(({ id }) => id);
}

export async function listBrandNames(
  database: Queryable,
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
