import type { Page } from '../../../api/pagination.ts';
import { Conditions } from '../../../postgres/conditions.ts';
import type { Database } from '../../../postgres/database.ts';
import { readPage } from '../../../postgres/read-page.ts';
import type { Axis } from '../axis.ts';
import { type AxisViewRow, axisFromViewRow, axisViewColumns } from '../axis-store.ts';

/** Returns one page of a brand's axes by position and code, each with all of its values, and how many axes match. */
export async function listAxes(
  database: Database,
  brandId: number,
  isActive: boolean | undefined,
  page: Page,
): Promise<{ rows: Axis[]; total: number }> {
  const matches = ['a.brand_id = $1', '($2::boolean is null or a.is_active = $2)'];
  const where = new Conditions(matches, [brandId, isActive ?? null]);
  const list = { name: 'axes', columns: axisViewColumns, from: 'axes a', where };
  const { rows, total } = await readPage<AxisViewRow>(
    database,
    { ...list, orderBy: 'a.position, a.code' },
    page,
  );
  return { rows: rows.map(axisFromViewRow), total };
}
