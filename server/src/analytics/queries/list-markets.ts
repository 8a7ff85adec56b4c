import type { Queryable } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';

/** The public ids of a brand's markets by id; only that of `tuId` if it is given. */
export async function listMarketIds(
  database: Queryable,
  brandId: number,
  tuId?: string,
): Promise<ReadonlyMap<number, string>> {
  const rows = await database.run(
    statement<{ id: number; tu_id: string }>(
      'list_market_ids',
      'select id, tu_id from markets where brand_id = $1 and ($2::text is null or tu_id = $2)',
      [brandId, tuId ?? null],
    ),
  );
  return new Map(rows.map(({ id, tu_id }) => [id, tu_id]));
}
