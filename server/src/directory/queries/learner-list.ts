import type { DirectoryList } from '../directory-page-store.ts';

export interface LearnerRow {
  readonly tu_id: string;
  readonly market: string | null;
  readonly analytics_opt_out: boolean;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export const learnerList: DirectoryList = {
  name: 'learners',
  columns: 'l.tu_id, m.tu_id as market, l.analytics_opt_out, l.created_at, l.updated_at',
  from: `from learners l
    left join markets m on m.brand_id = l.brand_id and m.id = l.market_id
    where l.brand_id = $1`,
  order: 'l.tu_id',
};
