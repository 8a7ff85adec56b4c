import type { Page } from '../../api/pagination.ts';
import type { Database } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import type { Location } from '../stock/location.ts';
import { locationColumns } from '../stock/location-store.ts';

/**
 * Returns one page of a brand's locations by external code, and how many match: two statements. A brand has few
 * locations, so they are counted and filtered as they are read, in the order of the unique index.
 */
export async function listLocations(
  database: Database,
  brandId: number,
  isActive: boolean | undefined,
  page: Page,
): Promise<{ rows: Location[]; total: number }> {
  const values = [brandId, isActive ?? null];
  const matches = 'o.brand_id = $1 and ($2::boolean is null or o.is_active = $2)';
  const [rows, totals] = await Promise.all([
    database.run(
      statement<Location>(
        'list_stock_locations',
        `select ${locationColumns} from stock_locations o where ${matches}
         order by o.external_code limit $3 offset $4`,
        [...values, page.size, page.offset],
      ),
    ),
    database.run(
      statement<{ total: number }>(
        'count_stock_locations',
        `select count(*) as total from stock_locations o where ${matches}`,
        values,
      ),
    ),
  ]);
  return { rows, total: totals[0]?.total ?? 0 };
}
