import type { Database } from './database.ts';
import { statement } from './statement.ts';

export interface NewestRows {
  /** A table whose rows have `brand_id`, and an `id` in the order of creation. */
  readonly table: string;
  readonly columns: string;
  readonly brandId: number;
  readonly page: { readonly size: number; readonly offset: number };
}

/** Reads one page of a brand's rows in a table, newest first, and the number of all its rows. */
export async function readNewestRows<Row>(
  database: Database,
  { table, columns, brandId, page }: NewestRows,
): Promise<{ rows: Row[]; total: number }> {
  const [rows, counts] = await Promise.all([
    database.run(
      statement<Row>(
        `list_${table}`,
        `select ${columns} from ${table} where brand_id = $1 order by id desc limit $2 offset $3`,
        [brandId, page.size, page.offset],
        { long: true },
      ),
    ),
    database.run(
      statement<{ total: number }>(
        `count_${table}`,
        `select count(*) as total from ${table} where brand_id = $1`,
        [brandId],
        { long: true },
      ),
    ),
  ]);
  return { rows, total: counts[0]?.total ?? 0 };
}
