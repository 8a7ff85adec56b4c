import type { Page } from '../../api/pagination.ts';
import type { Database } from '../../postgres/database.ts';
import { Conditions, type PagedRows, readPage } from '../../postgres/read-page.ts';
import type { RowTimes } from '../directory-wire.ts';

/** The SQL of one of the directory's lists. Every list is in the order of `tu_id`, which has a unique index. */
export interface DirectoryList<Row> extends Omit<PagedRows, 'where'> {
  /** The condition on the brand, `$1`. */
  readonly ofBrand: string;
  /** Never set; carries the type of a row. */
  readonly row?: Row;
}

export function listDirectoryPage<Row>(
  database: Database,
  { ofBrand, ...list }: DirectoryList<Row>,
  brandId: number,
  page: Page,
): Promise<{ rows: Row[]; total: number }> {
  return readPage(database, { ...list, where: new Conditions([ofBrand], [brandId]) }, page);
}

export const marketList: DirectoryList<RowTimes & { readonly tu_id: string; readonly name: string | null }> =
  {
    name: 'markets',
    columns: 'm.tu_id, m.name, m.created_at, m.updated_at',
    from: 'markets m',
    ofBrand: 'm.brand_id = $1',
    orderBy: 'm.tu_id',
  };

interface PointOfSaleRow extends RowTimes {
  readonly tu_id: string;
  readonly name: string | null;
  readonly location: string | null;
}

export const pointOfSaleList: DirectoryList<PointOfSaleRow> = {
  name: 'points_of_sale',
  columns: 'p.tu_id, p.name, o.external_code as location, p.created_at, p.updated_at',
  from: 'points_of_sale p left join stock_locations o on o.brand_id = p.brand_id and o.id = p.location_id',
  ofBrand: 'p.brand_id = $1',
  orderBy: 'p.tu_id',
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
  from: 'contents c',
  ofBrand: 'c.brand_id = $1 and c.is_listed',
  orderBy: 'c.type, c.tu_id',
};
