import type { Day } from '../../../../../server/src/analytics/day.ts';
import type { Queryable } from '../../../../../server/src/postgres/database.ts';
import { statement } from '../../../../../server/src/postgres/statement.ts';
import type { Transaction } from '../../../../../server/src/postgres/transaction.ts';
import { graceInterval } from './sealed-batch-store.ts';

export interface StaleLayer {
  readonly brandId: number;
  readonly generation: number;
  readonly table: string;
  readonly day: Day;
}

export async function listBrandsWithLeftAttempts(database: Queryable): Promise<number[]> {
  const rows = await database.run(
    statement<{ brand_id: number }>(
      'list_brands_with_left_attempts',
      `select distinct brand_id from analytics.generation_attempts
       where started_at < clock_timestamp() - ${graceInterval} order by brand_id`,
    ),
  );
  return rows.map(({ brand_id }) => brand_id);
}

/** The generations of a brand that have begun and were not published. The caller holds the lock of the brand's datasets. */
export async function listLeftAttempts(tx: Transaction, brandId: number): Promise<number[]> {
  const rows = await tx.run(
    statement<{ generation: number }>(
      'list_left_attempts',
      `select generation from analytics.generation_attempts
       where brand_id = $1 and started_at < clock_timestamp() - ${graceInterval}`,
      [brandId],
    ),
  );
  return rows.map(({ generation }) => generation);
}

/** Replaced rows are kept so long: a copy of ClickHouse that is made after one of PostgreSQL has them [D205]. */
const keptInterval = `interval '24 hours'`;

export async function listStaleLayers(database: Queryable, limit: number): Promise<StaleLayer[]> {
  return database.run(
    statement<StaleLayer>(
      'list_stale_layers',
      `select brand_id as "brandId", generation, dataset as table, to_char(day, 'YYYY-MM-DD') as day from analytics.stale_layers
       where since < clock_timestamp() - ${keptInterval} order by since limit $1`,
      [limit],
    ),
  );
}

export async function deleteStaleLayers(tx: Transaction, layers: readonly StaleLayer[]): Promise<void> {
  await tx.run(
    statement<never>(
      'delete_stale_layers',
      `delete from analytics.stale_layers s
       using unnest($1::integer[], $2::bigint[], $3::text[], $4::date[]) as g (brand_id, generation, dataset, day)
       where s.brand_id = g.brand_id and s.generation = g.generation and s.dataset = g.dataset and s.day = g.day`,
      [
        layers.map(({ brandId }) => brandId),
        layers.map(({ generation }) => generation),
        layers.map(({ table }) => table),
        layers.map(({ day }) => day),
      ],
    ),
  );
}
