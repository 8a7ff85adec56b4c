import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';

interface EventLearner {
  readonly id: number;
  readonly marketId: number | null;
  readonly isOptedOut: boolean;
}

/**
 * Returns the learners of the brand by tu_id, and locks their rows against erasure until the commit, so that no event of an
 * erased learner is stored after the erasure.
 */
export async function lockEventLearners(
  tx: Transaction,
  brandId: number,
  tuIds: readonly string[],
): Promise<Map<string, EventLearner>> {
  const rows = await tx.run(
    statement<EventLearner & { tuId: string }>(
      'lock_event_learners',
      // One look-up for each, independent of table statistics, in the same order in all transactions.
      `select l.tu_id as "tuId", l.id, l.market_id as "marketId", l.analytics_opt_out as "isOptedOut"
       from (select distinct u.tu_id collate "C" as tu_id from unnest($2::text[]) as u (tu_id) order by 1) as i
       cross join lateral (
         select l.tu_id, l.id, l.market_id, l.analytics_opt_out from learners l
         where l.brand_id = $1 and l.tu_id = i.tu_id
         for key share
       ) as l`,
      [brandId, tuIds],
    ),
  );
  return new Map(rows.map(({ tuId, ...learner }) => [tuId, learner]));
}

export async function findEventMarkets(
  tx: Transaction,
  brandId: number,
  tuIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await tx.run(
    statement<{ tuId: string; id: number }>(
      'find_event_markets',
      'select tu_id as "tuId", id from markets where brand_id = $1 and tu_id = any($2::text[])',
      [brandId, tuIds],
    ),
  );
  return new Map(rows.map(({ tuId, id }) => [tuId, id]));
}

export interface ContentReference {
  readonly type: string;
  readonly tuId: string;
}

interface ContentId {
  readonly type: string;
  readonly tuId: string;
  readonly id: number;
}

/** Returns the ids of distinct contents. A new one gets a row that is not listed: an orphaned reference. */
export async function referContents(
  tx: Transaction,
  brandId: number,
  references: readonly ContentReference[],
): Promise<ContentId[]> {
  const values = [brandId, references.map(({ type }) => type), references.map(({ tuId }) => tuId)];
  const find = statement<ContentId>(
    'find_content_references',
    `select c.type, c.tu_id as "tuId", c.id
     from unnest($2::text[], $3::text[]) as r (type, tu_id)
     cross join lateral (
       select c.type, c.tu_id, c.id from contents c
       where c.brand_id = $1 and c.type = r.type and c.tu_id = r.tu_id
       offset 0
     ) as c`,
    values,
  );
  let rows = await tx.run(find);
  if (rows.length < references.length) {
    await tx.run(
      statement<never>(
        'insert_content_references',
        `insert into contents (brand_id, type, tu_id, is_live, is_listed)
         select $1, r.type, r.tu_id, false, false from unnest($2::text[], $3::text[]) as r (type, tu_id)
         order by r.type collate "C", r.tu_id collate "C"
         on conflict (brand_id, type, tu_id) do nothing`,
        values,
      ),
    );
    rows = await tx.run(find);
  }
  return rows;
}
