import type { Page } from '../../api/pagination.ts';
import type { Database } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import type { Brand } from '../brand.ts';
import { type BrandRow, brandColumns, brandFromRow } from '../brand-store.ts';

/** Lists one page of all brands by id, and counts all. */
export async function listBrands(
  database: Database,
  page: Page,
): Promise<{ brands: Brand[]; total: number }> {
  const [rows, counts] = await Promise.all([
    database.run(
      statement<BrandRow>(
        'list_brands',
        `select ${brandColumns} from brands order by id limit $1 offset $2`,
        [page.size, page.offset],
        { long: true },
      ),
    ),
    database.run(
      statement<{ total: number }>('count_brands', 'select count(*) as total from brands', [], {
        long: true,
      }),
    ),
  ]);
  return { brands: rows.map(brandFromRow), total: counts[0]?.total ?? 0 };
}
