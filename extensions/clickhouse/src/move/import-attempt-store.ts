import type pg from 'pg';
import type { Day } from '../../../../server/src/analytics/day.ts';
import { BackupError } from '../../../../server/src/backup/backup-error.ts';
import { transactionOf } from '../../../../server/src/postgres/client-transaction.ts';
import { recordBatch, writeNumber } from '../store/coordination/batch-store.ts';
import { markForTotals } from '../store/coordination/due-totals-store.ts';

/** The numbers under which an import writes rows. Nothing reads them before they are published. */
export interface ImportNumbers {
  readonly batch: number;
  readonly generation: number;
  /** The number of generations. */
  readonly layers: number;
}

/** A condition on the attempts of an import, of the brand `$1`, the batch `$2`, the generation `$3`, the layers `$4`. */
const ofImport = `brand_id = $1 and (generation = $2 or generation between $3 and $3::bigint + $4::bigint - 1)`;
const valuesOf = (brandId: number, { batch, generation, layers }: ImportNumbers) => [
  brandId,
  batch,
  generation,
  layers,
];

/**
 * Begins an import of a brand, and records all of its numbers as attempts, so that the upkeep deletes what a crash leaves.
 * No other transaction gets the number of the batch, and no earlier attempt at the brand has one of the generations.
 * @throws BackupError if the clock of the database is behind that of an earlier one
 */
export async function beginImport(
  client: pg.Client,
  brandId: number,
  layers: number,
): Promise<ImportNumbers> {
  const { rows } = await client.query<Omit<ImportNumbers, 'layers'> & { isSealed: boolean }>(
    `with new as materialized (select ${writeNumber()} as batch),
     numbers as (
       select batch, greatest(batch, (
         select max(a.generation) from analytics.generation_attempts a where a.brand_id = $1
       )) + 1 as generation
       from new
     ),
     begun as (
       insert into analytics.generation_attempts (brand_id, generation, started_at)
       select $1, batch, clock_timestamp() from numbers
       union all
       select $1, generation + i, clock_timestamp() from numbers cross join generate_series(0, $2::integer - 1) as i
     )
     select batch, generation, batch < (select sealed_before from analytics.clickhouse_store) as "isSealed" from numbers`,
    [brandId, layers],
  );
  const { isSealed, ...numbers } = rows[0] as (typeof rows)[number];
  if (isSealed)
    throw new BackupError(
      'The clock of this cell is behind what its events were stored at. Correct it. Nothing was written.',
    );
  return { ...numbers, layers };
}

/** Shows that an import is alive: without it, the upkeep gives it up after 40 minutes. Returns false if it did. */
export async function renewImport(
  client: pg.Client,
  brandId: number,
  numbers: ImportNumbers,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `update analytics.generation_attempts set started_at = clock_timestamp() where ${ofImport}`,
    valuesOf(brandId, numbers),
  );
  return rowCount === numbers.layers + 1;
}

/**
 * Publishes the rows of an import, in the client's transaction: they count once it has committed. Running totals are due.
 * @param days with events
 * @throws BackupError if the upkeep has given the import up
 */
export async function publishImport(
  client: pg.Client,
  brandId: number,
  numbers: ImportNumbers,
  days: readonly Day[],
): Promise<void> {
  const { rows } = await client.query<{ is_sealed: boolean }>(
    'select sealed_before > $1 as is_sealed from analytics.clickhouse_store',
    [numbers.batch],
  );
  if (rows[0]?.is_sealed !== false) throw givenUp();
  await recordBatch(transactionOf(client), brandId, numbers.batch, days);
  await client.query(
    `update analytics.published_layers
     set generations = (select array_agg($2::bigint + i order by i) from generate_series(0, cardinality(generations) - 1) as i)
     where brand_id = $1`,
    [brandId, numbers.generation],
  );
  await markForTotals(transactionOf(client), brandId);
  const { rowCount } = await client.query(
    `delete from analytics.generation_attempts where ${ofImport}`,
    valuesOf(brandId, numbers),
  );
  if (rowCount !== numbers.layers + 1) throw givenUp();
}

/** The error of an import that was suspended for long. */
export function givenUp(): BackupError {
  return new BackupError('The import was interrupted for too long, and its rows were deleted. Run it again.');
}
