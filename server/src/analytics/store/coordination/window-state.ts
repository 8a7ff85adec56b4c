import type { Queryable } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';
import type { Day, DayRange } from '../../day.ts';
import type { DatasetName } from '../aggregation-types.ts';
import type { WindowState } from '../dataset-changes.ts';

export interface WindowRow {
  /** Revision and version of the window, separated by a space. */
  readonly window_state: string;
  readonly latest_day: Day | null;
}

/**
 * The state of a dataset's window `$2` to `$3` of brand `$1`, by two ranges of one index: the window's days, at most a year,
 * and the last day. The version holds the latest transaction that wrote one of the days and identifies the table and the start
 * of the server: after a restore, revisions repeat [D54].
 */
export const windowColumns = (dataset: DatasetName): readonly string[] => [
  `(
    select concat(
      coalesce(max(w.revision), 0), ' ', coalesce(max(w.revision), 0), '/', max(w.xmin::text::bigint), '/',
      extract(epoch from pg_postmaster_start_time()), '/', pg_relation_filepath('analytics.dataset_revisions')
    )
    from analytics.dataset_revisions w
    where w.brand_id = $1 and w.dataset = '${dataset}' and w.day between $2::date and $3::date
  ) as window_state`,
  `(
    select to_char(max(l.day), 'YYYY-MM-DD') from analytics.dataset_revisions l
    where l.brand_id = $1 and l.dataset = '${dataset}'
  ) as latest_day`,
];

export function windowState([row]: readonly WindowRow[]): WindowState {
  const { window_state, latest_day } = row as WindowRow;
  const [revision = '', version = ''] = window_state.split(' ');
  return { revision: Number(revision), latestDay: latest_day, version };
}

/** The state of the days of a dataset in a range. */
export async function readWindow(
  database: Queryable,
  brandId: number,
  dataset: DatasetName,
  { from, to }: DayRange,
): Promise<WindowState> {
  return windowState(
    await database.run(
      statement<WindowRow>(
        `read_window/${dataset}`,
        `select ${windowColumns(dataset).join(', ')}`,
        [brandId, from, to],
        { long: true },
      ),
    ),
  );
}
