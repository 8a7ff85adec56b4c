import { statement } from '../../../postgres/statement.ts';
import type { Transaction } from '../../../postgres/transaction.ts';
import { compare, type DatasetDifferenceRow } from './compare-sql.ts';
import {
  contentFigures,
  dailyFigures,
  engagementFigures,
  type Figures,
  learnerFigures,
  selectFigures,
} from './figures.ts';
import { countedEvents } from './prepare-examination-store.ts';

const columnsOf = (figures: Figures, alias: string) =>
  Object.keys(figures)
    .map((column) => `${alias}.${column}`)
    .join(', ');

/**
 * Brand-level rows (market 0) are required for every aggregated day; market rows are required if the market still
 * exists and has events. A market's totals include the days on which it has a row.
 */
export async function findDailyDifferences(
  tx: Transaction,
  brandId: number,
  marketIds: readonly number[],
): Promise<DatasetDifferenceRow[]> {
  const stored = `select * from analytics.daily where brand_id = $1`;
  const trueFigures = Object.keys(dailyFigures)
    .map(
      (column) =>
        `case when d.is_open or d.is_erased then s.${column} else coalesce(t.${column}, 0) end as ${column}`,
    )
    .join(', ');
  return tx.run(
    statement<DatasetDifferenceRow>(
      'find_daily_differences',
      `with required as (
         select day, market_id from analytics.daily where brand_id = $1
         union
         select day, 0 from doctor_days
         union
         select day, market_id from doctor_daily where market_id = any($2::bigint[])
       ),
       ${compare({
         dataset: 'daily',
         keys: ['market_id'],
         figures: dailyFigures,
         truth: `select d.day, q.market_id, ${trueFigures}
           from required q join doctor_days d on d.day = q.day
           left join (${stored}) s on s.day = q.day and s.market_id = q.market_id
           left join doctor_daily t on t.day = q.day and t.market_id = q.market_id
           where s.day is not null or not (d.is_open or d.is_erased)`,
         stored,
         name: `to_char(r.day, 'YYYY-MM-DD') || case r.market_id when 0 then '' else ' market ' || r.market_id end`,
       })}`,
      [brandId, marketIds],
    ),
  );
}

export async function findContentDifferences(
  tx: Transaction,
  brandId: number,
): Promise<DatasetDifferenceRow[]> {
  return tx.run(
    statement<DatasetDifferenceRow>(
      'find_content_differences',
      `with ${compare({
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
      })}`,
      [brandId],
    ),
  );
}

/** A range of learner ids: greater than `after`, up to and including `upTo`. */
export interface LearnerBatch {
  readonly after: number;
  readonly upTo: number;
}

/** The end of the batch of learners, with events or rows, that begins after `after`; null if none remains. */
export async function findLearnerBatchEnd(
  tx: Transaction,
  brandId: number,
  after: number,
  size: number,
): Promise<number | null> {
  // One index look-up for each learner, not one for each event or row.
  const rows = await tx.run(
    statement<{ id: number | null }>(
      'find_user_batch_end',
      `with recursive ids as (
         select $2::bigint as id, 0 as place
         union all
         select least(
           (select min(e.user_id) from analytics.learning_events e where e.brand_id = $1 and e.user_id > i.id),
           (select min(u.user_id) from analytics.users u where u.brand_id = $1 and u.user_id > i.id),
           (select min(c.user_id) from analytics.content_engagement c where c.brand_id = $1 and c.user_id > i.id)
         ), i.place + 1
         from ids i where i.id is not null and i.place < $3
       )
       select max(id) as id from ids where place > 0`,
      [brandId, after, size],
    ),
  );
  return rows[0]?.id ?? null;
}

export async function findLearnerDifferences(
  tx: Transaction,
  brandId: number,
  { after, upTo }: LearnerBatch,
): Promise<DatasetDifferenceRow[]> {
  return tx.run(
    statement<DatasetDifferenceRow>(
      'find_user_differences',
      `with ${compare({
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
      })}`,
      [brandId, after, upTo],
    ),
  );
}

export async function findEngagementDifferences(
  tx: Transaction,
  brandId: number,
  { after, upTo }: LearnerBatch,
): Promise<DatasetDifferenceRow[]> {
  const stored =
    'select * from analytics.content_engagement where brand_id = $1 and user_id > $2 and user_id <= $3';
  return tx.run(
    statement<DatasetDifferenceRow>(
      'find_engagement_differences',
      `with ${compare({
        dataset: 'content_engagement',
        keys: ['user_id', 'content_ref_id'],
        figures: engagementFigures,
        truth: `select e.day, e.user_id, e.content_ref_id, ${selectFigures(engagementFigures)} ${countedEvents}
            and e.user_id > $2 and e.user_id <= $3 and e.content_type <> 'quest'
          group by e.day, e.user_id, e.content_ref_id
          union all
          select s.day, s.user_id, s.content_ref_id, ${columnsOf(engagementFigures, 's')}
          from (${stored}) s join doctor_days d on d.day = s.day and d.is_open`,
        stored,
        name: `to_char(r.day, 'YYYY-MM-DD') || ' user ' || r.user_id || ' content ' || r.content_ref_id`,
      })}`,
      [brandId, after, upTo],
    ),
  );
}
