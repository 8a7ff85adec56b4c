import type { Queryable } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';

export interface ListedContent {
  readonly type: string;
  readonly tuId: string;
  readonly name: string | null;
}

/** Returns the given contents that the directory lists; the others are orphaned references. */
export async function listListedContents(
  database: Queryable,
  brandId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, ListedContent>> {
  if (ids.length === 0) return new Map();
  const rows = await database.run(
    statement<{ id: number; type: string; tu_id: string; name: string | null }>(
      'list_listed_contents',
      `select c.id, c.type, c.tu_id, c.name
       from unnest($2::bigint[]) as i (id)
       cross join lateral (
         select c.id, c.type, c.tu_id, c.name, c.is_listed from contents c where c.brand_id = $1 and c.id = i.id
         offset 0
       ) as c
       where c.is_listed`,
      [brandId, [...new Set(ids)]],
    ),
  );
  return new Map(rows.map(({ id, type, tu_id, name }) => [id, { type, tuId: tu_id, name }]));
}

/** The id of a content of the directory, or null. */
export async function findListedContent(
  database: Queryable,
  brandId: number,
  type: string,
  tuId: string,
): Promise<number | null> {
  const rows = await database.run(
    statement<{ id: number }>(
      'find_listed_content',
      'select id from contents where brand_id = $1 and type = $2 and tu_id = $3 and is_listed',
      [brandId, type, tuId],
    ),
  );
  return rows[0]?.id ?? null;
}
