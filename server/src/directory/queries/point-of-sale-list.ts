import type { DirectoryList } from '../directory-page-store.ts';

export interface PointOfSaleRow {
  readonly tu_id: string;
  readonly name: string | null;
  readonly location: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export const pointOfSaleList: DirectoryList = {
  name: 'points_of_sale',
  columns: 'p.tu_id, p.name, o.external_code as location, p.created_at, p.updated_at',
  from: `from points_of_sale p
    left join stock_locations o on o.brand_id = p.brand_id and o.id = p.location_id
    where p.brand_id = $1`,
  order: 'p.tu_id',
};
