import type { Queryable } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { Day, DayRange } from '../day.ts';
import { type DatasetName, datasetNames, datasetsOf, type WindowState } from './datasets.ts';
import { type RevisionCause, recordRevisionsSql } from './day-history-store.ts';
import { type AggregationOptions, listDaysWithRows, lockDatasetsOrSkip, markDays } from './days-store.ts';
import type { AnalyticsEngine, DirectorySubjects } from './engine.ts';

/**
 * The causes for which a day changes, strongest first [analytics-45]. `aggregated`: its rows were replaced. `exclusion`: rows
 * of learners were hidden, shown again or erased. `directory`: contents or markets were listed or deleted. `corrected`: running
 * totals were recomputed.
 */
const changeCauses = ['aggregated', 'exclusion', 'directory', 'corrected'] as const;
type ChangeCause = (typeof changeCauses)[number];

interface ChangedDay {
  readonly day: Day;
  readonly revision: number;
  /** The strongest cause since the revision that was asked for. */
  readonly cause: ChangeCause;
}

interface ChangedDays {
  /** Ascending by day. */
  readonly days: readonly ChangedDay[];
  /** False if there are more days, or if the dataset has not reached the revision that was asked for. */
  readonly isComplete: boolean;
}

/** The state of a dataset of a brand, all of it at one moment. */
export interface DatasetState {
  /** The last aggregated day; null before the first. */
  readonly latestDay: Day | null;
  readonly oldestDay: Day | null;
  /** The revision of the last change; 0 before the first. Ascends in the order of commits. */
  readonly revision: number;
  readonly refreshedAt: Date | null;
  /** The days changed since the revision that was asked for; null if none was. */
  readonly changed: ChangedDays | null;
}

export type DatasetStates = Readonly<Record<DatasetName, DatasetState>>;

export type SinceRevisions = Readonly<Partial<Record<DatasetName, number>>>;

export type MovedDays = Readonly<Partial<Record<DatasetName, readonly Day[]>>>;

export interface MoveOptions {
  readonly at: Date;
  /** `wait` for a running aggregation of the brand, or `skip`: do nothing. */
  readonly whenBusy: 'wait' | 'skip';
  /** Days that need not move, because they were moved after the subjects had changed. */
  readonly moved?: MovedDays;
}

interface DatasetChange {
  readonly dataset: DatasetName;
  /** The changed days by cause. A day has one cause. */
  readonly days: Readonly<Partial<Record<ChangeCause, readonly Day[]>>>;
  readonly at: Date;
  readonly why: (day: Day) => RevisionCause;
  /** The events that the days were aggregated from, and their rows; default: as before. */
  readonly counts?: ReadonlyMap<Day, { readonly events: number; readonly rows: number }>;
}

const columns = changeCauses.map((cause) => `${cause}_revision`);
const known = (alias: string) => `greatest(${columns.map((column) => `${alias}.${column}`).join(', ')})`;

/** The last revision that can have replaced the rows. One above those of all causes is by a version that records none. */
const replacedRevision = (alias: string) =>
  `case when ${alias}.revision > ${known(alias)} then ${alias}.revision else ${alias}.aggregated_revision end`;

const moveRevisionsSql = `with changed as (
    select day, cause, why, events, rows
    from unnest($4::date[], $5::text[], $6::text[], $7::bigint[], $8::bigint[]) as n (day, cause, why, events, rows)
  ), next as (
    select coalesce(max(n.revision), (select f.revision from analytics.revision_floor f), 0) + 1 as revision
    from analytics.dataset_revisions n
    where n.brand_id = $1 and n.dataset = $2
  ), moved as (
  insert into analytics.dataset_revisions as r
    (brand_id, dataset, day, revision, refreshed_at, ${columns.join(', ')})
  select $1, $2, changed.day, next.revision, $3,
    ${changeCauses.map((cause) => `case changed.cause when '${cause}' then next.revision else 0 end`).join(', ')}
  from changed cross join next
  on conflict (brand_id, dataset, day) do update
  set revision = excluded.revision, refreshed_at = excluded.refreshed_at,
    ${columns
      .map((column) => {
        const earlier = column === 'aggregated_revision' ? replacedRevision('r') : `r.${column}`;
        return `${column} = greatest(excluded.${column}, ${earlier})`;
      })
      .join(', ')}
  )
  ${recordRevisionsSql}`;

/**
 * Gives the changed days of a dataset its next revision, and notes it in their histories. The caller holds the lock of the
 * brand's datasets, so that revisions ascend in commit order.
 */
export async function moveRevisions(
  tx: Transaction,
  brandId: number,
  { dataset, days, at, why, counts }: DatasetChange,
): Promise<void> {
  const changed = changeCauses.flatMap((cause) => (days[cause] ?? []).map((day) => ({ day, cause })));
  if (changed.length === 0) return;
  await tx.run(
    statement<never>('move_dataset_revisions', moveRevisionsSql, [
      brandId,
      dataset,
      at,
      changed.map(({ day }) => day),
      changed.map(({ cause }) => cause),
      changed.map(({ day }) => why(day)),
      changed.map(({ day }) => counts?.get(day)?.events ?? null),
      changed.map(({ day }) => counts?.get(day)?.rows ?? null),
    ]),
  );
}

interface Move extends Omit<MoveOptions, 'whenBusy'> {
  readonly subjects: DirectorySubjects;
}

/**
 * Gives the days on which the subjects have rows the next revision of their datasets [analytics-45]: all of them or none; can
 * be repeated. Call it after the directory has changed. Returns `moved` with the days added; null if `whenBusy` is `skip` and
 * an aggregation of the brand is running. Holds the lock of the brand's datasets, so that revisions ascend in commit order.
 */
export async function moveDays(
  tx: Transaction,
  engine: AnalyticsEngine,
  brandId: number,
  { whenBusy, ...move }: Move & Pick<MoveOptions, 'whenBusy'>,
): Promise<MovedDays | null> {
  if (!(await lockDatasetsOrSkip(tx, brandId, whenBusy))) return null;
  return moveDaysUnderLock(tx, engine, brandId, move);
}

/** Like `moveDays`; the caller holds the lock of the brand's datasets. */
export async function moveDaysUnderLock(
  tx: Transaction,
  engine: AnalyticsEngine,
  brandId: number,
  { subjects, at, moved = {} }: Move,
): Promise<MovedDays> {
  const all: Partial<Record<DatasetName, readonly Day[]>> = { ...moved };
  for (const dataset of datasetsOf(subjects.kind)) {
    const earlier = all[dataset] ?? [];
    const among = await listDaysWithRows(tx, brandId, dataset, earlier);
    // After most days have moved, the rows of further learners need not be read.
    if (among.length === 0) continue;
    const found = await engine.listAffectedDays(tx, brandId, subjects, { dataset, among });
    const isExclusion = subjects.kind === 'learner';
    const days = isExclusion ? { exclusion: found } : { directory: found };
    const why = () => (isExclusion ? 'opt_out' : 'directory') as RevisionCause;
    await moveRevisions(tx, brandId, { dataset, days, at, why });
    all[dataset] = [...earlier, ...found];
  }
  return all;
}

interface Returned extends Pick<AggregationOptions, 'whenBusy'> {
  readonly learnerIds: readonly number[];
}

/**
 * Marks the aggregated days that have events of one of the learners and do not count them [analytics-31]: all or none; safe to
 * repeat. Call it after the learners count again: an aggregation that begins later counts them. Waits for a running one, whose
 * rows are not visible and which may have read the earlier opt-outs, or, with `skip`, returns false and marks nothing.
 */
export async function markDaysWithout(
  tx: Transaction,
  engine: AnalyticsEngine,
  brandId: number,
  { learnerIds, whenBusy }: Returned,
): Promise<boolean> {
  if (!(await lockDatasetsOrSkip(tx, brandId, whenBusy))) return false;
  const days = await engine.listDaysWithout(tx, brandId, learnerIds);
  await markDays(
    tx,
    brandId,
    days.map((day) => ({ day, added: 0 })),
  );
  return true;
}

interface StateRow extends Omit<DatasetState, 'revision' | 'changed'> {
  readonly dataset: DatasetName;
  readonly revision: number | null;
  /** [day, revision, cause] of one day more than were asked for; null if no revision was asked for. */
  readonly changed: [Day, number, ChangeCause][] | null;
}

/**
 * The state of each dataset, with the days that changed after the revision of `since`, at most `limit`. From one snapshot: three
 * entries of an index for each dataset, and changed days by revision.
 */
export async function readDatasets(
  database: Queryable,
  brandId: number,
  since: SinceRevisions,
  limit: number,
): Promise<DatasetStates> {
  const rows = await database.run(
    statement<StateRow>(
      'read_datasets',
      `select n.dataset, f."latestDay", f."oldestDay", l.revision, l.refreshed_at as "refreshedAt", c.changed
       from unnest($2::text[], $3::bigint[]) as n (dataset, since)
       cross join lateral (
         select to_char(max(r.day), 'YYYY-MM-DD') as "latestDay", to_char(min(r.day), 'YYYY-MM-DD') as "oldestDay"
         from analytics.dataset_revisions r where r.brand_id = $1 and r.dataset = n.dataset
       ) f
       left join lateral (
         select r.revision, r.refreshed_at from analytics.dataset_revisions r
         where r.brand_id = $1 and r.dataset = n.dataset
         order by r.revision desc limit 1
       ) l on true
       cross join lateral (
         select case when n.since is not null then coalesce(json_agg(json_build_array(d.day, d.revision, d.cause)), '[]') end
           as changed
         from (
           select to_char(r.day, 'YYYY-MM-DD') as day, r.revision,
             case when ${replacedRevision('r')} > n.since then 'aggregated'
               when r.exclusion_revision > n.since then 'exclusion'
               when r.directory_revision > n.since then 'directory'
               else 'corrected' end as cause
           from analytics.dataset_revisions r
           where r.brand_id = $1 and r.dataset = n.dataset and r.revision > n.since
           order by r.revision limit $4::integer + 1
         ) d
       ) c`,
      [brandId, datasetNames, datasetNames.map((name) => since[name] ?? null), limit],
      { long: true },
    ),
  );
  return Object.fromEntries(
    rows.map(({ dataset, changed, ...row }) => {
      const revision = row.revision ?? 0;
      const days = changed && changedDays(changed, (since[dataset] ?? 0) <= revision, limit);
      return [dataset, { ...row, revision, changed: days }];
    }),
  ) as Record<DatasetName, DatasetState>;
}

function changedDays(
  read: readonly [Day, number, ChangeCause][],
  isReached: boolean,
  limit: number,
): ChangedDays {
  const days = read.slice(0, limit).map(([day, revision, cause]) => ({ day, revision, cause }));
  days.sort((a, b) => (a.day < b.day ? -1 : 1));
  return { days, isComplete: isReached && read.length <= limit };
}

export interface WindowRow {
  /** Revision and version of the window, separated by a space. */
  readonly windowState: string;
  readonly latestDay: Day | null;
}

/**
 * The state of a dataset's window `$2` to `$3` of brand `$1`, by two ranges of one index: the window's days, at most a year,
 * and the last day. The version holds the latest transaction that wrote one of the days and identifies the table and the start
 * of the server: after a restore, revisions repeat [D34].
 */
export const windowColumns = (dataset: DatasetName): readonly string[] => [
  `(
    select concat(
      coalesce(max(w.revision), 0), ' ', coalesce(max(w.revision), 0), '/', max(w.xmin::text::bigint), '/',
      extract(epoch from pg_postmaster_start_time()), '/', pg_relation_filepath('analytics.dataset_revisions')
    )
    from analytics.dataset_revisions w
    where w.brand_id = $1 and w.dataset = '${dataset}' and w.day between $2::date and $3::date
  ) as "windowState"`,
  `(
    select to_char(max(l.day), 'YYYY-MM-DD') from analytics.dataset_revisions l
    where l.brand_id = $1 and l.dataset = '${dataset}'
  ) as "latestDay"`,
];

export function windowState([row]: readonly WindowRow[]): WindowState {
  const { windowState, latestDay } = row as WindowRow;
  const [revision = '', version = ''] = windowState.split(' ');
  return { revision: Number(revision), latestDay, version };
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
