import type { Queryable } from '../../../../../server/src/postgres/database.ts';
import { statement } from '../../../../../server/src/postgres/statement.ts';
import type { Transaction } from '../../../../../server/src/postgres/transaction.ts';

/** Hides the rows of an erased learner until they are deleted. Returns false if they are hidden already. */
export async function hideLearner(tx: Transaction, brandId: number, learnerId: number): Promise<boolean> {
  const rows = await tx.run(
    statement<{ user_id: number }>(
      'hide_learner',
      `insert into analytics.hidden_learners (brand_id, user_id, since) values ($1, $2, clock_timestamp())
       on conflict do nothing returning user_id`,
      [brandId, learnerId],
    ),
  );
  return rows.length > 0;
}

export async function forgetLearner(tx: Transaction, brandId: number, learnerId: number): Promise<void> {
  await tx.run(
    statement<never>(
      'forget_hidden_learner',
      'delete from analytics.hidden_learners where brand_id = $1 and user_id = $2',
      [brandId, learnerId],
    ),
  );
}

export async function listHiddenLearners(database: Queryable, brandId: number): Promise<number[]> {
  const rows = await database.run(
    statement<{ user_id: number }>(
      'list_hidden_learners',
      'select user_id from analytics.hidden_learners where brand_id = $1',
      [brandId],
    ),
  );
  return rows.map(({ user_id }) => user_id);
}

/** Lists learners whose erasure was not finished for some minutes, of all brands. */
export async function listLeftLearners(
  database: Queryable,
  limit: number,
): Promise<{ readonly brandId: number; readonly learnerId: number }[]> {
  return database.run(
    statement<{ brandId: number; learnerId: number }>(
      'list_left_learners',
      `select brand_id as "brandId", user_id as "learnerId" from analytics.hidden_learners
       where since < clock_timestamp() - interval '5 minutes'
       order by brand_id, user_id limit $1`,
      [limit],
    ),
  );
}

export async function deleteClaims(
  tx: Transaction,
  brandId: number,
  eventIds: readonly string[],
): Promise<void> {
  await tx.run(
    statement<never>(
      'delete_event_claims',
      'delete from analytics.event_claims where brand_id = $1 and event_id = any($2::text[])',
      [brandId, eventIds],
    ),
  );
}
