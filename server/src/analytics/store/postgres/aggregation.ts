import { statement } from '../../../postgres/statement.ts';
import type { Transaction } from '../../../postgres/transaction.ts';
import type { Day, DayRange } from '../../day.ts';
import { type DatasetName, ofDatasets, type RowCounts } from '../datasets.ts';
import type { DirectoryAtAggregation, ReplacedDays, Replacement } from '../engine.ts';
import { type DatasetDefinition, datasetDefinitions } from './dataset-definitions.ts';

/**
 * Memory for each sort and grouping. With PostgreSQL's default of 4 MB, a day with a million events is sorted in temporary
 * files.
 */
const workMem = '64MB';

/** Counts are integers: sums of bigint are numeric, and several times as slow. An `_sum` is exact. */
const foldFigures = [
  ['views', 'integer', `count(*) filter (where e.kind = 'view')`],
  ['completions', 'integer', `count(*) filter (where e.kind = 'completion')`],
  ['successes', 'integer', `count(*) filter (where e.kind = 'success')`],
  ['xp_earned', 'bigint', 'sum(e.xp_earned)'],
  ['time_spent_seconds', 'bigint', 'sum(e.time_spent_seconds)'],
  ['progress_sum', 'numeric', `coalesce(sum(e.progress) filter (where e.kind = 'view'), 0)`],
  ['progress_count', 'integer', `count(e.progress) filter (where e.kind = 'view')`],
  ['score_sum', 'numeric', `coalesce(sum(e.score) filter (where e.kind = 'quiz'), 0)`],
  ['score_count', 'integer', `count(e.score) filter (where e.kind = 'quiz')`],
  ['questions', 'bigint', 'coalesce(sum(e.questions), 0)'],
  ['answered', 'bigint', 'coalesce(sum(e.answered), 0)'],
] as const;

const figureColumns = foldFigures.map(([name, type]) => `${name} ${type}`).join(', ');
const figureSums = foldFigures.map(([, , sum]) => sum).join(', ');

/**
 * Creates temporary tables for this transaction: `fold_by_user` by day, learner, content type and market, and `fold_by_content`
 * by day, learner and content, without quests.
 */
export async function createFold(tx: Transaction): Promise<void> {
  for (const create of [
    statement<never>('give_fold_memory', `set local work_mem = '${workMem}'`),
    statement<never>(
      'create_fold_by_user',
      `create temporary table fold_by_user
         (day date, user_id bigint, content_type text collate "C", market_id bigint, ${figureColumns}) on commit drop`,
    ),
    statement<never>(
      'create_fold_by_content',
      `create temporary table fold_by_content
         (day date, user_id bigint, content_ref_id bigint, content_type text collate "C", ${figureColumns}) on commit drop`,
    ),
  ])
    await tx.run(create);
}

/** Aggregates raw events into both tables in one statement, so all datasets agree even if events arrive at the same time. */
async function foldEvents(
  tx: Transaction,
  brandId: number,
  { from, to }: DayRange,
  excludedLearnerIds: readonly number[],
): Promise<void> {
  const counted = `from analytics.learning_events e
       where e.brand_id = $1 and e.day between $2::date and $3::date
         and not exists (select from unnest($4::bigint[]) as excluded (id) where excluded.id = e.user_id)`;
  await tx.run(
    statement<never>(
      'fold_learning_events',
      `with by_user as (
         insert into pg_temp.fold_by_user
         select e.day, e.user_id, e.content_type, e.market_id, ${figureSums} ${counted}
         group by e.day, e.user_id, e.content_type, e.market_id
       )
       insert into pg_temp.fold_by_content
       select e.day, e.user_id, e.content_ref_id, min(e.content_type), ${figureSums} ${counted}
         and e.content_type <> 'quest'
       group by e.day, e.user_id, e.content_ref_id`,
      [brandId, from, to, excludedLearnerIds],
    ),
  );
}

async function analyzeFold(tx: Transaction): Promise<void> {
  for (const analyze of [
    statement<never>(
      'analyze_fold_by_user',
      'analyze pg_temp.fold_by_user (day, user_id, content_type, market_id)',
    ),
    statement<never>(
      'analyze_fold_by_content',
      'analyze pg_temp.fold_by_content (day, user_id, content_ref_id)',
    ),
  ])
    await tx.run(analyze);
}

type Days = Pick<Replacement, 'range' | 'hasLaterDays'>;

/**
 * Makes the transaction use indexes. The statistics of an empty table make a scan look free, while the statement that plans
 * with them inserts the rows, which it would scan for each key.
 */
const preferIndexes = statement<never>('prefer_indexes', 'set local enable_seqscan = off');

/**
 * Returns the statements that replace a range of days in one dataset, in execution order; the last four run only if later days
 * exist. Each key whose rows changed gets its later running totals recomputed from the total at the end of the range, never
 * adjusted by a difference [analytics-42] [D24].
 */
function datasetStatements(definition: DatasetDefinition) {
  const { name, values } = definition;
  const texts = textsOf(definition);
  const named = <Row = never>(verb: keyof typeof texts, parameters: readonly unknown[] = []) =>
    statement<Row>(`${verb}_${name}`, texts[verb], parameters);
  return {
    definition,
    /** Creates `pg_temp.removed_<dataset>` and `pg_temp.changed_<dataset>`, which exist until the transaction ends. */
    createChange: () => [named('create_removed'), named('create_changed')],
    remove: (brandId: number, { range: { from, to }, hasLaterDays }: Days) =>
      named(hasLaterDays ? 'remove_days' : 'remove_last_days', [brandId, from, to]),
    /** Inserts the new rows; returns their number by day. */
    write: (brandId: number, { range: { from, to } }: Days, directory: DirectoryAtAggregation) =>
      named<{ day: Day; rows: number }>(from === to ? 'write_day' : 'write_days', [
        brandId,
        from,
        to,
        ...values(directory),
      ]),
    analyzeRemoved: () => named('analyze_removed'),
    /** Fills `changed_<dataset>`: the keys with a row that was added, removed or changed. */
    listChanged: (brandId: number, { from, to }: DayRange) => named('list_changed_keys', [brandId, from, to]),
    analyzeChanged: () => named('analyze_changed'),
    /** Recomputes the running totals of the changed keys after the range; returns the days with a changed row. */
    correctLater: (brandId: number, { to }: DayRange) =>
      named<{ day: Day }>('correct_later_days', [brandId, to]),
  };
}

function textsOf({ name, keys, attributes, sums, cumulated, fresh }: DatasetDefinition) {
  const table = `analytics.${name}`;
  const removed = `pg_temp.removed_${name}`;
  const changed = `pg_temp.changed_${name}`;
  const cumulative = cumulated.map((column) => `cumulative_${column}`);
  const keyList = keys.join(', ');
  const figures = [...cumulated, ...cumulative];
  const columns = ['brand_id', 'day', ...keys, ...attributes, ...sums, ...cumulative];
  const each = (form: (column: string) => string, separator = ', ') => cumulated.map(form).join(separator);
  const of = (alias: string, list: readonly string[]) =>
    list.map((column) => `${alias}.${column}`).join(', ');
  const sameKey = (a: string, b: string) => keys.map((key) => `${a}.${key} = ${b}.${key}`).join(' and ');
  const daysFirst = of('f', ['day', ...keys, ...attributes, ...sums]);

  // The running totals of a key at the end of the days that `until` accepts. Keys are looked up and written in order,
  // so that neighbours read the same index pages.
  const lastRow = (key: string, until: string) => `left join lateral (
          select ${cumulative.join(', ')} from ${table} b
          where b.brand_id = $1 and ${sameKey('b', key)} and b.day ${until}
          order by b.day desc limit 1
        ) b on true`;
  const oneDay = `with rows as (
        select $1::integer, ${daysFirst}, ${each((column) => `coalesce(b.cumulative_${column}, 0) + f.${column}`)}
        from (select * from (${fresh}) fresh order by ${keyList}) f
        ${lastRow('f', '< $2::date')}
      )`;
  const manyDays = `with fresh as materialized (${fresh}),
      base as (
        select k.*, ${each((column) => `coalesce(b.cumulative_${column}, 0) as ${column}`)}
        from (select distinct ${keyList} from fresh order by ${keyList}) k
        ${lastRow('k', '< $2::date')}
      ),
      rows as (
        select $1::integer, ${daysFirst}, ${each((column) => `base.${column} + sum(f.${column}) over key_so_far`)}
        from fresh f join base on ${sameKey('base', 'f')}
        window key_so_far as (partition by ${of('f', keys)} order by f.day)
      )`;
  const write = (rows: string) => `${rows},
      written as (
        insert into ${table} (${columns.join(', ')}) table rows
        returning day
      )
      select to_char(day, 'YYYY-MM-DD') as day, count(*) as rows from written group by written.day`;

  return {
    create_removed: `create temporary table removed_${name} on commit drop as
      select day, ${keyList}, ${figures.join(', ')} from ${table} with no data`,
    create_changed: `create temporary table changed_${name} on commit drop as
      select ${keyList} from ${table} with no data`,

    remove_last_days: `delete from ${table} where brand_id = $1 and day between $2::date and $3::date`,

    remove_days: `with gone as (
        delete from ${table} where brand_id = $1 and day between $2::date and $3::date
        returning day, ${keyList}, ${figures.join(', ')}
      )
      insert into ${removed} table gone`,

    write_day: write(oneDay),
    write_days: write(manyDays),

    analyze_removed: `analyze ${removed} (day, ${keyList})`,

    list_changed_keys: `insert into ${changed}
      select distinct ${keys.map((key) => `coalesce(t.${key}, r.${key})`).join(', ')}
      from (
        select day, ${keyList}, ${figures.join(', ')} from ${table}
        where brand_id = $1 and day between $2::date and $3::date
      ) t
      full join ${removed} r on r.day = t.day and ${sameKey('r', 't')}
      where t.day is null or r.day is null or (${of('t', figures)}) is distinct from (${of('r', figures)})`,

    analyze_changed: `analyze ${changed}`,

    // Rows are updated by their places, which the lock of the datasets keeps: statistics know too few rows of the latest days,
    // and the planner would read a whole day for each row.
    correct_later_days: `with base as materialized (
        select ${of('k', keys)}, ${each((column) => `coalesce(b.cumulative_${column}, 0) as ${column}`)}
        from (select * from ${changed} order by ${keyList}) k
        ${lastRow('k', '<= $2::date')}
      ),
      later as materialized (
        select l.ctid as place, l.day, ${of('l', keys)}, ${each((column) => `base.${column} + sum(l.${column}) over key_so_far as ${column}`)}
        from base join ${table} l on l.brand_id = $1 and ${sameKey('l', 'base')} and l.day > $2::date
        window key_so_far as (partition by ${of('l', keys)} order by l.day)
      ),
      corrected as (
        update ${table} t
        set ${each((column) => `cumulative_${column} = l.${column}`)}
        from later l
        where t.brand_id = $1 and t.ctid = l.place
          and (${of('t', cumulative)}) is distinct from (${of('l', cumulated)})
        returning t.day
      )
      select to_char(day, 'YYYY-MM-DD') as day from (select distinct day from corrected) as days`,
  };
}

const statementsOfDatasets = datasetDefinitions.map(datasetStatements);

/** See `AnalyticsEngine.replaceDays`. */
export async function replaceDays(
  tx: Transaction,
  brandId: number,
  replacement: Replacement,
): Promise<ReplacedDays> {
  await createFold(tx);
  await foldEvents(tx, brandId, replacement.range, replacement.directory.excludedLearnerIds);
  return replaceByFold(tx, brandId, replacement);
}

const noRows = ofDatasets(() => 0);

/** Replaces the rows of the days by those of the fold. */
export async function replaceByFold(
  tx: Transaction,
  brandId: number,
  replacement: Omit<Replacement, 'endsAt'>,
): Promise<ReplacedDays> {
  const { range, directory, hasLaterDays } = replacement;
  await analyzeFold(tx);
  if (!hasLaterDays) await tx.run(preferIndexes);
  const written = new Map<Day, RowCounts>();
  const corrected: Partial<Record<DatasetName, readonly Day[]>> = {};
  for (const dataset of statementsOfDatasets) {
    const { name } = dataset.definition;
    if (hasLaterDays) for (const create of dataset.createChange()) await tx.run(create);
    await tx.run(dataset.remove(brandId, replacement));
    for (const { day, rows } of await tx.run(dataset.write(brandId, replacement, directory)))
      written.set(day, { ...(written.get(day) ?? noRows), [name]: rows });
    if (!hasLaterDays) continue;
    await tx.run(dataset.analyzeRemoved());
    await tx.run(dataset.listChanged(brandId, range));
    await tx.run(dataset.analyzeChanged());
    corrected[name] = (await tx.run(dataset.correctLater(brandId, range))).map(({ day }) => day);
  }
  return { rows: written, corrected };
}
