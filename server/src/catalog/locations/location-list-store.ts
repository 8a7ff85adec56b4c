import type { Page } from '../../api/pagination.ts';
import { Conditions } from '../../postgres/conditions.ts';
import type { Database } from '../../postgres/database.ts';
import { readPage } from '../../postgres/read-page.ts';
import type { Location } from '../stock/location.ts';
import { locationColumns } from '../stock/location-store.ts';

/** Returns one page of a brand's locations by external code, and how many match. A brand has few locations. */
export function listLocations(
  database: Database,
  brandId: number,
  isActive: boolean | undefined,
  page: Page,
): Promise<{ rows: Location[]; total: number }> {
  const matches = ['o.brand_id = $1', '($2::boolean is null or o.is_active = $2)'];
  const where = new Conditions(matches, [brandId, isActive ?? null]);
  const list = { name: 'stock_locations', columns: locationColumns, from: 'stock_locations o', where };
  return readPage(database, { ...list, orderBy: 'o.external_code', long: false }, page);
}
