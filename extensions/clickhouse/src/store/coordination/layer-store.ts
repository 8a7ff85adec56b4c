import type { Day, DayRange } from '../../../../../server/src/analytics/day.ts';
import type { DatasetName } from '../../../../../server/src/analytics/store/datasets.ts';
import type { Queryable } from '../../../../../server/src/postgres/database.ts';
import { statement } from '../../../../../server/src/postgres/statement.ts';
import type { Transaction } from '../../../../../server/src/postgres/transaction.ts';
import type { Layers } from '../layers.ts';
import { writeNumber } from './batch-store.ts';

export async function listLayers(
  database: Queryable,
  brandId: number,
  dataset: DatasetName,
): Promise<Layers> {
  const rows = await database.run(
    statement<{ day: Day; generations: number[] }>(
      'list_published_layers',
      `select to_char(day, 'YYYY-MM-DD') as day, to_json(generations) as generations from analytics.published_layers
       where brand_id = $1 and dataset = $2
       order by published_layers.day`,
      [brandId, dataset],
    ),
  );
  return new Map(rows.map(({ day, generations }) => [day, generations]));
}

/**
 * Begins a generation, and returns its number, which is greater than those of the brand before. Committed at once, so that rows
 * that a crash leaves behind are found. The caller holds the lock of the brand's datasets in another transaction.
 */
export async function beginGeneration(tx: Transaction, brandId: number): Promise<number> {
  const rows = await tx.run(
    statement<{ generation: number }>(
      'begin_generation',
      `insert into analytics.generation_attempts (brand_id, generation, started_at)
       select $1, greatest(${writeNumber()}, (
         select max(p.generations[cardinality(p.generations)]) + 1 from analytics.published_layers p where p.brand_id = $1
       )), clock_timestamp()
       returning generation`,
      [brandId],
    ),
  );
  return (rows[0] as { generation: number }).generation;
}

/**
 * Ends a generation whose layers this transaction publishes.
 * @throws Error if its rows were deleted meanwhile, because the caller seemed to be gone
 */
export async function endGeneration(tx: Transaction, brandId: number, generation: number): Promise<void> {
  if ((await deleteAttempts(tx, brandId, [generation])) === 0)
    throw new Error(`generation ${generation} was given up by the upkeep`);
}

export async function deleteAttempts(
  tx: Transaction,
  brandId: number,
  generations: readonly number[],
): Promise<number> {
  const rows = await tx.run(
    statement<{ generation: number }>(
      'delete_generation_attempts',
      `delete from analytics.generation_attempts where brand_id = $1 and generation = any($2::bigint[]) returning generation`,
      [brandId, generations],
    ),
  );
  return rows.length;
}

export interface Publication {
  readonly dataset: DatasetName;
  readonly generation: number;
}

/** Replaces what is published of the days of a range by one generation, which has rows on `days`. */
export async function publishDays(
  tx: Transaction,
  brandId: number,
  { dataset, generation }: Publication,
  { range, days }: { readonly range: DayRange; readonly days: readonly Day[] },
): Promise<void> {
  await tx.run(
    statement<never>(
      'retire_layers',
      `with gone as (
         delete from analytics.published_layers
         where brand_id = $1 and dataset = $2 and day between $3::date and $4::date
         returning day, generations
       )
       insert into analytics.stale_layers (brand_id, generation, dataset, day, since)
       select $1, g.generation, $2, gone.day, clock_timestamp() from gone cross join unnest(gone.generations) as g (generation)
       on conflict do nothing`,
      [brandId, dataset, range.from, range.to],
    ),
  );
  if (days.length === 0) return;
  await tx.run(
    statement<never>(
      'publish_days',
      `insert into analytics.published_layers (brand_id, dataset, day, generations)
       select $1, $2, day, array[$3::bigint] from unnest($4::date[]) as d (day)`,
      [brandId, dataset, generation, days],
    ),
  );
}

/** Adds a generation of corrections on top of what is published of the days. */
export async function publishOverlay(
  tx: Transaction,
  brandId: number,
  { dataset, generation }: Publication,
  days: readonly Day[],
): Promise<void> {
  if (days.length === 0) return;
  await tx.run(
    statement<never>(
      'publish_overlay',
      `update analytics.published_layers set generations = generations || $3::bigint
       where brand_id = $1 and dataset = $2 and day = any($4::date[])`,
      [brandId, dataset, generation, days],
    ),
  );
}

export interface LayeredDay {
  readonly brandId: number;
  readonly dataset: DatasetName;
  readonly day: Day;
  readonly generations: readonly number[];
}

/** A page reads the newest row of each key: with more layers, it reads too many that do not count. */
const mostLayers = 8;

export async function listLayeredDays(database: Queryable, limit: number): Promise<LayeredDay[]> {
  return database.run(
    statement<LayeredDay>(
      'list_layered_days',
      `select brand_id as "brandId", dataset, to_char(day, 'YYYY-MM-DD') as day, to_json(generations) as generations
       from analytics.published_layers
       where cardinality(generations) > ${mostLayers} order by cardinality(generations) desc limit $1`,
      [limit],
      { long: true },
    ),
  );
}
