import type { DirectoryList } from '../directory-page-store.ts';

export interface MarketRow {
  readonly tu_id: string;
  readonly name: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export const marketList: DirectoryList = {
  name: 'markets',
  columns: 'm.tu_id, m.name, m.created_at, m.updated_at',
  from: 'from markets m where m.brand_id = $1',
  order: 'm.tu_id',
};
