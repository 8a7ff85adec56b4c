import type { Day } from '../analytics/day.ts';
import { datasetsOf } from '../analytics/store/datasets.ts';
import type { Database } from '../postgres/database.ts';
import { statement } from '../postgres/statement.ts';
import type { Transaction } from '../postgres/transaction.ts';
import {
  contentFigures,
  countedEvents,
  type DatasetInvariant,
  dailyFigures,
  datasetInvariants,
  selectFigures,
} from './dataset-invariants.ts';
import {
  type AnalyticsExamination,
  type DayDifference,
  DayDifferences,
  type ExamineAnalytics,
  listUnsettledLearners,
} from './examine-analytics.ts';
import { mostListed } from './report.ts';

/** With thousands of events each, the statement stays within its sort memory. */
const learnerBatchSize = 500;

/**
 * Returns the examination of a store whose events and datasets are in PostgreSQL. It recomputes every dataset day of a brand from
 * the raw events, independently of the aggregation, and compares [internal-49] [D71]. Reads one snapshot of the store, by month
 * and by batches of learners. Opt-outs are read from the main database before and after. `live_*` and `total_users` are not
 * compared.
 */
export function examineDatasets(store: Database): ExamineAnalytics {
  return async (main, brandId, cancelled) =>
    store.transaction(async (tx) => {
      const before = await listUnsettledLearners(main, brandId);
      // The first statement that reads determines the snapshot. A learner whose opt-out changes around it is in one of the two
      // lists.
      await beginExamination(tx, brandId);
      const after = await listUnsettledLearners(main, brandId);
      const unsettled = [...before.learnerIds, ...after.learnerIds];
      await run(tx, 'note_unsettled', 'insert into doctor_unsettled select distinct unnest($1::bigint[])', [
        unsettled,
      ]);
      for (const table of ['doctor_days', 'doctor_unsettled'])
        await run(tx, `analyze_${table}`, `analyze ${table}`);
      const marketIds = after.marketIds.filter((id) => before.marketIds.includes(id));
      return compareAll(tx, brandId, marketIds, cancelled);
    });
}

async function compareAll(
  tx: Transaction,
  brandId: number,
  marketIds: readonly number[],
  cancelled: AbortSignal | undefined,
): Promise<AnalyticsExamination> {
  const differences = new DayDifferences();
  const find = async (by: DatasetInvariant['by'], values: readonly number[]) => {
    cancelled?.throwIfAborted();
    for (const invariant of datasetInvariants.filter((each) => each.by === by))
      await findDifferences(tx, invariant, [brandId, ...values], differences);
  };
  for (const month of await listMonths(tx)) {
    cancelled?.throwIfAborted();
    await addMonth(tx, brandId, month, marketIds);
  }
  for (const table of ['doctor_daily', 'doctor_contents'])
    await run(tx, `analyze_${table}`, `analyze ${table}`);
  await find('brand', []);
  for (let from = Number.MIN_SAFE_INTEGER; ; ) {
    const upTo = await findLearnerBatchEnd(tx, brandId, from);
    if (upTo === null) break;
    await find('learners', [from, upTo]);
    from = upTo;
  }
  const [skipped] = await tx.run(
    statement<{ days: number }>(
      'count_skipped_days',
      'select count(*) as days from doctor_days where is_open or is_erased',
    ),
  );
  return { differences, skippedDays: skipped?.days ?? 0 };
}

/**
 * From here on the transaction sees one snapshot. Creates `pg_temp.doctor_days`, the aggregated days of the brand. `is_open`
 * marks those that cannot be recomputed: they are dirty, or their events were dropped. `is_erased` marks those from which an
 * erasure removed learners, whose aggregates cannot be recomputed [D17]: the aggregation wrote more rows of `users`.
 */
async function beginExamination(tx: Transaction, brandId: number): Promise<void> {
  await run(tx, 'doctor_isolation', 'set transaction isolation level repeatable read');
  // Before the snapshot, which would not show that a month of events was dropped after it.
  await run(tx, 'doctor_keep_events', 'lock table only analytics.learning_events in access share mode');
  await run(tx, 'doctor_memory', `set local work_mem = '64MB'`);
  const temporary = (name: string, columns: string) =>
    run(tx, `create_${name}`, `create temporary table ${name} (${columns}) on commit drop`);
  await temporary(
    'doctor_days',
    'day date primary key, row_counts jsonb, is_open boolean, is_erased boolean',
  );
  await run(
    tx,
    'fill_doctor_days',
    `insert into doctor_days
     select b.day, b.row_counts, b.is_dirty or coalesce(b.day < r.kept_since, false),
       coalesce((b.row_counts ->> 'users')::bigint, 0) > (
         select count(*) from analytics.users u where u.brand_id = b.brand_id and u.day = b.day
       )
     from analytics.brand_days b left join analytics.event_retention r on true
     where b.brand_id = $1 and b.aggregated_at is not null`,
    [brandId],
  );
  const columns = (figures: object) =>
    Object.keys(figures)
      .map((name) => `${name} numeric`)
      .join(', ');
  await temporary('doctor_unsettled', 'user_id bigint primary key');
  await temporary(
    'doctor_daily',
    `day date, market_id bigint, is_required boolean, ${columns(dailyFigures)}`,
  );
  await temporary('doctor_contents', `day date, content_ref_id bigint, ${columns(contentFigures)}`);
}

async function listMonths(tx: Transaction): Promise<Day[]> {
  const rows = await tx.run(
    statement<{ day: Day }>(
      'list_doctor_months',
      `select distinct to_char(date_trunc('month', day), 'YYYY-MM-DD') as day from doctor_days where not is_open order by 1`,
    ),
  );
  return rows.map(({ day }) => day);
}

/** Adds the values of a month's events to the expected rows. A month is a partition, and is processed in one statement. */
async function addMonth(
  tx: Transaction,
  brandId: number,
  month: Day,
  marketIds: readonly number[],
): Promise<void> {
  const ofMonth = `${countedEvents} and e.day >= $2::date and e.day < $2::date + interval '1 month'`;
  await run(
    tx,
    'add_doctor_daily',
    `insert into doctor_daily
     select e.day, 0, true, ${selectFigures(dailyFigures)} ${ofMonth} group by e.day
     union all
     select e.day, e.market_id, e.market_id = any($3::bigint[]), ${selectFigures(dailyFigures)}
       ${ofMonth} and e.market_id is not null
     group by e.day, e.market_id`,
    [brandId, month, marketIds],
  );
  await run(
    tx,
    'add_doctor_contents',
    `insert into doctor_contents
     select e.day, e.content_ref_id, ${selectFigures(contentFigures)} ${ofMonth} and e.content_type <> 'quest'
     group by e.day, e.content_ref_id`,
    [brandId, month],
  );
}

/** The end of the batch of learners, with events or rows, that begins after `after`; null if none remains. */
async function findLearnerBatchEnd(tx: Transaction, brandId: number, after: number): Promise<number | null> {
  const next = (table: string) =>
    `(select min(t.user_id) from analytics.${table} t where t.brand_id = $1 and t.user_id > i.id)`;
  // One index look-up for each learner, not one for each event or row.
  const rows = await tx.run(
    statement<{ id: number | null }>(
      'find_user_batch_end',
      `with recursive ids as (
         select $2::bigint as id, 0 as place
         union all
         select least(${['learning_events', ...datasetsOf('learner')].map(next).join(', ')}), i.place + 1
         from ids i where i.id is not null and i.place < $3
       )
       select max(id) as id from ids where place > 0`,
      [brandId, after, learnerBatchSize],
    ),
  );
  return rows[0]?.id ?? null;
}

interface DifferenceRow extends DayDifference {
  readonly found: number;
  readonly firstDay: Day;
  readonly lastDay: Day;
}

async function findDifferences(
  tx: Transaction,
  { id, sql }: DatasetInvariant,
  values: readonly number[],
  differences: DayDifferences,
): Promise<void> {
  const rows = await tx.run(
    statement<DifferenceRow>(
      `find_${id}`,
      `select to_char(day, 'YYYY-MM-DD') as day, id, field, stored, actual, count(*) over () as found,
         to_char(min(day) over (), 'YYYY-MM-DD') as "firstDay", to_char(max(day) over (), 'YYYY-MM-DD') as "lastDay"
       from (${sql}) as different
       order by different.day, id, field
       limit ${mostListed}`,
      values,
    ),
  );
  const listed = rows.map(({ day, id, field, stored, actual }) => ({ day, id, field, stored, actual }));
  for (const { found, firstDay, lastDay } of rows.slice(0, 1))
    differences.add(id, listed, { found, range: { from: firstDay, to: lastDay } });
}

async function run(
  tx: Transaction,
  name: string,
  sql: string,
  values: readonly unknown[] = [],
): Promise<void> {
  await tx.run(statement<never>(name, sql, values));
}
