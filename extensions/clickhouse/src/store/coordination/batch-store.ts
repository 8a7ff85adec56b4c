import { type Day, type DayRange, dayNumberOf } from '../../../../../server/src/analytics/day.ts';
import type { Queryable } from '../../../../../server/src/postgres/database.ts';
import { statement } from '../../../../../server/src/postgres/statement.ts';
import type { Transaction } from '../../../../../server/src/postgres/transaction.ts';
import { integer, listOf } from '../literals.ts';

/** Claims of event ids: the number of the batch, and the positions of the given events that are new. */
export interface ClaimedEvents {
  readonly batch: number;
  /** null: all. Ascending. */
  readonly positions: readonly number[] | null;
}

/** Claims ids in sorted order, so that calls with common ids do not deadlock. Each id is given once. */
export async function claimEvents(
  tx: Transaction,
  brandId: number,
  events: readonly { readonly eventId: string; readonly day: Day }[],
): Promise<ClaimedEvents> {
  const rows = await tx.run(
    statement<{ batch: number; positions: number[] | null }>(
      'claim_learning_events',
      `with given as materialized (
         select event_id, date '1970-01-01' + day_number as day, position - 1 as position
         from unnest($2::text[], $3::integer[]) with ordinality as e (event_id, day_number, position)
       ),
       claimed as (
         insert into analytics.event_claims (brand_id, event_id, day)
         select $1, event_id, day from given order by event_id collate "C"
         on conflict do nothing
         returning event_id
       )
       select ${writeNumber()} as batch,
         case when (select count(*) from claimed) < cardinality($2::text[]) then (
           select coalesce(array_agg(position::integer order by position), '{}') from given
           where event_id in (select event_id from claimed)
         ) end as positions`,
      [brandId, events.map(({ eventId }) => eventId), events.map(({ day }) => dayNumberOf(day))],
    ),
  );
  return rows[0] as ClaimedEvents;
}

/**
 * Records that a batch counts, once this transaction has committed.
 * @throws Error if the transaction took so long that the batch may have been deleted as an orphan
 */
export async function recordBatch(
  tx: Transaction,
  brandId: number,
  batch: number,
  days: readonly Day[],
): Promise<void> {
  const rows = await tx.run(
    statement<{ day: Day }>(
      'record_event_batch',
      `insert into analytics.event_batches (brand_id, day, batch)
       select $1, day, $2 from unnest($3::date[]) as d (day)
       where $2::bigint >= (select sealed_before from analytics.clickhouse_store)
       returning to_char(day, 'YYYY-MM-DD') as day`,
      [brandId, batch, days],
    ),
  );
  if (rows.length < days.length) throw new Error('the batch of events was stored too late to count');
}

/** Returns a condition on events of the brand: their batch is committed. Without a range, of any day. */
export async function committedBatches(
  database: Queryable,
  brandId: number,
  range: DayRange | null = null,
): Promise<string> {
  const rows = await database.run(
    statement<{ sealed_before: number; batches: number[] }>(
      'list_committed_batches',
      `select s.sealed_before, (
         select coalesce(json_agg(distinct b.batch), '[]') from analytics.event_batches b
         where b.brand_id = $1 and ($2::date is null or b.day between $2::date and $3::date)
       ) as batches
       from analytics.clickhouse_store s`,
      [brandId, range?.from ?? null, range?.to ?? null],
    ),
  );
  const { sealed_before, batches } = rows[0] ?? { sealed_before: 0, batches: [] };
  if (batches.length === 0) return `batch < ${integer(sealed_before)}`;
  return `(batch < ${integer(sealed_before)} or batch in ${listOf(batches)})`;
}

/**
 * An SQL expression for the number of a batch or generation: milliseconds since 2025 and 13 bits of the transaction's id, so
 * that two transactions never have the same, later ones have greater ones, and the number tells its age. Fits a JavaScript
 * number until 2059.
 */
export const writeNumber = (at = 'clock_timestamp()') =>
  `((floor(extract(epoch from ${at}) * 1000)::bigint - 1735689600000) * 8192 + pg_current_xact_id()::text::bigint % 8192)`;
