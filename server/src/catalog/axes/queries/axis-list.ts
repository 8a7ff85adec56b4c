import type { Page } from '../../../api/pagination.ts';
import type { Database } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';
import type { Axis } from '../axis.ts';
import { type AxisViewRow, axisFromViewRow, axisViewColumns } from '../axis-store.ts';

/**
 * Returns one page of a brand's axes by position and code, each with all of its values, and how many axes match: two
 * statements, regardless of the number of rows. A library has few axes, so they are counted and sorted as they are
 * read. Its values may be many, so the page does not use the shared connection.
 */
export async function listAxes(
  database: Database,
  brandId: number,
  isActive: boolean | undefined,
  page: Page,
): Promise<{ rows: Axis[]; total: number }> {
  const values = [brandId, isActive ?? null];
  const matches = 'a.brand_id = $1 and ($2::boolean is null or a.is_active = $2)';
  const [rows, totals] = await Promise.all([
    database.run(
      statement<AxisViewRow>(
        'list_axes',
        `select ${axisViewColumns} from axes a where ${matches} order by a.position, a.code limit $3 offset $4`,
        [...values, page.size, page.offset],
        { long: true },
      ),
    ),
    database.run(
      statement<{ total: number }>(
        'count_axes',
        `select count(*) as total from axes a where ${matches}`,
        values,
      ),
    ),
  ]);
  return { rows: rows.map(axisFromViewRow), total: totals[0]?.total ?? 0 };
}
