import type { DirectoryList } from '../directory-page-store.ts';

export interface ContentRow {
  readonly type: string;
  readonly tu_id: string;
  readonly name: string | null;
  readonly is_live: boolean;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export const contentList: DirectoryList = {
  name: 'contents',
  columns: 'c.type, c.tu_id, c.name, c.is_live, c.created_at, c.updated_at',
  from: 'from contents c where c.brand_id = $1 and c.is_listed',
  order: 'c.type, c.tu_id',
};
