import { statement } from '../../../postgres/statement.ts';
import type { Transaction } from '../../../postgres/transaction.ts';
import { type DatasetDifferenceRow, exampleLimit } from './compare-sql.ts';
import type { LearnerBatch } from './find-dataset-differences.ts';

const told = (differences: string) => `select to_char(day, 'YYYY-MM-DD') as day, id, field, stored, actual,
    count(*) over () as found, to_char(min(day) over (), 'YYYY-MM-DD') as first_day,
    to_char(max(day) over (), 'YYYY-MM-DD') as last_day
  from (${differences}) as different
  order by different.day, id, field
  limit ${exampleLimit}`;

/**
 * Finds events whose day is not the UTC day of their instant: they are counted on the wrong day, or dropped too early.
 */
export async function findEventDayDifferences(
  tx: Transaction,
  brandId: number,
  { after, upTo }: LearnerBatch,
): Promise<DatasetDifferenceRow[]> {
  return tx.run(
    statement<DatasetDifferenceRow>(
      'find_event_day_differences',
      told(`select e.day, e.event_id as id, 'day' as field, e.day::text as stored,
          (e.occurred_at at time zone 'UTC')::date::text as actual
        from analytics.learning_events e
        where e.brand_id = $1 and e.user_id > $2 and e.user_id <= $3
          and e.day <> (e.occurred_at at time zone 'UTC')::date`),
      [brandId, after, upTo],
    ),
  );
}

/** Finds events without a claim of their id for their day: the id could be used again. */
export async function findUnclaimedEvents(
  tx: Transaction,
  brandId: number,
  { after, upTo }: LearnerBatch,
): Promise<DatasetDifferenceRow[]> {
  return tx.run(
    statement<DatasetDifferenceRow>(
      'find_unclaimed_events',
      told(`select e.day, e.event_id as id, 'claimed_day' as field, c.day::text as stored, e.day::text as actual
        from analytics.learning_events e
        left join analytics.event_claims c on c.brand_id = $1 and c.event_id = e.event_id
        where e.brand_id = $1 and e.user_id > $2 and e.user_id <= $3 and c.day is distinct from e.day`),
      [brandId, after, upTo],
    ),
  );
}

/** The last id of the batch of claims that begins after `after`; null if none remains. */
export async function findClaimBatchEnd(
  tx: Transaction,
  brandId: number,
  after: string,
  size: number,
): Promise<string | null> {
  const rows = await tx.run(
    statement<{ id: string | null }>(
      'find_claim_batch_end',
      `select max(c.event_id) as id from (
         select event_id from analytics.event_claims where brand_id = $1 and event_id > $2 order by event_id limit $3
       ) c`,
      [brandId, after, size],
    ),
  );
  return rows[0]?.id ?? null;
}

/** Finds claims without an event: an event with such an id could never be stored. */
export async function findIdleClaims(
  tx: Transaction,
  brandId: number,
  after: string,
  upTo: string,
): Promise<DatasetDifferenceRow[]> {
  return tx.run(
    statement<DatasetDifferenceRow>(
      'find_idle_claims',
      told(`select c.day, c.event_id as id, 'event' as field, 'claimed' as stored, null as actual
        from analytics.event_claims c
        where c.brand_id = $1 and c.event_id > $2 and c.event_id <= $3 and not exists (
          select from analytics.learning_events e
          where e.brand_id = $1 and e.day = c.day and e.event_id = c.event_id
        )`),
      [brandId, after, upTo],
    ),
  );
}

/**
 * Compares the records of days: the rows of each dataset at the last aggregation (an erasure removes rows of
 * learners later, so there may be fewer now), and rows or events of days without a record.
 */
export async function findDayRecordDifferences(
  tx: Transaction,
  brandId: number,
): Promise<DatasetDifferenceRow[]> {
  const rowsOf = (dataset: string, relation: '<>' | '<') => `
    select d.day, to_char(d.day, 'YYYY-MM-DD') as id, 'rows.${dataset}' as field, d.row_counts ->> '${dataset}' as stored,
      coalesce(n.rows, 0)::text as actual
    from doctor_days d
    left join (select day, count(*) as rows from analytics.${dataset} where brand_id = $1 group by day) n on n.day = d.day
    where coalesce((d.row_counts ->> '${dataset}')::bigint, -1) ${relation} coalesce(n.rows, 0)`;
  return tx.run(
    statement<DatasetDifferenceRow>(
      'find_day_record_differences',
      told(`${rowsOf('daily', '<>')}
        union all ${rowsOf('contents', '<>')}
        union all ${rowsOf('users', '<')}
        union all ${rowsOf('content_engagement', '<')}
        union all
        select e.day, to_char(e.day, 'YYYY-MM-DD'), 'record', null, 'known'
        from (select distinct day from analytics.event_claims where brand_id = $1) e
        where not exists (select from analytics.brand_days b where b.brand_id = $1 and b.day = e.day)`),
      [brandId],
    ),
  );
}

/**
 * Finds missing and surplus revisions: each dataset has one of each aggregated day, and of no other. `latest_date` is
 * read from them.
 */
export async function findRevisionDifferences(
  tx: Transaction,
  brandId: number,
): Promise<DatasetDifferenceRow[]> {
  return tx.run(
    statement<DatasetDifferenceRow>(
      'find_revision_differences',
      told(`select coalesce(k.day, r.day) as day,
          to_char(coalesce(k.day, r.day), 'YYYY-MM-DD') || ' ' || coalesce(k.dataset, r.dataset) as id, 'revision' as field,
          case when r.day is not null then 'present' end as stored, case when k.day is not null then 'present' end as actual
        from (
          select d.day, n.dataset from doctor_days d
          cross join (values ('daily'), ('contents'), ('users'), ('content_engagement')) as n (dataset)
        ) k
        full join (select day, dataset from analytics.dataset_revisions where brand_id = $1) r
          on r.day = k.day and r.dataset = k.dataset
        where k.day is null or r.day is null`),
      [brandId],
    ),
  );
}
