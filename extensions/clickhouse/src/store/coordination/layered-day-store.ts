import type { Day } from '../../../../../server/src/analytics/day.ts';
import type { DatasetName } from '../../../../../server/src/analytics/store/aggregation-types.ts';
import type { Queryable } from '../../../../../server/src/postgres/database.ts';
import { statement } from '../../../../../server/src/postgres/statement.ts';
import type { Transaction } from '../../../../../server/src/postgres/transaction.ts';
import { isOpen } from './open-brand-store.ts';

/** A day of a dataset that has as many layers as are compacted. */
export interface LayeredDay {
  readonly brandId: number;
  readonly dataset: DatasetName;
  readonly day: Day;
  readonly generations: readonly number[];
}

/** A page reads the newest row of each key: with more layers, it reads too many that do not count. */
const mostLayers = 8;

export async function listLayeredDays(database: Queryable, limit: number): Promise<LayeredDay[]> {
  const rows = await database.run(
    statement<{ brand_id: number; dataset: DatasetName; day: Day; generations: number[] }>(
      'list_layered_days',
      `select brand_id, dataset, to_char(day, 'YYYY-MM-DD') as day, to_json(generations) as generations
       from analytics.published_layers
       where cardinality(generations) > ${mostLayers} and ${isOpen('brand_id')} order by cardinality(generations) desc limit $1`,
      [limit],
      { long: true },
    ),
  );
  return rows.map(({ brand_id, ...day }) => ({ brandId: brand_id, ...day }));
}

/** Returns whether the day still has the same layers. The caller holds the lock of the brand's datasets. */
export async function stillHasLayers(
  tx: Transaction,
  { brandId, dataset, day, generations }: LayeredDay,
): Promise<boolean> {
  const rows = await tx.run(
    statement<{ same: boolean }>(
      'find_whether_layers_are_the_same',
      `select exists (
         select from analytics.published_layers
         where brand_id = $1 and dataset = $2 and day = $3::date and generations = $4::bigint[]
       ) as same`,
      [brandId, dataset, day, generations],
    ),
  );
  return rows[0]?.same === true;
}
