import type { Queryable } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import type { Day } from '../day.ts';
import type { DatasetName } from './datasets.ts';

/**
 * Why a day got another revision [D306]. `nightly`: it was due. `late_events`: events came after its aggregation. `request`: it
 * was asked for. `opt_out`: learners were hidden, shown again or erased. `directory`: contents or markets were listed or
 * deleted. `repair`: by the doctor. `restore`: from a backup. Later days change for the cause of the earlier one.
 */
export type RevisionCause =
  | 'nightly'
  | 'request'
  | 'late_events'
  | 'opt_out'
  | 'directory'
  | 'repair'
  | 'restore';

export interface DayRevision {
  readonly revision: number;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** null: by a version that recorded none. */
  readonly cause: RevisionCause | null;
  /** The events of the day that the aggregation included; null: not recorded. */
  readonly events: number | null;
  /** The rows of the dataset; null: not recorded. */
  readonly rows: number | null;
}

/** The revisions that are kept of a day. */
export const keptRevisions = 10;

const entry = (values: Readonly<Record<keyof DayRevision, string>>) => `jsonb_build_object(
    ${Object.entries(values)
      .map(([name, sql]) => `'${name}', ${sql}`)
      .join(', ')}
  )`;

const msOf = (time: string) => `(date_part('epoch', ${time}) * 1000)::bigint`;

/** The entry of the revision that the row `r` of `dataset_revisions` has, if its history lacks it: a restore writes none. */
const unrecorded = (r: string) =>
  entry({
    revision: `${r}.revision`,
    at: msOf(`${r}.refreshed_at`),
    cause: `case when ${r}.revision = (select f.revision from analytics.revision_floor f) then 'restore' end`,
    events: 'b.aggregated_events',
    rows: `(b.row_counts ->> ${r}.dataset)::bigint`,
  });

const isUnrecorded = (r: string, h: string) =>
  `${r}.revision > coalesce((${h}.revisions -> 0 ->> 'revision')::bigint, 0)`;

/**
 * The end of the statement that moves revisions: records them in the histories of the days. `changed` has day, why, events and
 * rows, null: as they are, and `next` the revision. The tables are read as they were before the statement.
 */
export const recordRevisionsSql = `insert into analytics.day_histories (brand_id, dataset, day, revisions)
  select $1, $2, changed.day, jsonb_path_query_array(
    jsonb_build_array(${entry({
      revision: 'next.revision',
      at: msOf('$3::timestamptz'),
      cause: 'changed.why',
      events: 'coalesce(changed.events, b.aggregated_events)',
      rows: 'coalesce(changed.rows, (b.row_counts ->> $2)::bigint)',
    })})
      || case when ${isUnrecorded('r', 'h')} then jsonb_build_array(${unrecorded('r')}) else '[]' end
      || coalesce(h.revisions, '[]'), '$[0 to ${keptRevisions - 1}]')
  from changed cross join next
  -- Each day is looked up by index ("offset 0"), regardless of the planner's estimates.
  left join lateral (
    select r.revision, r.refreshed_at, r.dataset from analytics.dataset_revisions r
    where r.brand_id = $1 and r.dataset = $2 and r.day = changed.day
    offset 0
  ) as r on true
  left join lateral (
    select h.revisions from analytics.day_histories h where h.brand_id = $1 and h.dataset = $2 and h.day = changed.day
    offset 0
  ) as h on true
  left join lateral (
    select b.aggregated_events, b.row_counts from analytics.brand_days b where b.brand_id = $1 and b.day = changed.day
    offset 0
  ) as b on true
  on conflict (brand_id, dataset, day) do update set revisions = excluded.revisions`;

/** Returns the last ten revisions of a day of a dataset, the newest first; none: it was never aggregated. */
export async function listDayRevisions(
  database: Queryable,
  brandId: number,
  dataset: DatasetName,
  day: Day,
): Promise<readonly DayRevision[]> {
  const rows = await database.run(
    statement<{ revisions: readonly DayRevision[] }>(
      'list_day_revisions',
      `select case when ${isUnrecorded('r', 'h')} then jsonb_build_array(${unrecorded('r')}) else '[]' end
         || coalesce(h.revisions, '[]') as revisions
       from analytics.dataset_revisions r
       left join analytics.day_histories h on h.brand_id = $1 and h.dataset = $2 and h.day = $3::date
       left join analytics.brand_days b on b.brand_id = $1 and b.day = $3::date
       where r.brand_id = $1 and r.dataset = $2 and r.day = $3::date`,
      [brandId, dataset, day],
      { long: true },
    ),
  );
  return (rows[0]?.revisions ?? []).slice(0, keptRevisions);
}
