import type { DirectoryList } from '../directory-page-store.ts';

export const contentList: DirectoryList = {
  name: 'contents',
  columns: 'c.type, c.tu_id, c.name, c.is_live, c.created_at, c.updated_at',
  from: 'from contents c where c.brand_id = $1 and c.is_listed',
  order: 'c.type, c.tu_id',
};
