import { type AnalyticsInvariant, aggregates } from './analytics-invariant.ts';
import { compare } from './compare-sql.ts';
import {
  contentFigures,
  countedEvents,
  dailyFigures,
  engagementFigures,
  type Figures,
  learnerFigures,
  selectFigures,
} from './figures.ts';

const columnsOf = (figures: Figures, alias: string) =>
  Object.keys(figures)
    .map((column) => `${alias}.${column}`)
    .join(', ');

const trueFigures = Object.keys(dailyFigures)
  .map(
    (column) =>
      `case when d.is_open or d.is_erased then s.${column} else coalesce(t.${column}, 0) end as ${column}`,
  )
  .join(', ');

const storedDaily = 'select * from analytics.daily where brand_id = $1';
const storedEngagement =
  'select * from analytics.content_engagement where brand_id = $1 and user_id > $2 and user_id <= $3';

export const datasetInvariants: readonly AnalyticsInvariant[] = [
  {
    // Brand-level rows (market 0) are required for every aggregated day; market rows are required if the market still
    // exists and has events. A market's totals include the days on which it has a row.
    id: 'dataset_daily',
    tables: ['analytics.daily', 'analytics.learning_events'],
    holds: 'Daily rows and their running totals follow from the raw events.',
    finds: [
      {
        by: 'markets',
        sql: compare({
          dataset: 'daily',
          keys: ['market_id'],
          figures: dailyFigures,
          truth: `select d.day, q.market_id, ${trueFigures}
            from (
              select day, market_id from analytics.daily where brand_id = $1
              union
              select day, 0 from doctor_days
              union
              select day, market_id from doctor_daily where market_id = any($2::bigint[])
            ) q join doctor_days d on d.day = q.day
            left join (${storedDaily}) s on s.day = q.day and s.market_id = q.market_id
            left join doctor_daily t on t.day = q.day and t.market_id = q.market_id
            where s.day is not null or not (d.is_open or d.is_erased)`,
          stored: storedDaily,
          name: `to_char(r.day, 'YYYY-MM-DD') || case r.market_id when 0 then '' else ' market ' || r.market_id end`,
        }),
      },
    ],
    repair: aggregates,
  },
  {
    id: 'dataset_contents',
    tables: ['analytics.contents', 'analytics.learning_events'],
    holds: 'Content rows and their running totals follow from the raw events.',
    finds: [
      {
        by: 'brand',
        sql: compare({
          dataset: 'contents',
          keys: ['content_ref_id'],
          figures: contentFigures,
          truth: `select t.day, t.content_ref_id, ${columnsOf(contentFigures, 't')}
            from doctor_contents t join doctor_days d on d.day = t.day and not d.is_erased
            union all
            select s.day, s.content_ref_id, ${columnsOf(contentFigures, 's')}
            from analytics.contents s join doctor_days d on d.day = s.day and (d.is_open or d.is_erased)
            where s.brand_id = $1`,
          stored: 'select * from analytics.contents where brand_id = $1',
          name: `to_char(r.day, 'YYYY-MM-DD') || ' content ' || r.content_ref_id`,
        }),
      },
    ],
    repair: aggregates,
  },
  {
    id: 'dataset_users',
    tables: ['analytics.users', 'analytics.learning_events'],
    holds: 'Learner rows and their running totals follow from the raw events.',
    finds: [
      {
        by: 'learners',
        sql: compare({
          dataset: 'users',
          keys: ['user_id'],
          figures: learnerFigures,
          truth: `select e.day, e.user_id, ${selectFigures(learnerFigures)} ${countedEvents}
              and e.user_id > $2 and e.user_id <= $3
            group by e.day, e.user_id
            union all
            select s.day, s.user_id, ${columnsOf(learnerFigures, 's')}
            from analytics.users s join doctor_days d on d.day = s.day and d.is_open
            where s.brand_id = $1 and s.user_id > $2 and s.user_id <= $3`,
          stored: 'select * from analytics.users where brand_id = $1 and user_id > $2 and user_id <= $3',
          name: `to_char(r.day, 'YYYY-MM-DD') || ' user ' || r.user_id`,
        }),
      },
    ],
    repair: aggregates,
  },
  {
    id: 'dataset_content_engagement',
    tables: ['analytics.content_engagement', 'analytics.learning_events'],
    holds: 'Rows by learner and content and their running totals follow from the raw events.',
    finds: [
      {
        by: 'learners',
        sql: compare({
          dataset: 'content_engagement',
          keys: ['user_id', 'content_ref_id'],
          figures: engagementFigures,
          truth: `select e.day, e.user_id, e.content_ref_id, ${selectFigures(engagementFigures)} ${countedEvents}
              and e.user_id > $2 and e.user_id <= $3 and e.content_type <> 'quest'
            group by e.day, e.user_id, e.content_ref_id
            union all
            select s.day, s.user_id, s.content_ref_id, ${columnsOf(engagementFigures, 's')}
            from (${storedEngagement}) s join doctor_days d on d.day = s.day and d.is_open`,
          stored: storedEngagement,
          name: `to_char(r.day, 'YYYY-MM-DD') || ' user ' || r.user_id || ' content ' || r.content_ref_id`,
        }),
      },
    ],
    repair: aggregates,
  },
];
