import type { Page } from '../../api/pagination.ts';
import type { Database } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import type { RowTimes } from '../directory-wire.ts';

/** The SQL of one of the directory's lists. Every list is in the order of `tu_id`, which has a unique index. */
export interface DirectoryList<Row> {
  /** The common part of the names of the two statements. */
  readonly name: string;
  /** Tables, joins and the condition on the brand, `$1`. */
  readonly from: string;
  readonly columns: string;
  readonly order: string;
  /** Never set; carries the type of a row. */
  readonly row?: Row;
}

/** Lists one page of a brand's list, and counts all of its rows. */
export async function listDirectoryPage<Row>(
  database: Database,
  { name, from, columns, order }: DirectoryList<Row>,
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

export const marketList: DirectoryList<RowTimes & { readonly tu_id: string; readonly name: string | null }> =
  {
    name: 'markets',
    columns: 'm.tu_id, m.name, m.created_at, m.updated_at',
    from: 'from markets m where m.brand_id = $1',
    order: 'm.tu_id',
  };

interface PointOfSaleRow extends RowTimes {
  readonly tu_id: string;
  readonly name: string | null;
  readonly location: string | null;
}

export const pointOfSaleList: DirectoryList<PointOfSaleRow> = {
  name: 'points_of_sale',
  columns: 'p.tu_id, p.name, o.external_code as location, p.created_at, p.updated_at',
  from: `from points_of_sale p
    left join stock_locations o on o.brand_id = p.brand_id and o.id = p.location_id
    where p.brand_id = $1`,
  order: 'p.tu_id',
};

interface ContentRow extends RowTimes {
  readonly type: string;
  readonly tu_id: string;
  readonly name: string | null;
  readonly is_live: boolean;
}

export const contentList: DirectoryList<ContentRow> = {
  name: 'contents',
  columns: 'c.type, c.tu_id, c.name, c.is_live, c.created_at, c.updated_at',
  from: 'from contents c where c.brand_id = $1 and c.is_listed',
  order: 'c.type, c.tu_id',
};
