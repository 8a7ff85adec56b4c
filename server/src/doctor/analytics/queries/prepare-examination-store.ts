import type { Day } from '../../../analytics/day.ts';
import { statement } from '../../../postgres/statement.ts';
import type { Transaction } from '../../../postgres/transaction.ts';
import type { Skipped } from '../examination.ts';
import { contentFigures, countedEvents, dailyFigures, selectFigures } from '../invariants/figures.ts';

type CountedSkips = Omit<Skipped, 'days_before_erasure' | 'waiting_returns'>;

/**
 * Begins an examination: from here on the transaction sees one snapshot. Creates `pg_temp.doctor_days`, the aggregated days of
 * the brand. `is_open` marks those that cannot be recomputed: they are dirty, or their events were dropped.
 */
export async function beginExamination(tx: Transaction, brandId: number): Promise<void> {
  const setUp = [
    statement<never>('doctor_isolation', 'set transaction isolation level repeatable read'),
    // Before the snapshot, which would not show that a month of events was dropped after it.
    statement<never>('doctor_keep_events', 'lock table only analytics.learning_events in access share mode'),
    statement<never>('doctor_memory', `set local work_mem = '64MB'`),
    statement<never>(
      'create_doctor_days',
      `create temporary table doctor_days
         (day date primary key, is_open boolean not null, row_counts jsonb not null, is_erased boolean not null)
       on commit drop`,
    ),
    statement<never>(
      'fill_doctor_days',
      `insert into doctor_days
       select b.day, b.is_dirty or coalesce(b.day < r.kept_since, false), b.row_counts, false
       from analytics.brand_days b left join analytics.event_retention r on true
       where b.brand_id = $1 and b.aggregated_at is not null`,
      [brandId],
    ),
    statement<never>('analyze_doctor_days', 'analyze doctor_days'),
  ];
  for (const each of setUp) await tx.run(each);
}

/**
 * Creates `pg_temp.doctor_unsettled`: learners for whom only the stored rows show on which days they were counted. Counts what is
 * not compared because of them or of the records of the days.
 */
export async function noteUnsettled(
  tx: Transaction,
  brandId: number,
  unsettled: readonly number[],
): Promise<CountedSkips> {
  const setUp = [
    statement<never>(
      'create_doctor_unsettled',
      'create temporary table doctor_unsettled (user_id bigint primary key) on commit drop',
    ),
    statement<never>(
      'fill_doctor_unsettled',
      'insert into doctor_unsettled select distinct unnest($1::bigint[])',
      [unsettled],
    ),
    statement<never>('analyze_doctor_unsettled', 'analyze doctor_unsettled'),
  ];
  for (const each of setUp) await tx.run(each);
  const rows = await tx.run(
    statement<CountedSkips>(
      'count_doctor_days',
      `select count(*) filter (where b.is_dirty) as dirty_days,
         count(*) filter (where b.day < r.kept_since) as days_without_events,
         (
           select count(*) from doctor_unsettled x
           join analytics.users u on u.brand_id = $1 and u.user_id = x.user_id
         ) as learner_days_before_opt_out
       from analytics.brand_days b left join analytics.event_retention r on true
       where b.brand_id = $1 and b.aggregated_at is not null`,
      [brandId],
    ),
  );
  return rows[0] as CountedSkips;
}

/** Creates `pg_temp.doctor_daily` and `pg_temp.doctor_contents`, which `addDays` fills. */
export async function createDayTruth(tx: Transaction): Promise<void> {
  const columns = (names: readonly string[]) => names.map((name) => `${name} numeric`).join(', ');
  await tx.run(
    statement<never>(
      'create_doctor_daily',
      `create temporary table doctor_daily (day date, market_id bigint, ${columns(Object.keys(dailyFigures))}) on commit drop`,
    ),
  );
  await tx.run(
    statement<never>(
      'create_doctor_contents',
      `create temporary table doctor_contents (day date, content_ref_id bigint, ${columns(Object.keys(contentFigures))}) on commit drop`,
    ),
  );
}

/** Adds the values of a month's events to the expected rows. A month is a partition, and is processed in one statement. */
export async function addMonth(tx: Transaction, brandId: number, month: Day): Promise<void> {
  const ofMonth = `${countedEvents} and e.day >= $2::date and e.day < $2::date + interval '1 month'`;
  await tx.run(
    statement<never>(
      'add_doctor_daily',
      `insert into doctor_daily
       select e.day, 0, ${selectFigures(dailyFigures)} ${ofMonth} group by e.day
       union all
       select e.day, e.market_id, ${selectFigures(dailyFigures)} ${ofMonth} and e.market_id is not null
       group by e.day, e.market_id`,
      [brandId, month],
    ),
  );
  await tx.run(
    statement<never>(
      'add_doctor_contents',
      `insert into doctor_contents
       select e.day, e.content_ref_id, ${selectFigures(contentFigures)} ${ofMonth} and e.content_type <> 'quest'
       group by e.day, e.content_ref_id`,
      [brandId, month],
    ),
  );
}

export async function listMonths(tx: Transaction): Promise<Day[]> {
  const rows = await tx.run(
    statement<{ day: Day }>(
      'list_doctor_months',
      `select distinct to_char(date_trunc('month', day), 'YYYY-MM-DD') as day from doctor_days where not is_open order by 1`,
    ),
  );
  return rows.map(({ day }) => day);
}

/**
 * Marks the days from which an erasure removed learners: the aggregation wrote more rows of `users` than the remaining events
 * account for. Their aggregates cannot be recomputed [D23]. Returns the number of such days.
 */
export async function noteErasedDays(tx: Transaction): Promise<number> {
  const rows = await tx.run(
    statement<{ day: Day }>(
      'note_erased_days',
      `update doctor_days d set is_erased = true
       where not d.is_open and (d.row_counts ->> 'users')::bigint > coalesce(
         (select t.active_users from doctor_daily t where t.day = d.day and t.market_id = 0), 0
       )
       returning to_char(d.day, 'YYYY-MM-DD') as day`,
    ),
  );
  for (const table of ['doctor_daily', 'doctor_contents', 'doctor_days'] as const)
    await tx.run(statement<never>(`analyze_${table}_filled`, `analyze ${table}`));
  return rows.length;
}
