import type { Queryable } from '../../../../../server/src/postgres/database.ts';
import { statement } from '../../../../../server/src/postgres/statement.ts';
import type { Transaction } from '../../../../../server/src/postgres/transaction.ts';
import { writeNumber } from './batch-store.ts';

/** Time after which a write that was not committed is given up. A multiple of what any write may take. */
export const graceInterval = `interval '40 minutes'`;

/** The batches between the last seal and the grace period. */
export interface SealableBatches {
  readonly sealedBefore: number;
  readonly cutoff: number;
  readonly committed: readonly number[];
}

/** Returns null if the store has no events in ClickHouse yet. */
export async function findSealable(database: Queryable): Promise<SealableBatches | null> {
  const rows = await database.run(
    statement<SealableBatches>(
      'find_sealable_batches',
      `select s.sealed_before as "sealedBefore", c.cutoff, (
         select coalesce(json_agg(distinct b.batch), '[]') from analytics.event_batches b where b.batch < c.cutoff
       ) as committed
       from analytics.clickhouse_store s
       cross join lateral (
         select greatest(s.sealed_before, ${cutoffNumber}) as cutoff
       ) as c`,
      [],
      { long: true },
    ),
  );
  return rows[0] ?? null;
}

/** Without the bits of a transaction: the least number of its millisecond. */
const cutoffNumber = `(${writeNumber(`clock_timestamp() - ${graceInterval}`)} / 8192 * 8192)`;

/**
 * Declares every batch before the cutoff that ClickHouse has committed. A batch before it can no longer be recorded.
 */
export async function sealBefore(tx: Transaction, cutoff: number): Promise<void> {
  await tx.run(
    statement<never>(
      'seal_event_batches',
      `with sealed as (
         update analytics.clickhouse_store set sealed_before = greatest(sealed_before, $1)
       )
       delete from analytics.event_batches where batch < $1`,
      [cutoff],
    ),
  );
}
