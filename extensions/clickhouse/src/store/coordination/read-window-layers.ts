import type { Day, DayRange } from '../../../../../server/src/analytics/day.ts';
import type { DatasetName, WindowState } from '../../../../../server/src/analytics/store/datasets.ts';
import {
  type WindowRow,
  windowColumns,
  windowState,
} from '../../../../../server/src/analytics/store/revisions-store.ts';
import type { Queryable } from '../../../../../server/src/postgres/database.ts';
import { statement } from '../../../../../server/src/postgres/statement.ts';
import type { Layers } from '../layers.ts';

/** The state that a page needs before it reads rows. */
export interface WindowLayers {
  readonly window: WindowState;
  readonly layers: Layers;
  /** Erased learners whose rows ClickHouse still has. */
  readonly hiddenLearnerIds: readonly number[];
}

/**
 * Reads the state of a window and what is published of its days, from one snapshot. The rows are immutable and stay for a while
 * after they were replaced, so a page that reads them afterwards is of that snapshot too.
 */
export async function readWindowLayers(
  database: Queryable,
  brandId: number,
  dataset: DatasetName,
  range: DayRange,
): Promise<WindowLayers> {
  const rows = await database.run(
    statement<WindowRow & { layers: [Day, number[]][] | null; hidden: number[] | null }>(
      `read_window_layers/${dataset}`,
      `select ${windowColumns(dataset).join(', ')}, (
         select json_agg(json_build_array(to_char(p.day, 'YYYY-MM-DD'), p.generations)) from analytics.published_layers p
         where p.brand_id = $1 and p.dataset = '${dataset}' and p.day between $2::date and $3::date
       ) as layers, (
         select json_agg(h.user_id) from analytics.hidden_learners h where h.brand_id = $1
       ) as hidden`,
      [brandId, range.from, range.to],
      { long: true },
    ),
  );
  return {
    window: windowState(rows),
    layers: new Map(rows[0]?.layers ?? []),
    hiddenLearnerIds: rows[0]?.hidden ?? [],
  };
}
