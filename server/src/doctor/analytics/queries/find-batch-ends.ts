import { statement } from '../../../postgres/statement.ts';
import type { Transaction } from '../../../postgres/transaction.ts';

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
