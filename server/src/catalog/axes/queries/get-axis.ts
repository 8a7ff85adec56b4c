import { notFound } from '../../../errors/api-error.ts';
import type { Queryable } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';
import type { Axis } from '../axis.ts';
import { type AxisViewRow, axisFromViewRow, axisViewColumns } from './axis-view.ts';

/**
 * Reads one axis of the brand with its values, in one statement.
 * @throws ApiError `not_found`
 */
export async function getAxis(database: Queryable, brandId: number, code: string): Promise<Axis> {
  const rows = await database.run(
    statement<AxisViewRow>(
      'get_axis',
      `select ${axisViewColumns} from axes a where a.brand_id = $1 and a.code = $2`,
      [brandId, code],
    ),
  );
  if (rows[0] === undefined) throw notFound();
  return axisFromViewRow(rows[0]);
}
