import { type AnalyticsInvariant, aggregates } from './analytics-invariant.ts';

/** Compares a day record with the rows of its day; an erasure removes rows of learners after the aggregation. */
const rowsOf = (dataset: string, relation: '<>' | '<') => `
  select d.day, to_char(d.day, 'YYYY-MM-DD') as id, 'rows.${dataset}' as field, d.row_counts ->> '${dataset}' as stored,
    coalesce(n.rows, 0)::text as actual
  from doctor_days d
  left join (select day, count(*) as rows from analytics.${dataset} where brand_id = $1 group by day) n on n.day = d.day
  where coalesce((d.row_counts ->> '${dataset}')::bigint, -1) ${relation} coalesce(n.rows, 0)`;

export const eventInvariants: readonly AnalyticsInvariant[] = [
  {
    id: 'dataset_day_records',
    tables: ['analytics.brand_days', 'the datasets'],
    holds:
      'A day record counts the rows of its day (an erasure may have removed rows of learners since), and every day with events has one.',
    finds: [
      {
        by: 'brand',
        sql: `${rowsOf('daily', '<>')}
        union all ${rowsOf('contents', '<>')}
        union all ${rowsOf('users', '<')}
        union all ${rowsOf('content_engagement', '<')}
        union all
        select e.day, to_char(e.day, 'YYYY-MM-DD'), 'record', null, 'known'
        from (select distinct day from analytics.event_claims where brand_id = $1) e
        where not exists (select from analytics.brand_days b where b.brand_id = $1 and b.day = e.day)`,
      },
    ],
    repair: aggregates,
  },
  {
    id: 'dataset_revisions',
    tables: ['analytics.dataset_revisions', 'analytics.brand_days'],
    holds:
      'Each dataset has a revision of each aggregated day and of no other, so that `latest_date` is right.',
    finds: [
      {
        by: 'brand',
        sql: `select coalesce(k.day, r.day) as day,
          to_char(coalesce(k.day, r.day), 'YYYY-MM-DD') || ' ' || coalesce(k.dataset, r.dataset) as id, 'revision' as field,
          case when r.day is not null then 'present' end as stored, case when k.day is not null then 'present' end as actual
        from (
          select d.day, n.dataset from doctor_days d
          cross join (values ('daily'), ('contents'), ('users'), ('content_engagement')) as n (dataset)
        ) k
        full join (select day, dataset from analytics.dataset_revisions where brand_id = $1) r
          on r.day = k.day and r.dataset = k.dataset
        where k.day is null or r.day is null`,
      },
    ],
    repair: aggregates,
  },
  {
    // Otherwise an event is counted on the wrong day, or dropped too early.
    id: 'event_days',
    tables: ['analytics.learning_events'],
    holds: 'The day of an event is the UTC day of its instant.',
    finds: [
      {
        by: 'learners',
        sql: `select e.day, e.event_id as id, 'day' as field, e.day::text as stored,
          (e.occurred_at at time zone 'UTC')::date::text as actual
        from analytics.learning_events e
        where e.brand_id = $1 and e.user_id > $2 and e.user_id <= $3
          and e.day <> (e.occurred_at at time zone 'UTC')::date`,
      },
    ],
    repair: null,
  },
  {
    // Without a claim, the id could be used again; without its event, an event with the id could never be stored.
    id: 'event_claims',
    tables: ['analytics.event_claims', 'analytics.learning_events'],
    holds: 'Every event has a claim of its id for its day, and every claim has its event.',
    finds: [
      {
        by: 'learners',
        sql: `select e.day, e.event_id as id, 'claimed_day' as field, c.day::text as stored, e.day::text as actual
        from analytics.learning_events e
        left join analytics.event_claims c on c.brand_id = $1 and c.event_id = e.event_id
        where e.brand_id = $1 and e.user_id > $2 and e.user_id <= $3 and c.day is distinct from e.day`,
      },
      {
        by: 'claims',
        sql: `select c.day, c.event_id as id, 'event' as field, 'claimed' as stored, null as actual
        from analytics.event_claims c
        where c.brand_id = $1 and c.event_id > $2 and c.event_id <= $3 and not exists (
          select from analytics.learning_events e
          where e.brand_id = $1 and e.day = c.day and e.event_id = c.event_id
        )`,
      },
    ],
    repair: null,
  },
];
