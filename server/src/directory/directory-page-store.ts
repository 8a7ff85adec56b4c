import type { Page } from '../api/pagination.ts';
import type { Database } from '../postgres/database.ts';
import { statement } from '../postgres/statement.ts';

/** The SQL of one of the directory's lists. Every list is in the order of `tu_id`, which has a unique index. */
export interface DirectoryList {
  /** The common part of the names of the two statements. */
  readonly name: string;
  /** Tables, joins and the condition on the brand, `$1`. */
  readonly from: string;
  readonly columns: string;
  readonly order: string;
}

/** Lists one page of a brand's list, and counts all of its rows. */
export async function listDirectoryPage<Row>(
  database: Database,
  { name, from, columns, order }: DirectoryList,
  brandId: number,
  page: Page,
): Promise<{ rows: Row[]; total: number }> {
  const [rows, counts] = await Promise.all([
    database.run(
      statement<Row>(
        `list_${name}`,
        `select ${columns} ${from} order by ${order} limit $2 offset $3`,
        [brandId, page.size, page.offset],
        { long: true },
      ),
    ),
    database.run(
      statement<{ total: number }>(`count_${name}`, `select count(*) as total ${from}`, [brandId], {
        long: true,
      }),
    ),
  ]);
  return { rows, total: counts[0]?.total ?? 0 };
}
