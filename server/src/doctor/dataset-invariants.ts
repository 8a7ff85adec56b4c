import {
  countedTypes,
  type DatasetName,
  datasetNames,
  datasetsOf,
  shapeOf,
} from '../analytics/store/datasets.ts';
import type { Invariant } from './invariant.ts';

/** An invariant of a brand in an analytics store in PostgreSQL, within the examination of `examine-datasets.ts`. */
export interface DatasetInvariant extends Invariant {
  /** `learners`: `sql` takes a batch of them, ids above `$2`, up to and including `$3`. */
  readonly by: 'brand' | 'learners';
  /** Selects `day`, `id`, `field`, `stored` and `actual` of the brand `$1`. */
  readonly sql: string;
}

/**
 * The values of one dataset as the doctor computes them: each stored column with its expression over raw events `e`. Written from
 * the definitions [analytics-33] [analytics-35] [analytics-36], independently of the aggregation's own statements.
 */
type Figures = Readonly<Record<string, string>>;

const of = (kind: string) => `e.kind = '${kind}'`;
const countOf = (condition: string) => `count(*) filter (where ${condition})`;
const sumOf = (column: string, condition: string) =>
  `coalesce(sum(e.${column}) filter (where ${condition}), 0)`;

const kinds = { views: 'view', completions: 'completion', successes: 'success' } as const;

const counts: Figures = Object.fromEntries(
  Object.entries(kinds).map(([column, kind]) => [column, countOf(of(kind))]),
);
const efforts: Figures = {
  xp_earned: 'coalesce(sum(e.xp_earned), 0)',
  time_spent_seconds: 'coalesce(sum(e.time_spent_seconds), 0)',
};
const score: Figures = {
  score_sum: sumOf('score', of('quiz')),
  score_count: `count(e.score) filter (where ${of('quiz')})`,
};
const progress: Figures = {
  progress_sum: sumOf('progress', of('view')),
  progress_count: `count(e.progress) filter (where ${of('view')})`,
};
const questions: Figures = { questions: 'coalesce(sum(e.questions), 0)' };

const countsOfType = (type: string): Figures =>
  Object.fromEntries(
    Object.entries(kinds).map(([column, kind]) => [
      `${type}_${column}`,
      countOf(`e.content_type = '${type}' and ${of(kind)}`),
    ]),
  );

const figuresOfType = (type: string): Figures => {
  const isType = `e.content_type = '${type}'`;
  return {
    ...countsOfType(type),
    [`${type}_time_spent_seconds`]: sumOf('time_spent_seconds', isType),
    [`${type}_progress_sum`]: sumOf('progress', `${isType} and ${of('view')}`),
    [`${type}_progress_count`]: `count(e.progress) filter (where ${isType} and ${of('view')})`,
    [`${type}_score_sum`]: sumOf('score', `${isType} and ${of('quiz')}`),
    [`${type}_score_count`]: `count(e.score) filter (where ${isType} and ${of('quiz')})`,
  };
};

const ofEachType = (figures: (type: string) => Figures): Figures =>
  Object.assign({}, ...countedTypes.map((type) => figures(type)));

export const dailyFigures: Figures = {
  active_users: 'count(distinct e.user_id)',
  ...counts,
  ...efforts,
  ...ofEachType(figuresOfType),
};
export const contentFigures: Figures = {
  unique_views: `count(distinct e.user_id) filter (where ${of('view')})`,
  active_users: 'count(distinct e.user_id)',
  ...counts,
  ...efforts,
  ...questions,
  ...progress,
  ...score,
};
const learnerFigures: Figures = { ...counts, ...efforts, ...score, ...ofEachType(countsOfType) };
const engagementFigures: Figures = {
  ...counts,
  ...efforts,
  ...questions,
  answered: 'coalesce(sum(e.answered), 0)',
  ...score,
};

export function selectFigures(figures: Figures): string {
  return Object.entries(figures)
    .map(([column, expression]) => `${expression} as ${column}`)
    .join(', ');
}

/** The events that aggregations of closed days must have counted; `e` is the event and `d` its day. */
export const countedEvents = `from analytics.learning_events e
  join doctor_days d on d.day = e.day and not d.is_open
  where e.brand_id = $1 and (
    not exists (select from doctor_unsettled x where x.user_id = e.user_id)
    or exists (select from analytics.users u where u.brand_id = $1 and u.user_id = e.user_id and u.day = e.day)
  )`;

const columnsOf = (figures: Figures, alias: string) =>
  Object.keys(figures)
    .map((column) => `${alias}.${column}`)
    .join(', ');

interface Comparison {
  readonly figures: Figures;
  /** Selects day, keys and values of the expected rows. */
  readonly truth: string;
  readonly by: DatasetInvariant['by'];
  readonly name: string;
}

/**
 * Compares every value and running total of the stored rows with the expected ones. Running totals are computed from the expected
 * increments, never from stored totals. A missing or surplus row is reported as the field `row`.
 */
function comparison(dataset: DatasetName, { figures, truth, by, name }: Comparison): DatasetInvariant {
  const { keys, cumulated: totals } = shapeOf(dataset);
  const fields = [...Object.keys(figures), ...totals.map((column) => `cumulative_${column}`)];
  const sums = totals.map((column) => `sum(t.${column}) over key_so_far as cumulative_${column}`).join(', ');
  const same = ['day', ...keys].map((key) => `s.${key} = a.${key}`).join(' and ');
  const keysOf = keys.map((key) => `coalesce(s.${key}, a.${key}) as ${key}`).join(', ');
  const values = fields.map((field) => `('${field}', s.${field}::numeric, a.${field}::numeric)`).join(', ');
  return {
    id: `dataset_${dataset}`,
    tables: [`analytics.${dataset}`, 'analytics.learning_events'],
    holds: `The rows of \`${dataset}\` and their running totals follow from the raw events.`,
    repair: 'aggregates from the first damaged day to the last',
    by,
    sql: `with actual as (
        select t.*, ${sums} from (${truth}) t
        window key_so_far as (partition by ${keys.map((key) => `t.${key}`).join(', ')} order by t.day)
      )
      select r.day, to_char(r.day, 'YYYY-MM-DD') || ${name} as id, f.field, f.stored, f.actual
      from (select * from analytics.${dataset} where brand_id = $1${by === 'learners' ? ofLearners : ''}) s
      full join actual a on ${same}
      cross join lateral (select coalesce(s.day, a.day) as day, ${keysOf}) r
      cross join lateral (
        select field, stored::text, actual::text from (values ${values}) as v (field, stored, actual)
        where s.day is not null and a.day is not null and stored is distinct from actual
        union all
        select 'row', case when s.day is not null then 'present' end, case when a.day is not null then 'present' end
        where s.day is null or a.day is null
      ) f`,
  };
}

const ofLearners = ' and user_id > $2 and user_id <= $3';

/** The rows of learners as the events say; those of open days are taken as they are. */
function learnerTruth(dataset: DatasetName, keys: string, figures: Figures, events = ''): string {
  return `select e.day, ${keys}, ${selectFigures(figures)} ${countedEvents}${ofLearners.replaceAll('user_id', 'e.user_id')}
      ${events}
    group by e.day, ${keys}
    union all
    select s.day, ${keys.replaceAll('e.', 's.')}, ${columnsOf(figures, 's')}
    from analytics.${dataset} s join doctor_days d on d.day = s.day and d.is_open
    where s.brand_id = $1${ofLearners}`;
}

/**
 * Brand-level rows (market 0) are required for every aggregated day; market rows are required if the market still exists and has
 * events. A market's totals include the days on which it has a row.
 */
const dailyTruth = `select d.day, q.market_id, ${Object.keys(dailyFigures)
  .map(
    (column) =>
      `case when d.is_open or d.is_erased then s.${column} else coalesce(t.${column}, 0) end as ${column}`,
  )
  .join(', ')}
  from (
    select day, market_id from analytics.daily where brand_id = $1
    union
    select day, 0 from doctor_days
    union
    select day, market_id from doctor_daily where is_required
  ) q join doctor_days d on d.day = q.day
  left join analytics.daily s on s.brand_id = $1 and s.day = q.day and s.market_id = q.market_id
  left join doctor_daily t on t.day = q.day and t.market_id = q.market_id
  where s.day is not null or not (d.is_open or d.is_erased)`;

const contentTruth = `select t.day, t.content_ref_id, ${columnsOf(contentFigures, 't')}
  from doctor_contents t join doctor_days d on d.day = t.day and not d.is_erased
  union all
  select s.day, s.content_ref_id, ${columnsOf(contentFigures, 's')}
  from analytics.contents s join doctor_days d on d.day = s.day and (d.is_open or d.is_erased)
  where s.brand_id = $1`;

/** The rows of a brand in each dataset and day; an erasure removes rows of learners after the aggregation. */
const rowCounts = datasetNames
  .map(
    (name) =>
      `select '${name}' as dataset, day, count(*) as rows from analytics.${name} where brand_id = $1 group by day`,
  )
  .join(' union all ');

export const datasetInvariants: readonly DatasetInvariant[] = [
  comparison('daily', {
    figures: dailyFigures,
    truth: dailyTruth,
    by: 'brand',
    name: `case r.market_id when 0 then '' else ' market ' || r.market_id end`,
  }),
  comparison('contents', {
    figures: contentFigures,
    truth: contentTruth,
    by: 'brand',
    name: `' content ' || r.content_ref_id`,
  }),
  comparison('users', {
    figures: learnerFigures,
    truth: learnerTruth('users', 'e.user_id', learnerFigures),
    by: 'learners',
    name: `' user ' || r.user_id`,
  }),
  comparison('content_engagement', {
    figures: engagementFigures,
    truth: learnerTruth(
      'content_engagement',
      'e.user_id, e.content_ref_id',
      engagementFigures,
      `and e.content_type <> 'quest'`,
    ),
    by: 'learners',
    name: `' user ' || r.user_id || ' content ' || r.content_ref_id`,
  }),
  {
    id: 'dataset_day_records',
    tables: ['analytics.brand_days', 'analytics.dataset_revisions', 'the datasets'],
    holds:
      'Every day with events has a record, and an aggregated one a revision of each dataset; the record counts the rows of the day (an erasure may have removed rows of learners since).',
    repair: 'aggregates from the first damaged day to the last',
    by: 'brand',
    sql: `select d.day, to_char(d.day, 'YYYY-MM-DD') as id, f.field, f.stored, f.actual
      from doctor_days d
      cross join unnest(array['${datasetNames.join(`', '`)}']) as n (dataset)
      left join (${rowCounts}) c on c.day = d.day and c.dataset = n.dataset
      left join analytics.dataset_revisions r on r.brand_id = $1 and r.day = d.day and r.dataset = n.dataset
      cross join lateral (
        select 'rows.' || n.dataset as field, d.row_counts ->> n.dataset as stored, coalesce(c.rows, 0)::text as actual,
          coalesce((d.row_counts ->> n.dataset)::bigint, -1) - coalesce(c.rows, 0) as surplus
        union all
        select 'revision.' || n.dataset, case when r.day is not null then 'present' end, 'present', -1
      ) f
      where f.stored is distinct from f.actual and (f.surplus < 0 or n.dataset not in ('${datasetsOf('learner').join(`', '`)}'))
      union all
      select e.day, to_char(e.day, 'YYYY-MM-DD'), 'record', null, 'known'
      from (select distinct day from analytics.event_claims where brand_id = $1) e
      where not exists (select from analytics.brand_days b where b.brand_id = $1 and b.day = e.day)`,
  },
  {
    // Without a claim, an event's id could be used again; without the event, an event with the id could never be stored.
    id: 'event_claims',
    tables: ['analytics.event_claims', 'analytics.learning_events'],
    holds: 'A day has as many events as ids that are claimed for it.',
    repair: null,
    by: 'brand',
    sql: `select coalesce(c.day, e.day) as day, to_char(coalesce(c.day, e.day), 'YYYY-MM-DD') as id, 'claims' as field,
        coalesce(c.number, 0)::text as stored, coalesce(e.number, 0)::text as actual
      from (select day, count(*) as number from analytics.event_claims where brand_id = $1 group by day) c
      full join (select day, count(*) as number from analytics.learning_events where brand_id = $1 group by day) e
        on e.day = c.day
      where c.number is distinct from e.number`,
  },
];
